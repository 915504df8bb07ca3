// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/topology/design_index.h"
#include "core/derived/topology/holding.h"
#include "core/derived/topology/medium_graph.h"
#include "core/derived/topology/nic_ports.h"
#include "core/derived/topology/port_links.h"
#include "core/foundation/catalog/catalog.h"

#include <QTest>

using namespace hw;

namespace {

/// Devices without a place, joined by links of one medium.
struct Plugged {
    Snapshot s;
    DeviceId add() { return s.devices.insert(); }
    PortId port(DeviceId device, Medium medium)
    {
        const PortId id = s.ports.insert();
        s.ports.device.set(id, device);
        s.ports.medium.set(id, medium);
        return id;
    }
    LinkId link(DeviceId from, DeviceId to, Medium medium)
    {
        const PortId a = port(from, medium), b = port(to, medium);
        const LinkId id = s.links.insert();
        s.links.from.set(id, a), s.links.to.set(id, b);
        return id;
    }
};

} // namespace

class TestTopology : public QObject {
    Q_OBJECT

private slots:
    void cardNames_data();
    void cardNames();
    void cardsOfADevice();
    void whatIsPluggedWhere();
    void graphsOfMedia();
    void linksOfNetworks();
    void whatHoldsWhat();
};

void TestTopology::cardNames_data()
{
    QTest::addColumn<QString>("interface");
    QTest::addColumn<QString>("card");
    for (const auto& [interface, card] : std::vector<std::pair<const char*, const char*>>{{"nic3p2", "nic3"},
                                                                                          {"nic12p10", "nic12"},
                                                                                          {"fe1p1", "fe1"},
                                                                                          {"nic3", "nic3"},
                                                                                          {"p2", ""},
                                                                                          {"swp1", "swp1"},
                                                                                          {"nic1p2b", "nic1p2b"},
                                                                                          {"12", "12"},
                                                                                          {"", ""}})
        QTest::newRow(interface) << interface << card;
}

void TestTopology::cardNames()
{
    QFETCH(QString, interface);
    const std::string name = interface.toStdString();
    QTEST(QString::fromStdString(std::string(cardOf(name))), "card");
}

void TestTopology::cardsOfADevice()
{
    DeviceSpec spec;
    for (const char* name : {"nic1p1", "nic1p2", "bmc", "nic2p1", "nic1p3"}) spec.interfaces.emplace_back().name = name;
    const Cards cards = Cards::of(spec);
    QCOMPARE(cards.ofInterface, (std::vector<std::uint16_t>{0, 0, 1, 2, 0}));
    QCOMPARE(cards.names, (std::vector<std::string>{"nic1", "bmc", "nic2"}));
}

void TestTopology::whatIsPluggedWhere()
{
    Plugged d;
    const DeviceId a = d.add(), b = d.add(), c = d.add();
    const LinkId first = d.link(a, b, Medium::Data), second = d.link(a, c, Medium::Data);
    const PortId free = d.port(c, Medium::Data);
    const auto index = DesignIndex::compute(d.s);
    QCOMPARE(index->portsOfDevice[a.value].size(), std::size_t(2));
    QVERIFY(*index->linkOf(d.s.links.from[first]) == first && *index->linkOf(d.s.links.to[second]) == second);
    QVERIFY(!index->linkOf(free) && !index->linkOf(PortId(999)));
    QVERIFY(*index->peerOf(d.s, d.s.links.from[second]) == d.s.links.to[second]);
    QVERIFY(*index->peerOf(d.s, d.s.links.to[second]) == d.s.links.from[second]);
    QCOMPARE(index->portUse(c).total, 2);
    QCOMPARE(index->portUse(c).used, 1);
    d.s.links.erase(second);
    const auto without = DesignIndex::compute(d.s);
    QVERIFY(!without->linkOf(d.s.ports.ids()[2]));
    QVERIFY(!(*without == *index));
}

void TestTopology::linksOfNetworks()
{
    Plugged d;
    const NetworkId backend = d.s.networks.insert(), storage = d.s.networks.insert();
    const DeviceId a = d.add(), b = d.add();
    const LinkId inside = d.link(a, b, Medium::Data), across = d.link(a, b, Medium::Data), power = d.link(a, b, Medium::Power);
    for (const PortId port : {d.s.links.from[inside], d.s.links.to[inside], d.s.links.from[across], d.s.links.from[power]})
        d.s.ports.network.set(port, backend);
    d.s.ports.network.set(d.s.links.to[across], storage);
    std::vector<LinkId> found;
    eachDataLink(d.s, backend, [&](LinkId link, PortId from, PortId to) {
        QVERIFY(d.s.links.from[link] == from && d.s.links.to[link] == to);
        found.push_back(link);
    });
    QCOMPARE(found, (std::vector<LinkId>{inside, across})); // of the network of the lower port
    eachDataLink(d.s, storage, [&](LinkId, PortId, PortId) { QFAIL("the link is of the other network"); });
    const auto lists = linksByNetwork(d.s); // here of both
    QCOMPARE(lists[backend.value].size(), std::size_t(2));
    QCOMPARE(lists[storage.value].size(), std::size_t(1));
    QVERIFY(lists[storage.value][0].link == across);
    for (const PortId port : d.s.ports.ids())
        QVERIFY(linkInPort(d.s, port) == DesignIndex::compute(d.s)->linkOf(port) && linksByPort(d.s)[port.value] == (*linkInPort(d.s, port)).value);
}

