// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/failure_domains.h"

#include "core/derived/figures/node_info.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace hw {

namespace {

/// Ascending, each once.
template <class T>
void sortOnce(std::vector<T>& list)
{
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// The pairs of racks that the cables of a link over panels run between, ascending.
std::vector<std::uint32_t> pairsOf(const Routing& routing, LinkId link, std::span<const RunId> runs)
{
    std::vector<std::uint32_t> pairs{routing.pairOfLink(link)};
    for (const RunId run : runs) pairs.push_back(routing.pairOfRun(run));
    std::erase(pairs, Routing::kNoPair);
    sortOnce(pairs);
    return pairs;
}

} // namespace

std::shared_ptr<const FailureDomains::Ways> FailureDomains::waysOf(const Snapshot& s, const Routing& routing)
{
    auto ways = std::make_shared<Ways>(Ways{{}, {}, {}, {}, CableRuns(s)});
    ways->ofLink.assign(s.links.nextId(), Routing::kNoPair);
    const auto pairs = std::uint32_t(routing.pairs().size());
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    s.links.forEach([&](LinkId link) {
        std::uint32_t& way = ways->ofLink[link.value];
        way = routing.pairOfLink(link);
        const auto runs = ways->runs.of(link);
        if (runs.empty()) return;
        const auto own = pairsOf(routing, link, runs);
        if (own.size() < 2) {
            way = own.empty() ? Routing::kNoPair : own.front();
            return;
        }
        const auto [number, fresh] = known.try_emplace(own, pairs + std::uint32_t(ways->together.size()));
        if (fresh) ways->together.push_back(own);
        way = number->second;
    });
    ways->first.assign(pairs + ways->together.size() + 1, 0);
    const auto each = [&](auto&& f) {
        s.links.forEach([&](LinkId link) {
            if (const auto way = ways->ofLink[link.value]; way != Routing::kNoPair) f(link, way);
        });
    };
    each([&](LinkId, std::uint32_t way) { ++ways->first[way + 1]; });
    std::partial_sum(ways->first.begin(), ways->first.end(), ways->first.begin());
    ways->links.resize(ways->first.back());
    auto next = ways->first;
    each([&](LinkId link, std::uint32_t way) { ways->links[next[way]++] = link; });
    return ways;
}

void FailureDomains::lay(const Snapshot& s, const Routing& routing)
{
    const auto pairs = std::uint32_t(routing.pairs().size()), ways = std::uint32_t(m_ways->first.size() - 1);
    m_firstTray.assign(1, 0);
    m_trays.clear();
    std::vector<TrayId> own;
    for (std::uint32_t way = 0; way < ways; ++way) {
        own.clear();
        const auto add = [&](std::uint32_t pair) {
            for (const std::uint32_t section : routing.sectionsOf(pair))
                if (const auto tray = routing.sections()[section].tray) own.push_back(*tray);
        };
        if (way < pairs)
            add(way);
        else
            std::ranges::for_each(m_ways->together[way - pairs], add);
        sortOnce(own);
        m_trays.insert(m_trays.end(), own.begin(), own.end());
        m_firstTray.push_back(std::uint32_t(m_trays.size()));
    }
    m_firstWay.assign(std::size_t(s.trays.nextId()) + 1, 0);
    for (const TrayId tray : m_trays) ++m_firstWay[tray.value + 1];
    std::partial_sum(m_firstWay.begin(), m_firstWay.end(), m_firstWay.begin());
    m_waysThrough.resize(m_trays.size());
    auto next = m_firstWay;
    for (std::uint32_t way = 0; way < ways; ++way)
        for (const TrayId tray : traysOf(way)) m_waysThrough[next[tray.value]++] = way;
}

std::shared_ptr<const FailureDomains> FailureDomains::compute(const Snapshot& s, const Routing& routing)
{
    auto domains = std::make_shared<FailureDomains>();
    domains->m_ways = waysOf(s, routing);
    domains->lay(s, routing);
    return domains;
}

std::shared_ptr<const FailureDomains> FailureDomains::moved(const FailureDomains& before, const Snapshot& after, const Routing& routing)
{
    auto domains = std::make_shared<FailureDomains>();
    domains->m_ways = before.m_ways;
    domains->lay(after, routing);
    return domains;
}

std::span<const TrayId> FailureDomains::traysOf(std::uint32_t way) const
{
    if (way == Routing::kNoPair) return {};
    return {m_trays.data() + m_firstTray[way], m_trays.data() + m_firstTray[way + 1]};
}

std::vector<LinkId> FailureDomains::linksThrough(TrayId tray) const
{
    std::vector<LinkId> links;
    for (std::uint32_t at = m_firstWay[tray.value]; at < m_firstWay[tray.value + 1]; ++at) {
        const std::uint32_t way = m_waysThrough[at];
        links.insert(links.end(), m_ways->links.begin() + m_ways->first[way], m_ways->links.begin() + m_ways->first[way + 1]);
    }
    std::ranges::sort(links);
    return links;
}

std::vector<DeviceId> FailureDomains::panelsOf(const Snapshot& s, LinkId link) const
{
    std::vector<DeviceId> panels;
    for (const RunId run : m_ways->runs.of(link)) panels.push_back(s.runs.panel[run]);
    std::ranges::sort(panels);
    return panels;
}

std::vector<LinkId> FailureDomains::linksOver(const Snapshot& s, DeviceId panel) const
{
    std::vector<LinkId> links;
    for (const RunId run : m_ways->runs.over(panel)) links.push_back(s.runs.link[run]);
    sortOnce(links);
    return links;
}

bool operator==(const FailureDomains& a, const FailureDomains& b)
{
    return (a.m_ways == b.m_ways || *a.m_ways == *b.m_ways) && a.m_firstTray == b.m_firstTray && a.m_trays == b.m_trays &&
           a.m_firstWay == b.m_firstWay && a.m_waysThrough == b.m_waysThrough;
}

std::shared_ptr<const FailureDomains> FailureDomainsNode::compute(const Now<FailureDomainsNode>& now)
{
    return FailureDomains::compute(now.snapshot(), now.get<RoutingNode>());
}

std::shared_ptr<const FailureDomains> FailureDomainsNode::update(const Was<FailureDomainsNode>& was, const Now<FailureDomainsNode>& now,
                                                                 const ChangeSet& changes)
{
    using Wires = Group<Alive<Links, Cables, Devices>, Whole<Runs>>;
    const Routing& routing = now.get<RoutingNode>();
    if (!was.get<RoutingNode>().sharesPairs(routing) || Wires::touched(changes, was.snapshot(), now.snapshot())) return nullptr;
    return FailureDomains::moved(*was.value(), now.snapshot(), routing);
}

std::vector<LinkId> FeederDomains::linksThrough(TrayId tray) const
{
    std::vector<LinkId> links;
    for (auto at = std::ranges::lower_bound(throughTray, std::pair(tray, LinkId(0))); at != throughTray.end() && at->first == tray; ++at)
        links.push_back(at->second);
    return links;
}

std::vector<LinkId> linksThrough(const FailureDomains& data, const FeederDomains& feeders, TrayId tray)
{
    std::vector<LinkId> links = data.linksThrough(tray);
    const auto more = feeders.linksThrough(tray);
    links.insert(links.end(), more.begin(), more.end());
    return links;
}

std::shared_ptr<const FeederDomains> FeederDomainsNode::compute(const Now<FeederDomainsNode>& now)
{
    const Supply& supply = now.get<SupplyNode>();
    auto domains = std::make_shared<FeederDomains>();
    for (const SupplyLine& line : supply.lines())
        for (const std::uint32_t section : supply.sectionsOf(line))
            if (const auto tray = supply.routing(line.medium).sections()[section].tray) domains->throughTray.emplace_back(*tray, line.link);
    sortOnce(domains->throughTray);
    return domains;
}

std::shared_ptr<const std::vector<CardLink>> NicLinksNode::compute(const Now<NicLinksNode>& now)
{
    return std::make_shared<const std::vector<CardLink>>(cardLinks(now.snapshot(), now.get<PartsNode>()));
}

template const NodeInfo& nodeInfo<FailureDomainsNode>();
template const NodeInfo& nodeInfo<FeederDomainsNode>();
template const NodeInfo& nodeInfo<NicLinksNode>();

} // namespace hw
