// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/figures.h"
#include "core/derived/rules/check.h"
#include "core/design/count/count.h"
#include "core/design/template/template.h"
#include "core/output/exchange/bom.h"
#include "core/output/exchange/cable_schedule.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace hw;

namespace {

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    if (!loaded) qFatal("%s", loaded.error().text().c_str());
    return *loaded;
}

const std::vector<Template>& shipped()
{
    static const auto loaded = loadTemplates(HW_RESOURCES "/templates");
    if (!loaded) qFatal("%s", loaded.error().text().c_str());
    return *loaded;
}

FiguresPtr figuresOf(const Template& design, const std::map<std::string, std::string>& values)
{
    const auto complete = design.complete(values);
    if (!complete) qFatal("%s", complete.error().text().c_str());
    const auto made = instantiate(design, *complete, catalog());
    if (!made) qFatal("%s", made.error().text().c_str());
    const auto figures = computeFigures(*made);
    if (!figures) qFatal("%s", figures.error().text().c_str());
    return *figures;
}

FiguresPtr figuresOf(const std::string& name, const std::map<std::string, std::string>& values)
{
    for (const auto& design : shipped())
        if (design.name() == name) return figuresOf(design, values);
    qFatal("no template %s", name.c_str());
}

FiguresPtr figuresOfText(const std::string& yaml)
{
    const auto design = Template::parse(yaml, "t.yaml");
    if (!design) qFatal("%s", design.error().text().c_str());
    return figuresOf(*design, {});
}

std::map<std::string, std::int64_t> quantities(const Bom& bom, Bom::Group group)
{
    std::map<std::string, std::int64_t> result;
    for (const auto& line : bom.lines)
        if (line.group == group) result[line.part] += line.quantity;
    return result;
}

/// Of data: what carries power or coolant is another trade's.
std::map<std::string, std::int64_t> dataCables(const Figures& f)
{
    std::map<std::string, std::int64_t> result;
    for (const auto& [key, n] : f.cabling->physicalByTypeLength()) result[(*f.parts)[key.type].slug] = 0;
    for (const auto& [slug, n] : quantities(makeBom(f), Bom::Group::Cables))
        if (result.contains(slug)) result[slug] = n;
    return result;
}

/// Transceivers by rate in Gb/s.
std::map<int, std::int64_t> modulesByRate(const FiguresPtr& figures)
{
    std::map<int, std::int64_t> result;
    for (const auto& [type, n] : figures->cabling->transceivers()) result[figures->parts->transceiver(type).rate.count()] += n;
    return result;
}

std::vector<Finding> errorsOf(const FiguresPtr& figures, const std::string& rule)
{
    const auto result = check(*figures, {});
    std::vector<Finding> found;
    for (const auto& f : result->findings)
        if (f.severity == Severity::Error && f.rule == rule) found.push_back(f);
    return found;
}

const Interface& interfaceOf(const Figures& f, CageId cage)
{
    const auto& s = *f.snapshot;
    return f.parts->device(s.devices.type[s.cages.device[cage]]).interfaces.at(s.cages.number[cage]);
}

/// What a person would count with the cables in their hands: sockets and their modules, connectors and their
/// cables, ends of every assembly. Independent of how the program groups links.
struct Recount {
    using Socket = std::pair<DeviceId, std::uint16_t>;
    using Connector = std::tuple<DeviceId, std::uint16_t, std::uint16_t, int>; ///< device, socket, interface, number
    std::map<Socket, std::set<PartTypeId>> modules;
    std::map<Connector, std::set<CableId>> cablesOf;
    std::map<CableId, std::array<std::set<Connector>, 2>> ends;
    std::int64_t bare = 0; ///< links without a cable

