// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/failure_domains.h"
#include "core/derived/figures/figures.h"
#include "core/derived/topology/nic_ports.h"
#include "core/design/template/template.h"
#include "tests/figures/panel_hall.h"
#include "tests/figures/random_edits.h"

#include <QTest>

#include <set>

using namespace hw;

namespace {

/// Every cable of a link, by the tables alone: its first and those of its runs.
std::vector<std::uint32_t> pairsOfLink(const Figures& f, LinkId link)
{
    const Snapshot& s = *f.snapshot;
    std::vector<std::uint32_t> pairs{f.routing->pairOfLink(link)};
    s.runs.forEach([&](RunId run) {
        if (s.runs.link[run] == link) pairs.push_back(f.routing->pairOfRun(run));
    });
    std::erase(pairs, Routing::kNoPair);
    return pairs;
}

std::set<TrayId> traysByHand(const Figures& f, LinkId link)
{
    std::set<TrayId> trays;
    for (const std::uint32_t pair : pairsOfLink(f, link))
        for (const std::uint32_t section : f.routing->sectionsOf(pair))
            if (const auto tray = f.routing->sections()[section].tray) trays.insert(*tray);
    return trays;
}

/// What differs from a look at every link; empty where nothing does.
QString compareAll(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    const auto& domains = f.get<FailureDomainsNode>();
    std::map<TrayId, std::vector<LinkId>> through;
    std::map<DeviceId, std::vector<LinkId>> over;
    for (const LinkId link : s.links.ids()) {
        const auto wanted = traysByHand(f, link);
        const auto found = domains.traysOf(link);
        if (!std::ranges::equal(found, wanted)) return QString("trays of link %1").arg(link.value);
        for (const TrayId tray : wanted) through[tray].push_back(link);
        std::vector<DeviceId> panels;
        s.runs.forEach([&](RunId run) {
            if (s.runs.link[run] == link) panels.push_back(s.runs.panel[run]);
        });
        std::ranges::sort(panels);
        if (domains.panelsOf(s, link) != panels) return QString("panels of link %1").arg(link.value);
        for (const DeviceId panel : std::set(panels.begin(), panels.end())) over[panel].push_back(link);
    }
    for (const TrayId tray : s.trays.ids())
        if (domains.linksThrough(tray) != through[tray]) return QString("links through tray %1").arg(tray.value);
    for (const DeviceId device : s.devices.ids())
        if (domains.linksOver(s, device) != over[device]) return QString("links over panel %1").arg(device.value);
    return {};
}

} // namespace

class TestFailureDomains : public QObject {
    Q_OBJECT

private slots:
    void alikeByHand_data();
    void alikeByHand();
    void aPanelTakesBothItsTrays();
    void feedersAlikeByHand();
    void cardsAlikeByHand();
};

void TestFailureDomains::alikeByHand_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 0; seed < 6; ++seed) QTest::newRow(qPrintable(QString::number(seed))) << seed;
}

void TestFailureDomains::alikeByHand()
{
    QFETCH(unsigned, seed);
    Snapshot site = test::randomSite(seed);
    unsigned state = seed;
    for (int i = 0; i < 12; ++i) {
        test::editAtRandom(site, state);
        const auto f = figuresOf(std::make_shared<const Snapshot>(site)).value();
        QCOMPARE(compareAll(*f), QString());
    }
}

/// Links over panels in two racks: a cord in either, a trunk through the tray between them.
void TestFailureDomains::aPanelTakesBothItsTrays()
{
    test::PanelHall h(3);
    const LinkId straight = h.link(0);
    QVERIFY(h.lead().links == 3);
    h.cables.push_back(h.join(h.lower, h.upper)); // one that goes over none
    const auto f = h.figures();
    QCOMPARE(compareAll(*f), QString());
    const auto& domains = f->get<FailureDomainsNode>();
    QCOMPARE(domains.linksThrough(h.tray).size(), std::size_t(4));
    const auto panels = domains.panelsOf(h.s, straight);
    QCOMPARE(panels.size(), std::size_t(2));
    for (const DeviceId panel : panels) QCOMPARE(domains.linksOver(h.s, panel).size(), std::size_t(3));
    QVERIFY(domains.linksOver(h.s, h.lower).empty());
}

void TestFailureDomains::feedersAlikeByHand()
{
    std::size_t inTrays = 0;
    for (unsigned seed = 0; seed < 12; ++seed) {
        const auto f = figuresOf(std::make_shared<const Snapshot>(test::randomSite(seed))).value();
        const auto& supply = f->get<SupplyNode>();
        std::map<TrayId, std::set<LinkId>> wanted;
        for (const SupplyLine& line : supply.lines())
            for (const std::uint32_t section : supply.sectionsOf(line))
                if (const auto tray = supply.routing(line.medium).sections()[section].tray) wanted[*tray].insert(line.link), ++inTrays;
        for (const TrayId tray : f->snapshot->trays.ids()) QVERIFY(std::ranges::equal(f->get<FeederDomainsNode>().linksThrough(tray), wanted[tray]));
    }
    QVERIFY(inTrays > 0); // else nothing was looked at
}

/// Every link between a host and a switch once, in order, with a card of that host; none within a machine of several hosts.
void TestFailureDomains::cardsAlikeByHand()
{
    const auto catalog = Catalog::load(HW_RESOURCES "/catalog").value();
    for (const char* name : {"hpn", "nvl72", "fat-tree-2"}) {
        const auto design = Template::load(HW_RESOURCES "/templates/" + std::string(name) + ".yaml").value();
        ParameterValues values;
        for (const auto& parameter : design.parameters())
            if (parameter.name == "pods" || parameter.name == "segments") values[parameter.name] = 1;
        const auto made = instantiate(design, values, catalog);
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        const auto f = figuresOf(*made).value();
        const Snapshot& s = *f->snapshot;
        const auto kindAt = [&](PortId port) { return s.tiers.kind[s.devices.tier[s.ports.device[port]]]; };
        std::set<LinkId> wanted;
        s.links.forEach([&](LinkId link) {
            const PortId a = s.links.from[link], b = s.links.to[link];
            const std::set ends{kindAt(a), kindAt(b)};
            const auto network = s.ports.network[a];
            if (s.ports.medium[a] != Medium::Data || (network && s.networks.kind[*network] == NetworkKind::ScaleUp)) return;
            if (ends == std::set{TierKind::Server, TierKind::Switch}) wanted.insert(link);
        });
        QVERIFY(!wanted.empty());
        const auto& links = f->get<NicLinksNode>();
        QVERIFY(std::ranges::is_sorted(links, {}, [](const CardLink& l) { return std::tuple(l.card, l.upper, l.link); }));
        std::map<std::uint64_t, std::string> cards;
        for (const CardLink& l : links) {
            QVERIFY(wanted.erase(l.link) == 1);
            const PortId from = s.links.from[l.link], to = s.links.to[l.link];
            const PortId own = kindAt(from) == TierKind::Server ? from : to, other = own == from ? to : from;
            QVERIFY(l.host() == s.ports.device[own] && l.upper == s.ports.device[other]);
            const auto& interfaces = f->parts->device(s.devices.type[l.host()]).interfaces;
            const auto card = std::string(cardOf(interfaces[std::size_t(s.cages.number[s.ports.cage[own]])].name));
            QCOMPARE(cards.try_emplace(l.card, card).first->second, card); // ports of one card have its name
        }
        QVERIFY(wanted.empty());
    }
}

QTEST_APPLESS_MAIN(TestFailureDomains)
#include "test_failure_domains.moc"
