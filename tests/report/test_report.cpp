// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/template.h"
#include "core/output/report/report.h"

#include <QtTest>

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace hw;
using Json = nlohmann::ordered_json;

/// The reports of the shipped designs against the published port arithmetic: counts are exact.
class TestReport : public QObject {
    Q_OBJECT

    struct Design {
        FiguresPtr figures;
        Report report;
        Json json;
        std::string text;
    };
    Catalog m_catalog;
    Design m_hpn;

    Design make(const char* name, const std::map<std::string, std::string>& given, const std::map<std::string, std::string>& settings = {})
    {
        const auto design = Template::load(std::string(HW_RESOURCES "/templates/") + name + ".yaml");
        if (!design) qFatal("%s", design.error().text().c_str());
        const auto values = design->complete(given);
        if (!values) qFatal("%s", values.error().text().c_str());
        const auto snapshot = instantiate(*design, *values, m_catalog);
        if (!snapshot) qFatal("%s", snapshot.error().text().c_str());
        auto changed = std::make_shared<Snapshot>(**snapshot);
        for (const auto& [key, value] : settings) changed->putSetting(key, value);
        const auto figures = computeFigures(changed);
        if (!figures) qFatal("%s", figures.error().text().c_str());
        auto report = makeReport(**figures, makeBom(**figures));
        auto json = reportJson(report, **figures);
        auto text = reportText(report, **figures);
        return {*figures, std::move(report), std::move(json), std::move(text)};
    }

    static bool near(double value, double expected, double tolerance = 0.001)
    {
        if (std::abs(value - expected) <= std::abs(expected) * tolerance) return true;
        qWarning("%.6f is not %.6f", value, expected);
        return false;
    }
    static Json at(const Json& json, const char* pointer) { return json.at(Json::json_pointer(pointer)); }
    /// A number, or a truth as 0 or 1, at a JSON pointer.
    static double num(const Json& json, const char* pointer)
    {
        const auto value = at(json, pointer);
        return value.is_boolean() ? double(value.get<bool>()) : value.get<double>();
    }
    static std::string str(const Json& json, const char* pointer) { return at(json, pointer).get<std::string>(); }
    static Json find(const Json& list, const char* key, const std::string& value)
    {
        for (const auto& entry : list)
            if (str(entry, key) == value) return entry;
        qFatal("no entry %s", value.c_str());
    }
    static Json tier(const Json& report, const char* name) { return find(at(report, "/networks/0/tiers"), "/name", name); }
    static Json ports(const Json& tierJson, const char* role) { return find(at(tierJson, "/ports"), "/role", role); }
    static Json links(const Json& report, const char* from) { return find(at(report, "/networks/0/links"), "/from", from); }
    static Json level(const Json& report, const char* kind) { return find(at(report, "/power/levels"), "/kind", kind); }

private slots:
    void initTestCase()
    {
        auto catalog = Catalog::load(HW_RESOURCES "/catalog");
        QVERIFY(catalog.has_value());
        m_catalog = *catalog;
        m_hpn = make("hpn", {});
    }

    void hpnPod()
    {
        const auto& json = m_hpn.json;
        QCOMPARE(str(json, "/schema"), std::string("hallwright.report/1"));
        QCOMPARE(str(json, "/design/template"), std::string("hpn"));
        QCOMPARE(num(json, "/design/parameters/segments"), 15.0);
        QCOMPARE(num(json, "/accelerators/active"), 15360.0);
        QCOMPARE(num(json, "/accelerators/backup"), 960.0);
        QCOMPARE(num(json, "/servers/active"), 1920.0);
        QCOMPARE(num(json, "/servers/backup"), 120.0);
        const auto network = at(json, "/networks/0");
        QCOMPARE(str(network, "/name"), std::string("backend"));
        QCOMPARE(num(network, "/planes"), 2.0);
        QCOMPARE(num(network, "/rails"), 8.0);
        QCOMPARE(num(network, "/segments"), 15.0);
        QCOMPARE(num(network, "/pods"), 1.0);
        QCOMPARE(num(network, "/connected"), 1.0);
        QVERIFY(near(num(network, "/oversubscription_end_to_end"), 16));
        QCOMPARE(at(network, "/tiers").size(), std::size_t(3));
    }

