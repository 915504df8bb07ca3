// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derive/facility.h"
#include "core/edit/edits.h"
#include "core/layout/plant.h"
#include "core/model/document.h"
#include "core/model/places.h"
#include "core/template/template.h"

#include <QtTest>

#include <filesystem>
#include <map>
#include <set>

using namespace hw;

namespace {

using Given = std::map<std::string, std::string>;

const Catalogue& catalogue()
{
    static const auto loaded = Catalogue::load(HW_RESOURCES "/catalogue");
    return *loaded;
}

SnapshotPtr made(const Template& design, const Given& given = {})
{
    const auto values = design.complete(given);
    if (!values) qFatal("%s", values.error().text().c_str());
    auto snapshot = instantiate(design, *values, catalogue());
    if (!snapshot) qFatal("%s", snapshot.error().text().c_str());
    return *snapshot;
}

Template shipped(const std::string& name)
{
    auto read = Template::load(HW_RESOURCES "/templates/" + name + ".yaml");
    if (!read) qFatal("%s", read.error().text().c_str());
    return *read;
}

FiguresPtr figured(const std::string& name, const Given& given = {})
{
    auto figures = computeFigures(made(shipped(name), given));
    if (!figures) qFatal("%s", figures.error().text().c_str());
    return *figures;
}

std::map<std::string, int> byTier(const Snapshot& s)
{
    std::map<std::string, int> count;
    s.devices.forEach([&](DeviceId id) { ++count[s.tiers.key[s.devices.tier[id]]]; });
    return count;
}

/// Sides, as letters, over which a device reaches utilities.
std::set<char> sidesOf(const Figures& f, const PowerChain& chain, DeviceId device)
{
    std::set<char> sides;
    std::set<std::uint32_t> seen;
    const auto walk = [&](const auto& self, power::Index i) -> void {
        if (!seen.insert(i).second) return;
        const DeviceId id(i);
        if (f.parts->device(f.snapshot->devices.type[id]).power.element == PowerElement::Utility) sides.insert(f.get<PowerFeedsNode>().side(id));
        for (const auto& feed : chain.network.feeds(i)) self(self, feed.from);
    };
    walk(walk, device.value);
    return sides;
}

} // namespace