    explicit Recount(const Figures& f)
    {
        const auto& s = *f.snapshot;
        s.links.forEach([&](LinkId link) {
            if (s.ports.medium[s.links.from[link]] != Medium::Data) return;
            const auto cable = s.links.cable[link];
            if (!cable || !(*f.cabling)[*cable].type) {
                ++bare;
                return;
            }
            for (const bool lower : {true, false}) {
                const PortId port = lower ? s.links.from[link] : s.links.to[link];
                const CageId cage = s.ports.cage[port];
                const auto& interface = interfaceOf(f, cage);
                const DeviceId device = s.cages.device[cage];
                const auto module = f.cabling->moduleAt(link, *cable, lower);
                int number = 0;
                if (!module) number = s.ports.lane[port]; // copper: its legs
                if (module) {
                    modules[{device, interface.socket}].insert(*module);
                    const int own = f.parts->transceiver(*module).connectors / interface.perSocket();
                    number = s.ports.lane[port] * own / std::max<int>(1, s.cages.split[cage]);
                }
                const Connector connector{device, interface.socket, s.cages.number[cage], number};
                cablesOf[connector].insert(*cable);
                ends[*cable][lower != f.cabling->isFlipped(link) ? 0 : 1].insert(connector);
            }
        });
    }
};

/// Two tiers of switches and servers under them, by hand: `down` and `up` are port groups of the leaf.
std::string twoTiers(const std::string& server, const std::string& host, const std::string& leaf, const std::string& down, const std::string& up,
                     const std::string& spineDown, const std::string& links, const std::string& rest = {})
{
    return fmt::format(
        "template: t\nnetworks:\n  net: {{}}\n"
        "tiers:\n"
        "  server: {{kind: server, each: {{h: 4}}, name: \"h{{h}}\", type: {}, ports: {{host: {{interfaces: nic, {}, network: net}}}}}}\n"
        "  leaf: {{network: net, level: 1, each: {{l: 2}}, name: \"l{{l}}\", type: {}, ports: {{down: {{{}}}, up: {{{}}}}}}}\n"
        "  spine: {{network: net, level: 2, each: {{s: 2}}, name: \"s{{s}}\", type: {}, ports: {{down: {{{}}}}}}}\n"
        "links:\n{}{}",
        server, host, leaf, down, up, leaf, spineDown, links, rest);
}

} // namespace

class AssembliesTest : public QObject {
    Q_OBJECT
private slots:
    /// Every shipped template: each socket holds one module, each connector one cable, each cable has the ends of
    /// its part, the bill is what was counted, and no link is without.
    void whole_data()
    {
        QTest::addColumn<int>("number");
        for (std::size_t i = 0; i < shipped().size(); ++i) QTest::newRow(shipped()[i].name().c_str()) << int(i);
    }
    void whole()
    {
        QFETCH(int, number);
        const Template& design = shipped()[std::size_t(number)];
        std::map<std::string, std::string> values;
        const auto offers = [&](const char* name) { return std::ranges::any_of(design.parameters(), [&](const auto& p) { return p.name == name; }); };
        const auto small = [&](const char* name, const char* value) {
            for (const auto& p : design.parameters())
                if (p.name == name && p.minimum <= std::atoi(value) && p.defaultValue > std::atoi(value)) values[name] = value;
        };
        small("pods", "2");
        small("tpu_pods", "20");
        if (offers("pods")) small("segments", "2");
        small("last_segments", "0"); // as many as the others
        const auto figures = figuresOf(design, values);
        verify(*figures);
        const Recount counted(*figures);
        QCOMPARE(counted.bare, std::int64_t(0));
        QVERIFY(makeBom(*figures).leftOut.empty());
    }

private:
    /// How many physical cables of the schedule have so many links.
    static std::map<std::size_t, int> scheduled(const Figures& f)
    {
        std::map<std::uint32_t, std::size_t> links;
        const CableSchedule schedule(f);
        CableRow row;
        for (const LinkId link : schedule.links()) {
            schedule.read(link, row);
            ++links[(*row.cable).value];
        }
        std::map<std::size_t, int> result;
        for (const auto& [cable, n] : links) ++result[n];
        return result;
    }

