// SPDX-License-Identifier: GPL-3.0-or-later
// docs/samples.md: every figure of the two sample halls, read from the report as the command prints it.
#include "core/design/template/template.h"
#include "core/output/report/report.h"

#include <QtTest>

#include <cmath>
#include <nlohmann/json.hpp>

using namespace hw;

namespace {

using Json = nlohmann::ordered_json;

Json reportOf(const std::string& name, const std::map<std::string, std::string>& settings = {})
{
    static const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
    const auto design = Template::load(HW_RESOURCES "/templates/" + name + ".yaml");
    if (!catalog || !design) qFatal("%s", design ? "catalog" : design.error().text().c_str());
    const auto made = instantiate(*design, *design->complete(ParameterValues{}), *catalog);
    if (!made) qFatal("%s", made.error().text().c_str());
    auto snapshot = std::make_shared<Snapshot>(**made);
    for (const auto& [key, value] : settings) snapshot->putSetting(key, value);
    const auto figures = computeFigures(snapshot);
    if (!figures) qFatal("%s", figures.error().text().c_str());
    return reportJson(makeReport(**figures, makeBom(**figures)), **figures);
}

bool matches(const Json& entry, const std::string& wanted) // "from=server&to=tor"
{
    for (const QString& part : QString::fromStdString(wanted).split('&')) {
        const auto key = part.section('=', 0, 0).toStdString(), value = part.section('=', 1).toStdString();
        if (!entry.contains(key) || entry[key] != value) return false;
    }
    return true;
}

/// "halls/name=hall1/size_m/0"; the first entry of a list that matches.
const Json* at(const Json& root, const std::string& path)
{
    const Json* here = &root;
    for (const QString& step : QString::fromStdString(path).split('/')) {
        const std::string key = step.toStdString();
        if (here->is_array() && step.contains('=')) {
            const auto found = std::ranges::find_if(*here, [&](const Json& entry) { return matches(entry, key); });
            if (found == here->end()) return nullptr;
            here = &*found;
        } else if (here->is_array()) {
            if (step.toUInt() >= here->size()) return nullptr;
            here = &(*here)[step.toUInt()];
        } else {
            if (!here->contains(key)) return nullptr;
            here = &(*here)[key];
        }
    }
    return here;
}

constexpr double kExact = 0, kRounded = 0.005, kAbout = 0.05;

struct Figure {
    const char* path;
    double planned, unit; ///< what the report says over `unit`
    double tolerance;
};

const Figure kHpn[] = {
    {"accelerators/active", 15360, 1, kExact},
    {"servers/backup", 120, 1, kExact},
    {"servers/active", 1920, 1, kExact},
    {"halls/name=pod1-hall/server_racks", 510, 1, kExact},
    {"halls/name=pod1-hall/racks", 576, 1, kExact},
    {"halls/name=pod1-hall/cells", 16, 1, kExact},
    {"halls/name=pod1-hall/contained_rows", 32, 1, kExact},
    {"halls/name=pod1-hall/longest_row_m", 11, 1, kExact},
    {"halls/name=pod1-hall/size_m/0", 120, 1, kExact},
    {"halls/name=pod1-hall/size_m/1", 20, 1, kExact},
    {"halls/name=pod1-hall/clear_height_m", 4.5, 1, kExact},
    {"power/peaks/rack/design/load_w", 32.6, 1e3, kRounded},
    {"power/peaks/rack/nameplate/load_w", 40.8, 1e3, kRounded},
    {"power/peaks/row/design/load_w", 574, 1e3, kRounded},
    {"power/peaks/row/nameplate/load_w", 713, 1e3, kRounded},
    {"networks/name=backend/segments", 15, 1, kExact},
    {"networks/name=backend/tiers/name=tor/switches", 240, 1, kExact},
    {"networks/name=backend/tiers/name=agg/switches", 120, 1, kExact},
    {"fibre/runs/from=server&to=tor/links", 32640, 1, kExact},
    {"fibre/runs/from=server&to=tor/cables", 16320, 1, kExact},
    {"fibre/runs/from=server&to=tor/longest_route_m", 16, 1, 0.15},
    {"fibre/runs/from=tor&to=agg/cables", 14400, 1, kExact},
    {"fibre/runs/from=tor&to=agg/longest_route_m", 69.8, 1, 0.06}, // furthest position of either rack
    {"fibre/runs/from=tor&to=agg/longest_m", 75, 1, kExact},
    {"power/it_w", 17.86, 1e6, kRounded},
    {"site/spare_share", 0.008, 1, 0.06},
    {"power/per_accelerator_w", 1163, 1, 0.001},
    {"power/by_tier/tier=server/design_w", 16.65, 1e6, kRounded},
    {"power/by_tier/tier=tor/design_w", 0.50, 1e6, 0.02},
    {"power/by_tier/tier=agg/design_w", 0.25, 1e6, 0.02},
    {"power/by_basis/nameplate/it_w", 22.0, 1e6, 0.01},
    {"power/levels/name=busway/capacity_w", 887, 1e3, kRounded},
    {"cooling/air_flow_m3s", 987, 1, kRounded},
    {"cooling/levels/name=pod1-hall fan-wall-450kw/needed", 40, 1, kExact},
    {"cooling/levels/name=pod1-hall fan-wall-450kw/units", 48, 1, kExact},
    {"cooling/liquid_w", 0, 1, kExact},
};

const Figure kNvl72[] = {
    {"accelerators/active", 16128, 1, kExact},
    {"racks/by_type/rack-nvl72", 224, 1, kExact},
    {"power/it_w", 33.6, 1e6, kRounded},
    {"power/per_accelerator_w", 2083, 1, kRounded},
    {"halls/name=hall1/it/design_w", 16.8, 1e6, kRounded},
    {"halls/name=hall2/it/design_w", 16.8, 1e6, kRounded},
    {"halls/name=hall1/it_limit_w", 18, 1e6, kExact},
    {"halls/name=hall1/size_m/0", 36, 1, kExact},
    {"halls/name=hall1/size_m/1", 20, 1, kExact},
    {"networks/name=backend/tiers/name=leaf/switches", 256, 1, kExact},
    {"networks/name=backend/tiers/name=spine/switches", 128, 1, kExact},
    {"networks/name=backend/links/from=server&to=leaf/active", 63 * 256, 1, kExact},
    {"networks/name=backend/links/from=leaf&to=spine/active", 64 * 256, 1, kExact},
    {"fibre/runs/from=leaf&to=spine/between_halls", 8192, 1, kExact},
    {"cooling/nodes/kind=cabinet/heat_w", 112, 1e3, kRounded},
    {"cooling/nodes/kind=cabinet/flow_lpm", 129, 1, kRounded},
    {"cooling/loops/name=hall1 liquid 1/heat_w", 3.14, 1e6, kRounded},
    {"cooling/loops/name=hall1 liquid 1/flow_lpm", 3604, 1, kRounded}, // PG25 at 48 °C
    {"cooling/loops/name=hall1 liquid 1/flow_rule_lpm", 3633, 1,
     0.0005}, // 3.14 MW x 15 / 12.97 K, which the least flow of the plates at 42 °C leaves
    {"cooling/loops/name=hall1 liquid 1/units", 4, 1, kExact},
    {"cooling/loops/name=hall1 liquid 1/running", 3, 1, kExact},
    {"cooling/levels/name=hall1 fan-wall-450kw/load_w", 4.23, 1e6, kRounded},
    {"cooling/levels/name=hall1 fan-wall-450kw/units", 12, 1, kExact},
    {"cooling/levels/name=hall1 fan-wall-450kw/needed", 10, 1, kExact},
    {"power/levels/name=pdu/capacity_w", 33, 1e3, kExact},
    {"power/levels/name=pdu/count", 224 * 8, 1, kExact},
    {"power/levels/name=busway/capacity_w", 1150, 1e3, kRounded},
    {"halls/name=hall1/heaviest_rack/kg_m2", 1889, 1, kRounded},
    {"halls/name=hall1/heaviest_rack/with_aisle_kg_m2", 756, 1, kRounded},
};

} // namespace

