// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/impact/model.h"

#include "core/derive/supply.h"
#include "core/model/places.h"

#include <algorithm>
#include <numeric>

namespace hw::impact {

Result<ModelPtr> Model::of(FiguresPtr figures, const Progress& progress)
{
    if (const auto made = figures->prepare<IndexNode, MediumNode<Medium::Data>, CoolingChainNode, RoutingNode, PowerFeedsNode, SupplyNode>(progress);
        !made)
        return tl::unexpected(made.error());
    auto model = std::make_shared<Model>();
    Model& m = *model;
    m.figures = figures;
    m.s = figures->snapshot.get();
    m.parts = &*figures->parts;
    m.basis = powerBasisOf(*m.s);
    m.chain = &powerChain(*figures, m.basis);
    m.feeds = &figures->get<PowerFeedsNode>();
    m.plant = std::make_shared<const Plant>(Plant::of(*m.s, *m.parts, *m.chain));
    m.data = &figures->get<MediumNode<Medium::Data>>();
    m.coolant = CoolantPlant::of(*m.s, *m.parts, *figures->power, figures->get<CoolingChainNode>());
    m.index = &figures->get<IndexNode>();
    m.runs = std::make_shared<CableRuns>(*m.s);
    m.runsOfPanel.build(m.s->runs, m.s->runs.empty() ? 0 : m.s->devices.nextId(), [&](RunId run) { return std::optional(m.s->runs.panel[run]); });
    m.readDevices();
    m.readNics();
    m.readLinks();
    m.findNeeded();
    m.readTrays();
    m.readWays();
    return ModelPtr(std::move(model));
}

void Model::readDevices()
{
    const std::uint32_t devices = s->devices.nextId();
    gpus.assign(devices, 0);
    backup.assign(devices, 0);
    host.assign(devices, 0);
    s->devices.forEach([&](DeviceId id) {
        gpus[id.value] = std::uint16_t(parts->device(s->devices.type[id]).accelerators);
        backup[id.value] = s->devices.role[id] == DeviceRole::Backup;
        host[id.value] = s->tiers.kind[s->devices.tier[id]] == TierKind::Server;
    });
}

void Model::readTrays()
{
    const Routing& routing = *figures->routing;
    const auto pairs = std::uint32_t(routing.pairs().size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> through; // tray, pair
    for (std::uint32_t pair = 0; pair < pairs; ++pair) {
        const std::size_t from = through.size();
        for (const std::uint32_t section : routing.sectionsOf(pair))
            if (const auto tray = routing.sections()[section].tray) through.emplace_back((*tray).value, pair);
        std::sort(through.begin() + std::ptrdiff_t(from), through.end());
        through.erase(std::unique(through.begin() + std::ptrdiff_t(from), through.end()), through.end());
    }
    m_firstTrayPair.assign(s->trays.nextId() + 1, 0);
    for (const auto& [tray, pair] : through) ++m_firstTrayPair[tray + 1];
    std::partial_sum(m_firstTrayPair.begin(), m_firstTrayPair.end(), m_firstTrayPair.begin());
    m_trayPairs.resize(through.size());
    auto next = m_firstTrayPair;
    for (const auto& [tray, pair] : through) m_trayPairs[next[tray]++] = pair;

    m_firstPairLink.assign(pairs + 1, 0);
    const auto each = [&](auto&& f) {
        s->links.forEach([&](LinkId id) {
            if (const auto pair = routing.pairOfLink(id); pair != Routing::kNoPair) f(id, pair);
            for (const RunId run : runs->of(id))
                if (const auto pair = routing.pairOfRun(run); pair != Routing::kNoPair) f(id, pair);
        });
    };
    each([&](LinkId, std::uint32_t pair) { ++m_firstPairLink[pair + 1]; });
    std::partial_sum(m_firstPairLink.begin(), m_firstPairLink.end(), m_firstPairLink.begin());
    m_pairLinks.resize(m_firstPairLink.back());
    next = m_firstPairLink;
    each([&](LinkId id, std::uint32_t pair) { m_pairLinks[next[pair]++] = id; });
}

std::vector<LinkId> Model::linksThrough(TrayId tray) const
{
    std::vector<LinkId> links;
    for (std::uint32_t at = m_firstTrayPair[tray.value]; at < m_firstTrayPair[tray.value + 1]; ++at) {
        const std::uint32_t pair = m_trayPairs[at];
        links.insert(links.end(), m_pairLinks.begin() + m_firstPairLink[pair], m_pairLinks.begin() + m_firstPairLink[pair + 1]);
    }
    std::ranges::sort(links);
    links.erase(std::unique(links.begin(), links.end()), links.end()); // a link's runs may take one tray twice
    return links;
}

std::vector<LinkId> Model::feedersThrough(TrayId tray) const
{
    std::vector<LinkId> links;
    for (auto at = std::ranges::lower_bound(m_feeders, std::pair(tray, LinkId(0))); at != m_feeders.end() && at->first == tray; ++at)
        links.push_back(at->second);
    return links;
}

void Model::readWays()
{
    const Supply& supply = figures->get<SupplyNode>();
    for (const SupplyLine& line : supply.lines())
        for (const std::uint32_t section : supply.sectionsOf(line))
            if (const auto tray = supply.routing(line.medium).sections()[section].tray) m_feeders.emplace_back(*tray, line.link);
    std::ranges::sort(m_feeders);
    m_feeders.erase(std::unique(m_feeders.begin(), m_feeders.end()), m_feeders.end());
    s->devices.forEach([&](DeviceId id) {
        std::uint32_t feed = 0;
        for (const PowerFeed& way : feeds->of(id)) {
            if (way.link) m_ways.emplace_back(*way.link, power::Network::Use{id.value, feed});
            ++feed;
        }
    });
    std::ranges::sort(m_ways, {}, [](const auto& way) { return way.first; });
}

std::optional<power::Network::Use> Model::wayOf(LinkId link) const
{
    const auto found = std::ranges::lower_bound(m_ways, link, {}, [](const auto& way) { return way.first; });
    if (found == m_ways.end() || found->first != link) return std::nullopt;
    return found->second;
}

} // namespace hw::impact