    static void verify(const Figures& f)
    {
        const Recount counted(f);
        std::map<PartTypeId, std::int64_t> modules;
        for (const auto& [socket, types] : counted.modules) {
            QCOMPARE(types.size(), std::size_t(1));
            ++modules[*types.begin()];
        }
        QVERIFY(modules == f.cabling->transceivers());
        for (const auto& [connector, cables] : counted.cablesOf) QCOMPARE(cables.size(), std::size_t(1));
        std::map<std::string, std::int64_t> cables;
        for (const auto& [cable, ends] : counted.ends) {
            const auto type = *(*f.cabling)[cable].type;
            const auto& part = f.parts->cable(type);
            const auto [few, many] = std::minmax({ends[0].size(), ends[1].size()});
            QVERIFY2(few >= 1 && many <= std::size_t(part.legs) && few <= std::size_t(part.trunks),
                     fmt::format("cable {} with {} and {} ends is a {}", cable.value, ends[0].size(), ends[1].size(), (*f.parts)[type].slug).c_str());
            if (!(*f.cabling)[cable].partOf) ++cables[(*f.parts)[type].slug];
        }
        QVERIFY(cables == dataCables(f));
    }

private slots:
    /// NVIDIA DGX SuperPOD, four scalable units of 32 systems under 64 x 400G switches: 1,024 cables to the leaves and
    /// 1,024 to the spines (docs.nvidia.com, component table). A NIC of its own has a 400G module; two ports of a switch
    /// share a module of 800G: N / 2 for the leaves' down ports, N / 2 up, N / 2 for the spines. In DGX systems two NICs share
    /// one, too.
    void superPod_data()
    {
        QTest::addColumn<QByteArray>("server");
        QTest::addColumn<qint64>("single");
        QTest::addColumn<qint64>("twin");
        QTest::newRow("single-port NICs: 1 of 400G and 1.5 of 800G a GPU") << QByteArray("hgx-h100") << qint64(1024) << qint64(1536);
        QTest::newRow("DGX: 2 of 800G a GPU") << QByteArray("hgx-b200") << qint64(0) << qint64(2048);
    }
    void superPod()
    {
        QFETCH(QByteArray, server);
        QFETCH(qint64, single);
        QFETCH(qint64, twin);
        const auto figures = figuresOf("rail-optimized-2", {{"server", server.toStdString()}, {"segments", "4"}, {"networks", "backend"}});
        const auto bom = makeBom(*figures);
        std::int64_t cables = 0;
        for (const auto& [slug, n] : dataCables(*figures)) cables += slug == "nvlink-backplane" ? 0 : n;
        QCOMPARE(cables, std::int64_t(2048));
        auto rates = modulesByRate(figures);
        QCOMPARE(rates[400], std::int64_t(single));
        QCOMPARE(rates[800], std::int64_t(twin));
        QCOMPARE(quantities(bom, Bom::Group::Devices).at("switch-ib-ndr-64x400g"), std::int64_t(32 + 16));
        verify(*figures);
    }

    /// Three tiers: 2.5 modules of 800G for a GPU.
    void threeTiers()
    {
        const auto figures = figuresOf("rail-optimized-3", {{"networks", "backend"}, {"pods", "2"}});
        std::int64_t nics = 0;
        const auto& s = *figures->snapshot;
        s.links.forEach([&](LinkId id) { nics += s.tiers.kind[s.devices.tier[s.ports.device[s.links.from[id]]]] == TierKind::Server; });
        auto rates = modulesByRate(figures);
        QCOMPARE(rates[400], nics);
        QCOMPARE(rates[800] * 2, nics * 5);
        verify(*figures);
    }