/// A hall with a row of one rack with a device that is linked to one that stands free in the hall, over one cable.
void TestTopology::whatHoldsWhat()
{
    Plugged d;
    Snapshot& s = d.s;
    const HallId hall = s.halls.insert();
    s.halls.building.set(hall, s.buildings.insert());
    const RowId row = s.rows.insert(), bare = s.rows.insert();
    s.rows.hall.set(row, hall), s.rows.hall.set(bare, hall);
    const RackId rack = s.racks.insert();
    s.racks.row.set(rack, row);
    const DeviceId inside = d.add(), standing = d.add(), nowhere = d.add();
    s.devices.rack.set(inside, rack);
    s.devices.hall.set(standing, hall);
    const LinkId link = d.link(inside, standing, Medium::Data), other = d.link(standing, nowhere, Medium::Data);
    const PortId low = s.links.from[link], high = s.links.to[link];
    for (const PortId port : s.ports.ids()) {
        const CageId cage = s.cages.insert();
        s.cages.device.set(cage, s.ports.device[port]);
        s.ports.cage.set(port, cage);
    }
    const CableId cable = s.cables.insert();
    s.links.cable.set(link, cable);

    QVERIFY(holderOf(s, ref(low)) == ref(s.ports.cage[low]) && !holderOf(s, ref(nowhere)) && !holderOf(s, {}));
    QVERIFY(deviceOf(s, ref(low)) == inside && deviceOf(s, ref(s.ports.cage[high])) == standing && deviceOf(s, ref(link)) == inside);
    QVERIFY(!deviceOf(s, ref(rack)) && !deviceOf(s, ref(cable)) && !deviceOf(s, ref(DeviceId(999))));
    QVERIFY(heldBy(s, ref(low), EntityKind::Hall) == ref(hall) && heldBy(s, ref(rack), EntityKind::Rack) == ref(rack));
    QVERIFY(!heldBy(s, ref(nowhere), EntityKind::Hall) && !heldBy(s, ref(hall), EntityKind::Rack));
    QVERIFY(cableOf(s, ref(link)) == cable && cableOf(s, ref(cable)) == cable && !cableOf(s, ref(other)) && !cableOf(s, ref(low)));

    const auto index = DesignIndex::compute(s);
    const auto at = [&](EntityRef e) { return linksAt(s, *index, e); };
    const std::vector<LinkId> one{link}, both{link, other}, none;
    for (const EntityRef e : {ref(inside), ref(rack), ref(row), ref(low), ref(high), ref(s.ports.cage[low]), ref(link), ref(cable)})
        QCOMPARE(at(e), one);
    for (const EntityRef e : {ref(standing), ref(hall), ref(s.halls.building[hall])}) QCOMPARE(at(e), both);
    for (const EntityRef e : {ref(bare), EntityRef{}, ref(LinkId(99)), ref(s.networks.insert())}) QCOMPARE(at(e), none);
    const auto in = [&](EntityRef e) { return devicesIn(s, *index, e); };
    QCOMPARE(in(ref(rack)), std::vector{inside});
    QCOMPARE(in(ref(row)), std::vector{inside});
    QCOMPARE(in(ref(hall)), (std::vector{inside, standing}));
    QCOMPARE(in(ref(s.halls.building[hall])), (std::vector{inside, standing}));
    QCOMPARE(in(ref(nowhere)), std::vector{nowhere});
    for (const EntityRef e : {ref(bare), EntityRef{}, ref(link), ref(RackId(99))}) QVERIFY(in(e).empty());
    const TrayId overRow = s.trays.insert(), overHall = s.trays.insert();
    s.trays.row.set(overRow, bare);
    s.trays.hall.set(overHall, hall);
    QCOMPARE(traysIn(s, ref(bare)), std::vector{overRow});
    QCOMPARE(traysIn(s, ref(hall)), (std::vector{overRow, overHall}));
    QVERIFY(traysIn(s, ref(row)).empty() && traysIn(s, ref(rack)).empty());
    const RunId run = s.runs.insert(); // the other link goes over the cable as well
    s.runs.link.set(run, other);
    s.runs.cable.set(run, cable);
    QCOMPARE(at(ref(cable)), both);
}

void TestTopology::graphsOfMedia()
{
    Plugged d;
    const DeviceId rack = d.add(), busway = d.add(), spare = d.add();
    const LinkId feed = d.link(rack, busway, Medium::Power), second = d.link(rack, spare, Medium::Power);
    (void)d.link(rack, busway, Medium::Data);
    const auto graph = MediumGraph::compute(d.s, Medium::Power);
    QCOMPARE(graph->arcCount(), std::size_t(4));
    QCOMPARE(graph->arcs(rack).size(), std::size_t(2));
    QVERIFY(graph->arcs(rack)[0] == (MediumGraph::Arc{busway, feed, true}) && graph->arcs(rack)[1] == (MediumGraph::Arc{spare, second, true}));
    QVERIFY(graph->arcs(busway)[0] == (MediumGraph::Arc{rack, feed, false}));
    QCOMPARE(MediumGraph::compute(d.s, Medium::Coolant)->arcCount(), std::size_t(0));
}

QTEST_APPLESS_MAIN(TestTopology)
#include "test_topology.moc"