    void hpnTiers()
    {
        const auto tor = tier(m_hpn.json, "tor"), agg = tier(m_hpn.json, "agg"), core = tier(m_hpn.json, "core");
        QCOMPARE(num(tor, "/switches"), 240.0);
        QCOMPARE(num(agg, "/switches"), 120.0);
        QCOMPARE(num(core, "/switches"), 64.0);
        QVERIFY(near(num(tor, "/oversubscription"), 16.0 / 15));
        QVERIFY(near(num(tor, "/oversubscription_with_backup"), 17.0 / 15));
        QVERIFY(near(num(agg, "/oversubscription"), 15));
        QCOMPARE(num(core, "/oversubscription"), 1.0);
        QCOMPARE(num(tor, "/down_gbps"), 240.0 * 128 * 200); // with backup 27.2T, and 24T up: 51.2T a ToR exactly
        QCOMPARE(num(tor, "/up_gbps"), 240.0 * 60 * 400);
        QCOMPARE(num(ports(tor, "down"), "/used"), 30720.0);
        QCOMPARE(num(ports(tor, "backup"), "/used"), 1920.0);
        QCOMPARE(num(ports(tor, "up"), "/used"), 14400.0);
        QCOMPARE(num(ports(agg, "down"), "/total"), 14400.0);
        QCOMPARE(num(ports(core, "down"), "/total"), 8192.0);
        QCOMPARE(num(ports(core, "down"), "/used"), 960.0);
        QCOMPARE(num(links(m_hpn.json, "server"), "/active"), 30720.0);
        QCOMPARE(num(links(m_hpn.json, "server"), "/backup"), 1920.0);
        QCOMPARE(num(links(m_hpn.json, "server"), "/rate_gbps"), 200.0);
        QCOMPARE(num(links(m_hpn.json, "tor"), "/active"), 14400.0);
        QCOMPARE(num(links(m_hpn.json, "agg"), "/active"), 960.0);
        QCOMPARE(num(links(m_hpn.json, "agg"), "/rate_gbps"), 400.0);
    }

    void hpnPower()
    {
        const auto power = at(m_hpn.json, "/power"), site = at(m_hpn.json, "/site");
        QCOMPARE(str(power, "/basis"), std::string("design"));
        QCOMPARE(qRound(num(power, "/it_w") / 1e4), 1786); // 17.86 MW
        QCOMPARE(qRound(num(power, "/per_accelerator_w")), 1163);
        QVERIFY(near(num(power, "/by_basis/nameplate/it_w"), 22.0e6, 0.01));
        // Of the campus, from its own losses and cooling: pods and core building, one sum.
        QCOMPARE(str(power, "/facility_basis"), std::string("losses"));
        QVERIFY(near(num(power, "/campus_it_w"), num(power, "/it_w") + num(power, "/core_it_w")));
        QVERIFY(near(num(power, "/facility_w"), num(power, "/campus_it_w") * num(power, "/pue")));
        QVERIFY(near(num(power, "/facility_w"),
                     num(power, "/campus_it_w") + num(power, "/losses_w") + num(power, "/feeder_losses_w") + num(power, "/cooling_at_load_w")));
        QVERIFY(num(power, "/feeder_losses_w") > 0 && num(power, "/feeder_losses_w") < 0.02 * num(power, "/campus_it_w"));
        const auto constant = make("hpn", {}, {{"site.pue_basis", "constant"}}).json;
        QCOMPARE(str(constant, "/power/facility_basis"), std::string("constant"));
        QVERIFY(near(num(constant, "/power/facility_w"), 1.2 * num(power, "/campus_it_w")));
        QCOMPARE(num(site, "/limit_w"), 18e6);
        QCOMPARE(num(site, "/fits"), 1.0);
        QVERIFY(near(1 - num(site, "/spare_share"), 0.992));
        QCOMPARE(num(site, "/buildings"), 1.0);
        QVERIFY(num(site, "/max_accelerators_at_limit") > 15360 && num(site, "/max_accelerators_at_limit") < 15600);
        QVERIFY(at(site, "/readings/1/fits").is_null() && at(site, "/readings/1/limit_w").is_null()); // the limit is one of IT power
    }

    void hpnPowerChain()
    {
        const auto& json = m_hpn.json;
        for (const char* kind : {"building", "hall", "transformer", "busway", "pdu", "row", "rack"}) QCOMPARE(num(level(json, kind), "/fits"), 1.0);
        QCOMPARE(num(level(json, "busway"), "/count"), 64.0 + 14); // a pair over each of 32 rows, and of seven in the core building
        // losing the other side puts a whole row on one busway, and four rows on one transformer
        const double row = num(level(json, "row"), "/load_w");
        QVERIFY(near(num(level(json, "busway"), "/worst_failover_load_w"), row, 1e-6));
        QVERIFY(near(num(level(json, "busway"), "/load_w") * 2, row, 1e-6));
        for (const Json& node : at(json, "/power/nodes")) // rack PDUs state apparent power
            if (str(node, "/kind") == "pdu") {
                QVERIFY(near(num(node, "/load_va"), num(node, "/load_w") / 0.95));
                QVERIFY(near(num(node, "/capacity_va"), 43'650) || near(num(node, "/capacity_va"), 55'430)); // 63 A, 80 A
            }
        // with the losses of busways, which grow with the square of their load, and of UPS modules
        const Json transformer = find(at(json, "/power/nodes"), "/name", "pod1-transformer1-1"); // of racks; chillers take their sides in turn
        QVERIFY(near(num(transformer, "/load_w") * 2, num(transformer, "/worst_load_w"), 2e-2));
    }