    /// Both ends of a link are split in two: two NICs and two leaves meet in one shuffle.
    void multiPlane()
    {
        const auto figures = figuresOf("multi-plane", {{"networks", "backend"}});
        const auto& s = *figures->snapshot;
        std::set<CableId> access;
        std::int64_t links = 0;
        s.links.forEach([&](LinkId id) {
            if (s.linkRules.key[*s.links.rule[id]] != "access") return;
            ++links;
            access.insert(*s.links.cable[id]);
        });
        QVERIFY(links > 0);
        QCOMPARE(std::int64_t(access.size()) * 4, links);
        for (const CableId id : access) {
            const auto& part = figures->parts->cable(*(*figures->cabling)[id].type);
            QCOMPARE(part.trunks, 2);
            QCOMPARE(part.legs, 2);
            QCOMPARE(int((*figures->cabling)[id].links), 4);
        }
        verify(*figures);
    }

    /// An 800G socket split in two has a module with two connectors and a straight cable on each.
    void splitSocketOfTwo()
    {
        const auto figures = figuresOf("rail-optimized-2", {{"switch", "51t-64x800g"}, {"segments", "2"}, {"networks", "backend"}});
        const auto& s = *figures->snapshot;
        s.cables.forEach([&](CableId id) {
            if (s.cables.medium[id] != Medium::Data) return;
            QCOMPARE(int((*figures->cabling)[id].links), 1);
            QCOMPARE(figures->parts->cable(*(*figures->cabling)[id].type).legs, 1);
        });
        verify(*figures);
    }

    /// XDR: lanes of 200G, a module of 1.6T for two ports, one of 800G at the NIC.
    void xdr()
    {
        const auto figures = figuresOfText(twoTiers(
            "hgx-b300-8gpu", "cages: 8", "switch-ib-xdr-144x800g", "cages: 32", "cages: 32", "cages: 64",
            "  a: {from: server.host, to: leaf.down, each: {k: 8}, at: {l: \"mod(h, 2)\"}}\n  b: {from: leaf.up, to: spine.down, spread: true}\n"));
        QVERIFY(figures->get<UncabledNode>().empty());
        const auto modules = quantities(makeBom(*figures), Bom::Group::Transceivers);
        QCOMPARE(modules.at("800g-dr4-rhs"), std::int64_t(32)); // flat tops in the NICs
        QCOMPARE(modules.at("1600g-2xdr4"), std::int64_t(32 / 2 + 64 / 2 + 64 / 2));
        verify(*figures);
    }