class TestPlant : public QObject {
    Q_OBJECT
private slots:
    /// Every drawing device, core building and cooling included, reaches a utility on A and on B; what it feeds and loses adds up above it.
    void everyTemplateIsFed_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto& entry : std::filesystem::directory_iterator(HW_RESOURCES "/templates"))
            if (entry.path().extension() == ".yaml")
                QTest::newRow(entry.path().stem().string().c_str()) << QString::fromStdString(entry.path().stem().string());
    }
    void everyTemplateIsFed()
    {
        QFETCH(QString, name);
        const auto f = figured(name.toStdString());
        const Snapshot& s = *f->snapshot;
        const PowerChain& chain = powerChain(*f, PowerBasis::Design);
        QVERIFY(chain.network.looped().empty());
        int asked = 0;
        s.devices.forEach([&](DeviceId id) {
            if (s.tiers.kind[s.devices.tier[id]] == TierKind::Power || chain.network[id.value].draw.count() == 0) return;
            if (asked++ % 97 != 0 && s.tiers.kind[s.devices.tier[id]] == TierKind::Server) return; // servers are alike
            QVERIFY2(sidesOf(*f, chain, id) == (std::set<char>{'A', 'B'}), s.devices.name[id].c_str());
        });
        QVERIFY(asked > 0);
        const FacilityPower facility = facilityPower(*f, PowerBasis::Design);
        QVERIFY(facility.complete);
        Milliwatts utilities;
        s.devices.forEach([&](DeviceId id) {
            if (f->parts->device(s.devices.type[id]).power.element == PowerElement::Utility) utilities += chain.load(id);
            if (s.tiers.kind[s.devices.tier[id]] != TierKind::Power) return;
            Milliwatts below;
            for (const auto& use : chain.network.uses(id.value)) below += chain.flow.shares[chain.network.firstFeed(use.consumer) + use.feed].total();
            QCOMPARE(below.count(), chain.through(id).count());
            QCOMPARE(chain.load(id).count() - chain.through(id).count(), chain.network[id.value].loss.at(chain.through(id)).count());
        });
        QCOMPARE(utilities.count(), facility.total().count());
        QVERIFY(facility.pue() > 1.02 && facility.pue() < 1.25); // UPS 2.5 %, transformers 1 %, fans 4 % and more where few racks have N + 2
    }

    /// 2N: no single loss darkens anything or overloads what remains.
    void nothingIsLostWithOneElement()
    {
        for (const char* name : {"hpn", "dcn-plus", "nvl72"}) {
            const auto f = figured(name);
            const Snapshot& s = *f->snapshot;
            const PowerWorst& worst = worstPower(*f, PowerBasis::Design);
            s.devices.forEach([&](DeviceId id) {
                if (s.tiers.kind[s.devices.tier[id]] != TierKind::Power) QVERIFY2(!worst.darkens(id), s.devices.name[id].c_str());
                const auto capacity = f->parts->device(s.devices.type[id]).capacity.value;
                if (s.tiers.kind[s.devices.tier[id]] == TierKind::Power && capacity.count() > 0)
                    QVERIFY2(worst.through(id) <= capacity, s.devices.name[id].c_str());
            });
        }
    }

    void hpnPodHasItsPlant()
    {
        const auto f = figured("hpn");
        auto count = byTier(*f->snapshot);
        QCOMPARE(count["utility"], 4); // a pod of 22 MW and the core do not fit one feed of 23.75 MW
        QCOMPARE(count["transformer"], count["generator"]);
        QCOMPARE(count["switchboard"], count["transformer"]);
        QCOMPARE(count["ups_board"], count["transformer"] - 2); // the fans of the pod have a pair of their own
        QCOMPARE(count["busway"], 2 * (32 + 7));                // a pair over every row
        QCOMPARE(count["pdu"] + count["rack_pdu"], 2 * 632);
        const auto campus = figured("hpn", {{"pods", "8"}});
        auto large = byTier(*campus->snapshot);
        QVERIFY(large["grid_transformer"] >= 6 && large["utility"] == 2); // two substations
    }

    /// Busways hang free of each other and of what stands on the floor, also where several serve one row.
    void busesHangFree()
    {
        for (const char* name : {"hpn", "nvl72"}) {
            const auto f = figured(name);
            const Snapshot& s = *f->snapshot;
            std::map<std::uint32_t, std::vector<Box>> busways, others; // by hall
            s.devices.forEach([&](DeviceId id) {
                const auto hall = hallOf(s, id);
                if (!hall || s.devices.rack[id]) return;
                (s.devices.row[id] ? busways : others)[(*hall).value].push_back(f->placement->device(s, *f->parts, id));
            });
            const auto meet = [](const Box& a, const Box& b) {
                return a.low.x < b.high.x && b.low.x < a.high.x && a.low.y < b.high.y && b.low.y < a.high.y && a.low.z < b.high.z &&
                       b.low.z < a.high.z;
            };
            QVERIFY(!busways.empty());
            for (const auto& [hall, boxes] : busways)
                for (std::size_t i = 0; i < boxes.size(); ++i) {
                    for (std::size_t j = 0; j < i; ++j) QVERIFY(!meet(boxes[i], boxes[j]));
                    for (const Box& other : others[hall]) QVERIFY(!meet(boxes[i], other));
                }
        }
    }

    void busesMoveWithTheirRow()
    {
        Document document(made(shipped("hpn"), {{"segments", "1"}}));
        const auto before = *computeFigures(document.snapshot());
        const Snapshot& s = *document.snapshot();
        Maybe<DeviceId> busway;
        s.devices.forEach([&](DeviceId id) {
            if (!busway && s.tiers.key[s.devices.tier[id]] == "busway") busway = id;
        });
        QVERIFY(busway && s.devices.row[*busway] && hallOf(s, *busway));
        const Box was = before->placement->device(s, *before->parts, *busway);
        QVERIFY(was.low.z > 2000); // overhead
        auto t = document.begin("move");
        QVERIFY(edit::moveEntity(t, ref(*s.devices.row[*busway]), 600, -300));
        t.commit();
        const auto after = *computeFigures(document.snapshot());
        const Box is = after->placement->device(*document.snapshot(), *after->parts, *busway);
        QCOMPARE(is.low.x - was.low.x, 600);
        QCOMPARE(is.low.y - was.low.y, -300);
        QCOMPARE(is.high.z, was.high.z);
    }

    /// What the template leaves out is left out, and what has a way in keeps it.
    void partsCanBeLeftOut()
    {
        const std::string base = "template: t\nextends: rail-optimised-2\n";
        const auto tiers = [&](const std::string& layout) {
            const auto design = Template::parse(base + "layout: {" + layout + "}\n", "t.yaml", HW_RESOURCES "/templates");
            if (!design) qFatal("%s", design.error().text().c_str());
            return byTier(*made(*design));
        };
        auto none = tiers("ups: none, generator: none");
        QVERIFY(none["ups"] == 0 && none["ups_board"] == 0 && none["generator"] == 0 && none["switchboard"] > 0 && none["utility"] == 2);
        auto bare = tiers("transformer: none");
        QVERIFY(bare["switchboard"] == 0 && bare["utility"] == 0 && bare["busway"] > 0);
    }

    void linesDoNotOverlap()
    {
        std::vector<layout::Footprint> things;
        for (int i = 0; i < 40; ++i) things.push_back({500 + i * 37 % 4000, 300 + i * 91 % 2000});
        const auto [places, depth] = layout::inLines(things, 9000, 300, 1500);
        QCOMPARE(places.size(), things.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            QVERIFY(places[i].x >= 300 && places[i].x + things[i].width <= 9000 && places[i].y + things[i].depth + 1500 <= depth);
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(places[i].x + things[i].width <= places[j].x || places[j].x + things[j].width <= places[i].x ||
                        places[i].y >= places[j].y + things[j].depth + 1500 || places[j].y >= places[i].y + things[i].depth + 1500);
        }
    }
};

QTEST_GUILESS_MAIN(TestPlant)
#include "test_plant.moc"