    void hpnNameplate()
    {
        const auto json = make("hpn", {}, {{"site.power_basis", "nameplate"}}).json;
        QCOMPARE(num(json, "/site/fits"), 0.0);
        QVERIFY(near(num(level(json, "row"), "/load_w"), 713e3, 0.01));
        QVERIFY(near(num(level(json, "busway"), "/capacity_w"), 887e3));
        QVERIFY(near(num(level(json, "transformer"), "/worst_failover_load_w"), 2.852e6 / 0.972, 0.01));
        QCOMPARE(num(level(json, "busway"), "/fits"), 1.0);
        QCOMPARE(num(level(json, "transformer"), "/fits"), 1.0);
        QVERIFY(near(num(level(json, "pdu"), "/worst_failover_load_w"), 40.8e3));
        QCOMPARE(num(level(json, "pdu"), "/fits"), 1.0);
    }

    void hpnCooling()
    {
        const auto cooling = at(m_hpn.json, "/cooling");
        QCOMPARE(num(cooling, "/liquid_w"), 0.0);
        QCOMPARE(num(cooling, "/flow_lpm"), 0.0);
        QVERIFY(near(num(cooling, "/air_flow_m3s"), 987));
        const auto walls = find(at(cooling, "/levels"), "/name", "pod1-hall fan-wall-450kw");
        QCOMPARE(num(walls, "/needed"), 40.0);
        QCOMPARE(num(walls, "/units"), 48.0);
        QCOMPARE(str(walls, "/redundancy"), std::string("N+8"));
        for (const auto& loop : at(cooling, "/loops")) QVERIFY2(loop["fits"].get<bool>(), loop["name"].get<std::string>().c_str());
        const auto air = find(at(cooling, "/loops"), "/name", "pod1-hall air");
        QCOMPARE(str(air, "/kind"), std::string("air"));
        QCOMPARE(num(air, "/worst_w"), num(air, "/heat_w"));
        QVERIFY(num(air, "/heat_w") > 17.8e6 && num(air, "/air_m3s") > 987); // losses of busways, and air that passes no rack
    }

    void hpnFiber()
    {
        const auto fiber = at(m_hpn.json, "/fibre");
        // back end; front end, storage, management
        QCOMPARE(num(fiber, "/cables"), 30720.0 + 1920 + 14400 + 960 + 8240 + 948 + 4538);
        QCOMPARE(num(fiber, "/physical_cables"), 16320.0 + 14400 + 960 + 6200 + 636 + 4538);
        double byMedium = 0;
        for (const auto& run : fiber["by_medium"]) byMedium += num(run, "/cables");
        QCOMPARE(byMedium, num(fiber, "/cables"));
        QCOMPARE(num(fiber, "/transceivers/200g-sr2"), 32640.0 + 4080 + 500 + 128);
        QCOMPARE(num(fiber, "/reach_exceeded"), 0.0);
        QCOMPARE(num(fiber, "/without_route"), 0.0);
        QVERIFY(num(m_hpn.json, "/cost/total") > 0);
        QVERIFY(num(m_hpn.json, "/cost/assumed_share") > 0.75); // UPS and generators have quoted prices
    }

    void hpnPeak()
    {
        QVERIFY(near(num(m_hpn.json, "/accelerators/peak_flops/fp16"), 15360 * 989.5e12));
        QVERIFY(at(m_hpn.json, "/accelerators/peak_flops_assumed").dump().find("\"fp8\"") != std::string::npos);
    }

    void textIsForPeople()
    {
        const auto& text = m_hpn.text;
        for (const char* piece :
             {"Alibaba HPN", "15,360 active, 960 backup", "17.86 MW", "1163 W", "N+8", "links server - tor: 30,720 at 200G and 1,920 backup", "16:1"})
            QVERIFY2(text.find(piece) != text.npos, piece);
    }