    /// What nothing joins is an error with the reason, and the bill says what it leaves out.
    void errors_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QByteArray>("rule");
        QTest::addColumn<QByteArray>("says");
        QTest::addColumn<int>("links");
        const auto access = std::string("  a: {from: server.host, to: leaf.down, each: {k: 8}, at: {l: \"mod(h, 2)\"}}\n");
        const auto row = [](const char* name, const std::string& yaml, const char* rule, const char* says, int links) {
            QTest::newRow(name) << QByteArray::fromStdString(yaml) << QByteArray(rule) << QByteArray(says) << links;
        };
        row("lanes of 200G do not shift down",
            twoTiers("hgx-h100-8gpu", "cages: 8", "switch-ib-xdr-144x800g", "cages: 16, split: 2", "cages: 2", "cages: 4", access), "N3",
            "1310nm-200g-pam4", 32);
        row("no module of the rate in the project",
            twoTiers("hgx-b300-8gpu", "cages: 8", "switch-51t-64x800g", "cages: 16", "cages: 2", "cages: 4", access,
                     "parts: [400g-sr4, mpo12-om4]\n"),
            "N4", "no module in the project fits a 800gbase-x-osfp-rhs cage of 800G", 32);
        row("modules with fins in a NIC",
            twoTiers("hgx-h100-8gpu", "cages: 8", "switch-51t-128x400g", "cages: 16", "cages: 2", "cages: 4", access,
                     "parts: [400g-sr4, mpo12-om4]\n"),
            "N4", "400g-sr4 has an integrated heat sink with fins (IHS)", 32);
        row("flat tops in a switch",
            twoTiers("hgx-h100-8gpu", "cages: 8", "switch-51t-128x400g", "cages: 16", "cages: 2", "cages: 4", access,
                     "parts: [400g-sr4-ns, mpo12-om4]\n"),
            "N4", "has a flat top for a riding heat sink (RHS), but the cage has none; use the variant with fins (IHS)", 32);
        row("a pair of connectors for one port, and no pair of cords",
            twoTiers("hgx-b300-8gpu", "cages: 8", "switch-102t-128x800g", "cages: 16", "cages: 2", "cages: 4", access,
                     "parts: [800g-2xsr4, 800g-2xsr4-rhs, mpo12-om4]\n"),
            "N2", "a straight cable with 2x-mpo-12-apc", 32);
        row("no breakout in the project",
            twoTiers("hpn-host-8gpu", "cages: 8", "switch-51t-128x400g", "cages: 8, split: 2", "cages: 2", "cages: 4", access,
                     "parts: [400g-sr4, 200g-sr2, mpo12-om4]\n"),
            "N2", "a 1:2 breakout with mpo-12-apc", 32);
        row("ports of a socket go to two that share nothing else",
            "template: t\nnetworks:\n  net: {}\ntiers:\n  node: {network: net, level: 1, each: {x: 5}, name: \"n{x}\", type: switch-51t-128x400g, "
            "ports: {peer: {cages: 1, split: 2}}}\n"
            "links:\n  a: {from: node.peer, to: node.peer, at: {x: \"mod(x + 1, 5)\"}, from_index: 0, to_index: 1}\n",
            "N2", "ports as these links require", 5);
    }
    void errors()
    {
        QFETCH(QByteArray, yaml);
        QFETCH(QByteArray, rule);
        QFETCH(QByteArray, says);
        QFETCH(int, links);
        const auto figures = figuresOfText(yaml.toStdString());
        const auto errors = errorsOf(figures, rule.toStdString());
        QCOMPARE(errors.size(), std::size_t(1)); // grouped
        QVERIFY2(QByteArray::fromStdString(words(errors.front().message)).contains(says), words(errors.front().message).c_str());
        QVERIFY2(words(errors.front().message).starts_with(fmt::format("{} links", links)), words(errors.front().message).c_str());
        const auto bom = makeBom(*figures);
        QCOMPARE(bom.leftOut.size(), std::size_t(1));
        QCOMPARE(bom.linksLeftOut(), std::int64_t(links));
        QCOMPARE(bomJson(bom)["left_out"][0]["links"].get<int>(), links);
        QVERIFY(quantities(bom, Bom::Group::Transceivers).empty() && dataCables(*figures).empty());
    }

    /// One connector of a twin-port module goes 20 m, the other 150 m: the module is one, and reaches both.
    void oneModuleForBoth()
    {
        const auto figures = figuresOfText(twoTiers(
            "hgx-h100-8gpu", "cages: 8", "switch-ib-ndr-64x400g", "cages: 16", "cages: 2", "cages: 4",
            "  a: {from: server.host, to: leaf.down, each: {k: 8}, at: {l: \"mod(h, 2)\"}}\n  b: {from: leaf.up, to: spine.down, spread: true}\n",
            "parts: [800g-2xsr4, 800g-2xdr4, 400g-sr4-rhs, 400g-dr4-rhs, mpo12-om4, mpo12-os2]\n"));
        auto s = std::make_shared<Snapshot>(*figures->snapshot);
        s->cables.length.set(*s->links.cable[LinkId(0)], Millimeters(150'000));
        const auto changed = *computeFigures(s);
        verify(*changed);
        const auto module = [&](std::uint32_t link) {
            return (*changed->parts)[*changed->cabling->moduleAt(LinkId(link), *s->links.cable[LinkId(link)], false)].slug;
        };
        QCOMPARE(module(0), std::string("800g-2xdr4"));
        QCOMPARE(module(1), std::string("800g-2xdr4")); // its neighbor in the same socket
        QVERIFY(!(*changed->cabling)[*s->links.cable[LinkId(0)]].reachExceeded);
        const auto before = (*figures->parts)[*figures->cabling->moduleAt(LinkId(1), *s->links.cable[LinkId(1)], false)].slug;
        QCOMPARE(before, std::string("800g-2xsr4"));
    }

    /// A port of 800G that is not divided may use both connectors of a twin-port module: one module at either end, and a
    /// pair of cords that is bought as one. With a module of one connector in the project, the cheaper of the two wins.
    void onePortOverTwoConnectors()
    {
        const std::string links = "  a: {from: server.host, to: leaf.down, each: {k: 8}, at: {l: \"mod(h, 2)\"}}\n";
        const auto with = [&](const char* parts) {
            return figuresOfText(twoTiers("hgx-b300-8gpu", "cages: 8", "switch-102t-128x800g", "cages: 16", "cages: 2", "cages: 4", links, parts));
        };
        const auto pairs = with("parts: [800g-2xsr4, 800g-2xsr4-rhs, mpo12-om4, mpo12-om4-pair]\n");
        QVERIFY(pairs->get<UncabledNode>().empty());
        QCOMPARE(dataCables(*pairs), (std::map<std::string, std::int64_t>{{"mpo12-om4-pair", 32}}));
        const auto modules = quantities(makeBom(*pairs), Bom::Group::Transceivers);
        QCOMPARE(modules, (std::map<std::string, std::int64_t>{{"800g-2xsr4", 32}, {"800g-2xsr4-rhs", 32}}));
        for (const char* rule : {"N2", "N3", "N4", "N5"}) QVERIFY(errorsOf(pairs, rule).empty());
        verify(*pairs);
        const auto single = with("parts: [800g-2xsr4, 800g-2xsr4-rhs, 800g-sr8, 800g-sr8-rhs, mpo12-om4-pair, mpo16-om4]\n");
        QCOMPARE(dataCables(*single), (std::map<std::string, std::int64_t>{{"mpo16-om4", 32}}));
    }

    /// Copper has its ends' shells, too: from a switch to a NIC one end is finned and the other flat.
    void copperShells()
    {
        const std::string links = "  a: {from: server.host, to: leaf.down, each: {k: 8}, at: {l: \"mod(h, 2)\"}}\n"
                                  "  b: {from: leaf.up, to: spine.down, spread: true}\n";
        const auto figures = figuresOfText(twoTiers("hgx-h100-8gpu", "cages: 8", "switch-51t-128x400g", "cages: 16", "cages: 2", "cages: 4", links,
                                                    "parts: [dac-400g-osfp, dac-400g-osfp-rhs, 400g-sr4, 400g-sr4-rhs, mpo12-om4]\n"));
        auto s = std::make_shared<Snapshot>(*figures->snapshot);
        s->cables.forEach([&](CableId id) {
            if (s->cables.medium[id] == Medium::Data) s->cables.length.set(id, Millimeters(2000));
        });
        const auto f = *computeFigures(s);
        QCOMPARE(dataCables(*f), (std::map<std::string, std::int64_t>{{"dac-400g-osfp", 4}, {"dac-400g-osfp-rhs", 32}}));
        QVERIFY(quantities(makeBom(*f), Bom::Group::Transceivers).empty());
    }

    /// Beyond passive copper: active ends are modules without a price, so that their power counts.
    void activeCopper()
    {
        const auto figures = figuresOfText(
            twoTiers("hgx-h100-8gpu", "cages: 8", "switch-51t-64x800g", "cages: 8, split: 2", "cages: 2, split: 2", "cages: 4, split: 2",
                     "  a: {from: server.host, to: leaf.down, each: {k: 8}, at: {l: \"mod(h, 2)\"}}\n"
                     "  b: {from: leaf.up, to: spine.down, each: {k: 2}, from_index: s * 2 + k, to_index: l * 2 + k}\n",
                     "parts: [dac-800g-osfp, dac-800g-2x400g, aec-800g-2x400g, aec-800g-osfp, lacc-800g-osfp, "
                     "800g-aec-end, 400g-aec-end, 800g-lacc-end, 800g-sr8, 400g-sr4-rhs, mpo16-om4, mpo16-om4-y2]\n"));
        const auto at = [&](int mm) {
            auto s = std::make_shared<Snapshot>(*figures->snapshot);
            s->cables.forEach([&](CableId id) {
                if (s->cables.medium[id] == Medium::Data) s->cables.length.set(id, Millimeters(mm));
            });
            return *computeFigures(s);
        };
        using Lines = std::map<std::string, std::int64_t>;
        QCOMPARE(dataCables(*at(2000)), (Lines{{"dac-800g-2x400g", 16}, {"dac-800g-osfp", 4}}));
        const auto active = at(5000);
        QCOMPARE(dataCables(*active), (Lines{{"aec-800g-2x400g", 16}, {"lacc-800g-osfp", 4}}));
        QCOMPARE(quantities(makeBom(*active), Bom::Group::Transceivers), (Lines{{"400g-aec-end", 32}, {"800g-aec-end", 16}, {"800g-lacc-end", 8}}));
        verify(*active);
        for (const char* rule : {"N2", "N3", "N4", "N5", "N6"}) QVERIFY(errorsOf(active, rule).empty());
        QVERIFY(!dataCables(*at(8000)).contains("aec-800g-2x400g"));
    }

    /// Copper fills a twin-port socket: straight from one to one, split from one to two NICs; bought once for two links. Where
    /// one of the two is too long for it, this socket has a module and cords.
    void copperInTwinSockets_data()
    {
        QTest::addColumn<QByteArray>("leaf");
        QTest::addColumn<QByteArray>("down");
        QTest::addColumn<QByteArray>("up");
        QTest::addColumn<QByteArray>("spine");
        const auto row = [](const char* name, const char* leaf, const char* down, const char* up, const char* spine) {
            QTest::newRow(name) << QByteArray(leaf) << QByteArray(down) << QByteArray(up) << QByteArray(spine);
        };
        row("two interfaces in a socket", "switch-ib-ndr-64x400g", "cages: 16", "cages: 4", "cages: 8");
        row("one interface in two ports", "switch-51t-64x800g", "cages: 8, split: 2", "cages: 2, split: 2", "cages: 4, split: 2");
    }
    void copperInTwinSockets()
    {
        QFETCH(QByteArray, leaf);
        QFETCH(QByteArray, down);
        QFETCH(QByteArray, up);
        QFETCH(QByteArray, spine);
        const auto figures =
            figuresOfText(twoTiers("hgx-h100-8gpu", "cages: 8", leaf.toStdString(), down.toStdString(), up.toStdString(), spine.toStdString(),
                                   "  a: {from: server.host, to: leaf.down, each: {k: 8}, at: {l: \"mod(h, 2)\"}}\n"
                                   "  b: {from: leaf.up, to: spine.down, each: {k: 2}, from_index: s * 2 + k, to_index: l * 2 + k}\n",
                                   "parts: [dac-800g-osfp, dac-800g-2x400g, 800g-2xsr4, 400g-sr4-rhs, mpo12-om4]\n"));
        auto s = std::make_shared<Snapshot>(*figures->snapshot);
        s->cables.forEach([&](CableId id) {
            if (s->cables.medium[id] == Medium::Data) s->cables.length.set(id, Millimeters(2000));
        });
        const auto copper = *computeFigures(s);
        using Lines = std::map<std::string, std::int64_t>;
        QCOMPARE(dataCables(*copper), (Lines{{"dac-800g-2x400g", 16}, {"dac-800g-osfp", 4}}));
        QVERIFY(quantities(makeBom(*copper), Bom::Group::Transceivers).empty());
        verify(*copper);
        QCOMPARE(scheduled(*copper), (std::map<std::size_t, int>{{2, 20}})); // two links on each assembly in the cable schedule, too
        for (const char* rule : {"N2", "N3", "N4", "N5"}) QVERIFY(errorsOf(copper, rule).empty());

        auto longer = std::make_shared<Snapshot>(*s);
        longer->cables.length.set(*s->links.cable[LinkId(0)], Millimeters(5000));
        const auto mixed = *computeFigures(longer);
        QCOMPARE(dataCables(*mixed), (Lines{{"dac-800g-2x400g", 15}, {"dac-800g-osfp", 4}, {"mpo12-om4", 2}}));
        QCOMPARE(quantities(makeBom(*mixed), Bom::Group::Transceivers), (Lines{{"400g-sr4-rhs", 2}, {"800g-2xsr4", 1}}));
        QCOMPARE(scheduled(*mixed), (std::map<std::size_t, int>{{1, 2}, {2, 19}}));
        verify(*mixed);
    }

    /// A module of the wrong shell put in by hand is refused with the reason and what to take.
    void wrongShellByHand()
    {
        const auto figures = figuresOfText(twoTiers("hgx-h100-8gpu", "cages: 8", "switch-51t-128x400g", "cages: 16", "cages: 2", "cages: 4",
                                                    "  a: {from: server.host, to: leaf.down, each: {k: 8}, at: {l: \"mod(h, 2)\"}}\n",
                                                    "parts: [400g-sr4, 400g-sr4-rhs, mpo12-om4]\n"));
        auto s = std::make_shared<Snapshot>(*figures->snapshot);
        const LinkId link(0);
        const CageId nic = s->ports.cage[s->links.from[link]];
        std::optional<PartTypeId> finned;
        s->partTypes.forEach([&](PartTypeId id) {
            if (s->partTypes.slug[id] == "400g-sr4") finned = id;
        });
        QVERIFY(errorsOf(*computeFigures(s), "N4").empty());
        s->cages.module.set(nic, *finned);
        const auto errors = errorsOf(*computeFigures(s), "N4");
        QCOMPARE(errors.size(), std::size_t(1));
        QVERIFY2(
            QByteArray::fromStdString(words(errors.front().message))
                .contains(
                    "has an integrated heat sink with fins (IHS), but the cage's riding heat sink (RHS) needs a flat top; use the flat-top variant"),
            words(errors.front().message).c_str());
    }

    /// A template without `parts` may use everything: twisted pair for RJ-45, copper within a rack.
    void wholeCatalog()
    {
        const auto figures =
            figuresOfText("template: t\nnetworks:\n  net: {}\n  oob: {kind: management}\n"
                          "tiers:\n"
                          "  server: {kind: server, each: {h: 4}, name: \"h{h}\", type: hgx-h100-8gpu, ports: {host: {interfaces: nic, cages: 8, "
                          "network: net}, bmc: {role: up, interfaces: bmc, cages: 1, network: oob}}}\n"
                          "  leaf: {network: net, level: 1, name: l, type: switch-51t-128x400g, ports: {down: {cages: 32}, eth: {role: up, "
                          "interfaces: eth, cages: 1, network: oob}}}\n"
                          "  mgmt: {network: oob, level: 1, name: m, type: switch-mgmt-48x1g, ports: {down: {interfaces: p, cages: 48}}}\n"
                          "links:\n"
                          "  a: {from: server.host, to: leaf.down, each: {k: 8}}\n"
                          "  b: {from: server.bmc, to: mgmt.down}\n  c: {from: leaf.eth, to: mgmt.down}\n");
        QVERIFY(figures->get<UncabledNode>().empty());
        const auto cables = dataCables(*figures);
        QCOMPARE(cables.at("cat6a"), std::int64_t(5));
        verify(*figures);
    }
};

QTEST_APPLESS_MAIN(AssembliesTest)
#include "test_assemblies.moc"
