// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/headroom/headroom.h"
#include "core/derived/headroom/supply.h"
#include "core/design/template/template.h"
#include "tests/rules/small_design.h"

#include <QtTest>

using namespace hw;

/// What still fits, against sums by hand. A host draws 2 kW, is 2 U high, weighs 30 kg and has one port on each of four ToRs; a rack bears
/// 10 kW, 12 U and 200 kg, and two hosts stand in the first one.
class TestHeadroom : public QObject {
    Q_OBJECT

    static void addPorts(SmallDesign& d, int each)
    {
        for (const auto& rail : d.tors)
            for (const DeviceId tor : rail)
                for (int n = 0; n < each; ++n) {
                    const PortId port = d.s.ports.insert();
                    d.s.ports.device.set(port, tor);
                    d.s.ports.cage.set(port, d.s.cages.ids().front());
                    d.s.ports.network.set(port, d.network);
                    d.s.ports.rate.set(port, Gbps(200));
                    d.s.ports.role.set(port, PortRole::Down);
                    d.s.ports.medium.set(port, Medium::Data);
                }
    }
    static const PlaceSpare& row(const Headroom& h, RowId id) { return *std::ranges::find(h.rows, ref(id), &PlaceSpare::entity); }
    static std::int64_t alone(const PlaceSpare& place, Resource r) { return place.alone[std::size_t(r)].value_or(-1); }

private slots:
    void aServerIsOfTheDesign()
    {
        const SmallDesign d;
        const Headroom h = headroomOf(*d.figures());
        QCOMPARE(h.server, std::optional(d.part("host")));
        QCOMPARE(h.serverPower, watts(2000));
        QCOMPARE(h.serverUnits, 2);
        QCOMPARE(h.serverPorts, std::int64_t(4));
        QCOMPARE(h.serverWeight, Grams(30'000));
    }

    void rackHasWhatItsContentsLeave()
    {
        const SmallDesign d;
        const Headroom h = headroomOf(*d.figures());
        const RackSpare& rack = h.racks[d.racks[0].value];
        QCOMPARE(rack.power, std::optional(watts(6000)));
        QCOMPARE(rack.units, 8);
        QCOMPARE(rack.servers, 4);
        QCOMPARE(rack.weight, std::optional(Grams(140'000)));
    }

    void whatRunsOutFirst()
    {
        SmallDesign d;
        addPorts(d, 2);
        auto figures = d.figures();
        const auto inSecond = (watts(10'000) - figures->power->rack(d.racks[1]).at(PowerBasis::Design)).count() / 2'000'000;
        PlaceSpare place = row(headroomOf(*figures), d.rows[0]);
        QCOMPARE(place.ports, std::int64_t(8));
        QCOMPARE(alone(place, Resource::Ports), std::int64_t(2)); // one port of each of the four switches a server
        QCOMPARE(alone(place, Resource::Power), 3 + inSecond);
        QCOMPARE(place.servers, std::int64_t(2));
        QCOMPARE(place.limit, std::optional(Resource::Ports));
        addPorts(d, 98);
        place = row(headroomOf(*d.figures()), d.rows[0]);
        QCOMPARE(place.servers, std::min({alone(place, Resource::Power), alone(place, Resource::Units), alone(place, Resource::Weight)}));
        QCOMPARE(alone(place, Resource::Ports), std::int64_t(100));
        QCOMPARE(place.limit, std::optional(Resource::Power));
    }

    void freeUnitsThatAreApartTakeNoServer()
    {
        SmallDesign d;
        addPorts(d, 20);
        for (int u = 6; u <= 12; u += 2) d.addDevice("blind" + std::to_string(u), d.aggTier, "switch", d.racks[0], u); // 5, 7, 9, 11 stay free
        const Headroom h = headroomOf(*d.figures());
        QCOMPARE(h.racks[d.racks[0].value].units, 4);
        QCOMPARE(h.racks[d.racks[0].value].servers, 0);
    }

    void limitOfTheBuildingIsShared()
    {
        SmallDesign d;
        addPorts(d, 100);
        const auto load = d.figures()->power->building(d.building).at(PowerBasis::Design);
        d.s.buildings.itLimit.set(d.building, load + watts(5000));
        Headroom h = headroomOf(*d.figures());
        QCOMPARE(h.halls.front().power, std::optional(watts(5000)));
        QCOMPARE(h.halls.front().servers, std::int64_t(2));
        QCOMPARE(h.halls.front().limit, std::optional(Resource::Power));
        QCOMPARE(h.stranded(h.halls.front(), Resource::Power), 1.0);
        d.s.buildings.itLimit.set(d.building, load - watts(1));
        h = headroomOf(*d.figures());
        QCOMPARE(h.halls.front().power, std::optional(Milliwatts()));
        QCOMPARE(h.halls.front().servers, std::int64_t(0));
    }

    /// Trays of an NVL72 share an NVLink domain: its racks are complete, others take no tray, and an empty rack takes the 18 of a domain.
    void wholeRacksOfARackScaleSystem()
    {
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog").value();
        const auto design = Template::load(HW_RESOURCES "/templates/nvl72.yaml").value();
        Snapshot s =
            *instantiate(design, design.complete(std::map<std::string, std::string>{{"segments", "1"}, {"networks", "backend"}}).value(), catalog)
                 .value();
        const RackId first = s.racks.ids().front(), more = s.racks.insert();
        s.racks.row.set(more, s.racks.row[first]), s.racks.type.set(more, s.racks.type[first]);
        const Headroom h = headroomOf(*computeFigures(std::make_shared<const Snapshot>(s)).value());
        QCOMPARE(h.serversPerRack, std::int64_t(18));
        QCOMPARE(h.racks[more.value].servers, 18);
        s.racks.forEach([&](RackId id) { QVERIFY(id == more || h.racks[id.value].servers == 0); });
        for (const auto& hall : h.halls) {
            QCOMPARE(hall.servers, std::int64_t(0)); // the empty rack has no feed
            QCOMPARE(alone(hall, Resource::Units), std::int64_t(18));
        }
    }

    /// A pod with A and B: either side carries all of a rack, and what a rack may draw more is never more than any element upstream has.
    void feedsOfAPod()
    {
        const auto catalog = Catalog::load(HW_RESOURCES "/catalog").value();
        const auto design = Template::load(HW_RESOURCES "/templates/hpn.yaml").value();
        const auto snapshot = instantiate(design, design.complete(std::map<std::string, std::string>{{"segments", "2"}}).value(), catalog).value();
        const auto figures = computeFigures(snapshot).value();
        const PowerSupply supply = PowerSupply::of(*figures, PowerBasis::Design);
        const Headroom h = headroomOf(*figures);
        const PowerFeeds& feeds = figures->get<PowerFeedsNode>();
        int fed = 0;
        snapshot->racks.forEach([&](RackId id) {
            const auto& parts = supply.ofRack[id.value];
            if (parts.empty()) {
                QCOMPARE(h.racks[id.value].power, std::optional(Milliwatts())); // nothing can be drawn where nothing feeds
                return;
            }
            ++fed;
            int a = 0, b = 0;
            for (const auto& part : parts) {
                QVERIFY(part.share > 0 && part.share <= 1);
                a += feeds.side(part.element) == 'A', b += feeds.side(part.element) == 'B';
                if (supply.spareMw[part.element.value] < PowerSupply::kUnlimited)
                    QVERIFY(double(h.racks[id.value].power->count()) * part.share <=
                            double(std::max<std::int64_t>(0, supply.spareMw[part.element.value])) + 1);
            }
            QVERIFY(a > 0 && a == b);
        });
        QVERIFY(fed > 100);
        for (const auto& place : h.rows) { // a row alone never has less than its racks share, nor more
            std::int64_t sum = 0;
            snapshot->racks.forEach([&](RackId id) {
                if (ref(snapshot->racks.row[id]) == place.entity) sum += h.racks[id.value].power->count();
            });
            QVERIFY(place.power->count() <= sum);
            QVERIFY(place.servers <= place.units / h.serverUnits);
        }
    }
};

QTEST_APPLESS_MAIN(TestHeadroom)
#include "test_headroom.moc"