    /// Written labels instead of tier keys, a limit only for the power it limits, no price of 0 for what has none.
    void wordsOfTheTextReport()
    {
        const std::string& text = m_hpn.text;
        const auto has = [&](const char* words) { return text.find(words) != std::string::npos; };
        QVERIFY(has("UPS output switchboard") && !has("ups_board   ") && !has("rack_pdu   "));
        const double facilityMw = num(m_hpn.json, "/power/it_w") * num(m_hpn.json, "/power/pue") / 1e6; // of the pods
        QVERIFY(has(fmt::format("{:.2f} MW; no facility limit entered", facilityMw).c_str()) && !has("does not fit"));
        QVERIFY(has("Rack PDU                      1,264")); // 1,152 of the pod and 112 of the core building, in one row
        QVERIFY(has("loop ") && has("ride-through"));
        const auto line = text.substr(text.find("  accessories"), 60);
        QVERIFY2(line.find("unpriced\n") != std::string::npos, line.c_str());
        const auto shelves = make("nvl72", {{"segments", "1"}}).text;
        QVERIFY(shelves.find("\n  Power shelf ") != std::string::npos && shelves.find("\n  Rack PDU ") != std::string::npos);
    }

    void dcnPlus()
    {
        const auto json = make("dcn-plus", {}).json;
        QCOMPARE(num(json, "/accelerators/active"), 16384.0);
        QCOMPARE(num(json, "/servers/active"), 2048.0);
        QCOMPARE(num(json, "/networks/0/segments"), 4.0);
        QCOMPARE(num(json, "/networks/0/pods"), 32.0);
        QCOMPARE(num(json, "/networks/0/planes"), 1.0);
        QCOMPARE(num(json, "/networks/0/rails"), 1.0);
        QCOMPARE(num(tier(json, "tor"), "/switches"), 256.0);
        QCOMPARE(num(tier(json, "agg"), "/switches"), 256.0);
        QCOMPARE(num(tier(json, "core"), "/switches"), 128.0);
        QCOMPARE(num(links(json, "server"), "/active"), 32768.0);
        QCOMPARE(num(links(json, "tor"), "/active"), 16384.0);
        QCOMPARE(num(links(json, "agg"), "/active"), 16384.0);
        for (const char* name : {"tor", "agg", "core"}) QCOMPARE(num(tier(json, name), "/oversubscription"), 1.0);
        QCOMPARE(num(json, "/networks/0/oversubscription_end_to_end"), 1.0);
        QCOMPARE(num(json, "/site/fits"), 1.0);
    }

    void hpnEightPods()
    {
        const auto eight = make("hpn", {{"pods", "8"}});
        QCOMPARE(num(eight.json, "/accelerators/active"), 122880.0);
        QCOMPARE(num(ports(tier(eight.json, "core"), "down"), "/used"), 64.0 * 120);
        QCOMPARE(num(ports(tier(eight.json, "core"), "down"), "/total"), 8192.0);
        QVERIFY(near(num(eight.json, "/networks/0/oversubscription_end_to_end"), 16));
        QCOMPARE(num(eight.json, "/site/buildings"), 8.0);
        QCOMPARE(num(eight.json, "/fibre/cables"), 8.0 * (48000 + 8176 + 756 + 4086) + 64 + 192 + 452); // a pod's, and the campus's
        QBENCHMARK_ONCE { (void)makeReport(*eight.figures, makeBom(*eight.figures)); }
    }

    void hpnSevenPods()
    {
        const auto json = make("hpn", {{"pods", "7"}}, {{"site.substations", "2"}}).json;
        QCOMPARE(num(json, "/accelerators/active"), 107520.0);
        const double tors = num(tier(json, "tor"), "/switches"), aggs = num(tier(json, "agg"), "/switches"),
                     cores = num(tier(json, "core"), "/switches");
        QCOMPARE(tors, 1680.0);
        QCOMPARE(aggs, 840.0);
        QCOMPARE(tors + aggs + cores, 2584.0);
        QCOMPARE(num(ports(tier(json, "core"), "down"), "/used"), 64.0 * 105);
        // Substations of the design, not of the setting, and what `check` says of them.
        QCOMPARE(num(json, "/site/substations_required"),
                 std::ceil(num(json, "/power/facility_w") * num(json, "/site/substations") / num(json, "/site/substation_capacity_w")));
        QCOMPARE(at(json, "/site/substation_basis").get<std::string>(), std::string("design"));
        QCOMPARE(at(json, "/site/substation_readings").size(), std::size_t(2));
        QVERIFY(near(num(json, "/site/substation_readings/1/load_w"), num(json, "/power/facility_w")));
    }

    /// A design without any row at all still has every key.
    void emptyDesign()
    {
        const auto figures = computeFigures(std::make_shared<const Snapshot>());
        QVERIFY(figures.has_value());
        const auto json = reportJson(makeReport(**figures, makeBom(**figures)), **figures);
        for (const char* key : {"schema", "design", "accelerators", "servers", "racks", "networks", "power", "site", "cooling", "fibre", "cost"})
            QVERIFY2(json.contains(key), key);
        QCOMPARE(num(json, "/site/fits"), 1.0);
        QCOMPARE(num(json, "/cost/assumed_share"), 0.0);
    }
};

QTEST_GUILESS_MAIN(TestReport)
#include "test_report.moc"