class TestSampleFigures : public QObject {
    Q_OBJECT

    Json m_hpn, m_nvl72;

    template <std::size_t N>
    static QString wrongIn(const Json& report, const Figure (&figures)[N])
    {
        QStringList wrong;
        for (const Figure& figure : figures) {
            const Json* found = at(report, figure.path);
            if (!found || !found->is_number()) {
                wrong << QString("%1 is not in the report").arg(figure.path);
                continue;
            }
            const double is = found->get<double>() / figure.unit;
            if (std::abs(is - figure.planned) > std::abs(figure.planned) * figure.tolerance + 1e-9)
                wrong << QString("%1: %2, planned %3").arg(figure.path).arg(is).arg(figure.planned);
        }
        return wrong.join('\n');
    }

private slots:
    void initTestCase() { m_hpn = reportOf("hpn"), m_nvl72 = reportOf("nvl72"); }

    void hpn()
    {
        const QString wrong = wrongIn(m_hpn, kHpn);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        double beyond = 0, busways = 0;
        for (const Json& length : (*at(m_hpn, "fibre/runs/from=tor&to=agg"))["lengths"])
            if (length["length_m"].get<double>() > 50) beyond += length["cables"].get<double>();
        QVERIFY(std::abs(beyond - 4680) <= 0.01 * 4680);
        for (const Json& node : m_hpn["power"]["nodes"]) busways += node["kind"] == "busway" && node["name"].get<std::string>().starts_with("pod1");
        QCOMPARE(busways, 64.0);
        QCOMPARE(m_hpn["cooling"]["levels"].empty(), false);
    }

    /// Between the fronts of two full rows: 63.5 m³/s through 2 × 13.5 m² at 2.35 m/s.
    void airOfAColdAisle()
    {
        bool found = false;
        for (const Json& aisle : m_hpn["cooling"]["aisles"]) {
            const double air = aisle["air_m3s"].get<double>();
            if (aisle["rows"].size() != 2 || std::abs(air - 63.5) > 0.01 * 63.5) continue;
            found = true;
            QCOMPARE(aisle["end_m2"].get<double>(), 13.5);
            QVERIFY(std::abs(aisle["speed_ms"].get<double>() - 2.35) < 0.02);
        }
        QVERIFY(found);
        for (const char* name : {"hpn", "nvl72"})
            for (const Json& aisle : (name == std::string("hpn") ? m_hpn : m_nvl72)["cooling"]["aisles"])
                QVERIFY2(aisle["speed_ms"].get<double>() <= 2.5, aisle.dump().c_str());
    }

    void nvl72()
    {
        const QString wrong = wrongIn(m_nvl72, kNvl72);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        QCOMPARE((*at(m_nvl72, "cooling/levels/name=hall1 fan-wall-450kw"))["redundancy"], Json("N+2"));
        QVERIFY(at(m_nvl72, "fibre/runs/from=leaf&to=spine/longest_between_halls_m")->get<double>() <= 90);
        const double shelf = at(m_nvl72, "power/levels/name=pdu/capacity_w")->get<double>(); // at 415 V in three phases
        QVERIFY(std::abs(shelf / std::sqrt(3.0) / 415 - 45.9) < 0.05);
    }

    /// Four rows of 713 kW behind two transformers, one of them lost: 3,002 kVA reach the rows, 98 % of the rating with the losses on the way.
    void transformersAtNameplate()
    {
        const Json report = reportOf("hpn", {{"site.power_basis", "nameplate"}});
        const double boards = at(report, "power/nodes/name=pod1-ups_board1-1/worst_load_w")->get<double>() / 0.95;
        QVERIFY(std::abs(boards / 1e3 - 3002) < 0.01 * 3002);
        const double transformer = at(report, "power/levels/name=transformer/worst_failover_load_w")->get<double>() / 0.95;
        QVERIFY(std::abs(transformer / 3150e3 - 0.98) < 0.01);
    }

    void dcnHosts()
    {
        const Json report = reportOf("dcn-plus");
        double hosts = 0;
        for (const Json& row : report["power"]["by_tier"])
            if (row["tier"] == "server") hosts += row["design_w"].get<double>();
        QVERIFY(std::abs(hosts / 1e6 - 16.7) < 0.1);
    }
};

QTEST_GUILESS_MAIN(TestSampleFigures)
#include "test_sample_figures.moc"
