// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/placement.h"

#include "simulation/random.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

namespace hw::sim {
inline namespace training {

namespace {

using Hosts = std::vector<std::uint32_t>;

/// Free hosts that stand together, in the order of their first host.
struct Cell {
    int pod = 0;
    Hosts hosts;
};

template <class Same>
std::vector<Cell> cellsOf(std::span<const HostPlace> places, const Hosts& free, const Same& same)
{
    std::vector<Cell> cells;
    for (const std::uint32_t h : free) {
        if (cells.empty() || !same(places[cells.back().hosts.back()], places[h])) cells.push_back({places[h].pod, {}});
        cells.back().hosts.push_back(h);
    }
    return cells;
}

std::vector<Cell> podsOf(std::span<const HostPlace> places, const Hosts& free)
{
    return cellsOf(places, free, [](const HostPlace& a, const HostPlace& b) { return a.pod == b.pod; });
}

std::vector<Cell> segmentsOf(std::span<const HostPlace> places, const Hosts& free)
{
    return cellsOf(places, free, [](const HostPlace& a, const HostPlace& b) { return a.pod == b.pod && a.segment == b.segment; });
}

Hosts inTurn(const std::vector<Cell>& cells, std::size_t count)
{
    Hosts out;
    for (std::size_t turn = 0; out.size() < count; ++turn)
        for (const Cell& cell : cells)
            if (turn < cell.hosts.size() && out.size() < count) out.push_back(cell.hosts[turn]);
    return out;
}

/// The smallest cell that holds them all; none: nullptr.
const Cell* bestFit(const std::vector<Cell>& cells, std::size_t count)
{
    const Cell* best = nullptr;
    for (const Cell& cell : cells)
        if (cell.hosts.size() >= count && (!best || cell.hosts.size() < best->hosts.size())) best = &cell;
    return best;
}

/// Takes the largest cells whole while more is wanted than they hold, then the best fit for the rest.
template <class Take>
void largestFirst(std::vector<Cell> cells, std::size_t count, const Take& take)
{
    std::ranges::stable_sort(cells, [](const Cell& a, const Cell& b) { return a.hosts.size() > b.hosts.size(); });
    while (count > 0) {
        const Cell* fit = bestFit(cells, count);
        const Cell& cell = fit ? *fit : cells.front();
        const std::size_t taken = std::min(count, cell.hosts.size());
        take(cell, taken);
        count -= taken;
        cells.erase(cells.begin() + (&cell - cells.data()));
    }
}

Hosts packed(std::span<const HostPlace> places, const Hosts& free, std::size_t count)
{
    Hosts out;
    largestFirst(podsOf(places, free), count, [&](const Cell& pod, std::size_t wanted) {
        largestFirst(segmentsOf(places, pod.hosts), wanted, [&](const Cell& segment, std::size_t n) {
            out.insert(out.end(), segment.hosts.begin(), segment.hosts.begin() + std::ptrdiff_t(n));
        });
    });
    std::ranges::sort(out);
    return out;
}

Hosts drawn(Hosts free, std::size_t count, std::uint64_t seed)
{
    Random random(seed, 0x9ace);
    for (std::size_t i = 0; i < count; ++i) std::swap(free[i], free[i + random.below(free.size() - i)]);
    free.resize(count);
    return free;
}

} // namespace

const char* name(Placement p)
{
    switch (p) {
    case Placement::Contiguous: return "contiguous";
    case Placement::Packed: return "packed";
    case Placement::Random: return "random";
    case Placement::AlternatingPods: return "alternating-pods";
    case Placement::AlternatingSegments: return "alternating-segments";
    }
    return "";
}

Result<std::vector<std::uint32_t>> placeHosts(std::span<const HostPlace> places, std::span<const std::uint8_t> freeMask, std::uint32_t count,
                                              Placement placement, std::uint64_t seed)
{
    Hosts free;
    for (std::uint32_t h = 0; h < places.size(); ++h)
        if (freeMask.empty() || freeMask[h]) free.push_back(h);
    if (count == 0 || count > free.size())
        return fail(ErrorCode::Refused, "job", i18np(count, "requires {} host, {} available", "requires {} hosts, {} available", free.size()),
                    i18n("use a smaller job or a larger design"));
    switch (placement) {
    case Placement::Contiguous: free.resize(count); return free;
    case Placement::Packed: return packed(places, free, count);
    case Placement::Random: return drawn(std::move(free), count, seed);
    case Placement::AlternatingPods: return inTurn(podsOf(places, free), count);
    case Placement::AlternatingSegments: return inTurn(segmentsOf(places, free), count);
    }
    return free;
}

DomainUnit domainUnit(std::uint32_t block, std::uint32_t gpusPerHost, std::uint32_t domainHosts)
{
    DomainUnit best{1, gpusPerHost};
    std::uint32_t most = 0;
    for (std::uint32_t hosts = 1; block > 0 && hosts <= domainHosts; ++hosts) {
        const std::uint32_t ranks = hosts * gpusPerHost / block * block, used = domainHosts / hosts * ranks;
        if (used > most) most = used, best = {hosts, ranks};
    }
    return best;
}

DomainUnits::DomainUnits(std::span<const std::uint32_t> domainOfHost, std::span<const HostPlace> places, std::span<const std::uint8_t> free,
                         const DomainUnit& unit)
    : m_unit(unit)
{
    std::vector<std::uint32_t> open; // free hosts of one domain that are in no unit yet
    for (std::uint32_t h = 0; h < places.size(); ++h) {
        if (!free.empty() && !free[h]) continue;
        if (!open.empty() && domainOfHost[open.back()] != domainOfHost[h]) open.clear();
        open.push_back(h);
        if (open.size() < unit.hosts) continue;
        m_places.push_back(places[open.front()]);
        m_hosts.insert(m_hosts.end(), open.begin(), open.end());
        open.clear();
    }
}

Result<std::vector<std::uint32_t>> DomainUnits::place(std::int64_t ranks, Placement placement, std::uint64_t seed) const
{
    const auto units = placeHosts(m_places, {}, std::uint32_t((ranks + m_unit.ranks - 1) / m_unit.ranks), placement, seed);
    if (!units) return tl::unexpected(units.error());
    Hosts hosts;
    for (const std::uint32_t u : *units)
        hosts.insert(hosts.end(), m_hosts.begin() + std::ptrdiff_t(u) * m_unit.hosts, m_hosts.begin() + std::ptrdiff_t(u + 1) * m_unit.hosts);
    if (const std::int64_t last = ranks % m_unit.ranks; last > 0) { // hosts behind the last rank are not the job's
        const std::int64_t perHost = std::max(1u, m_unit.ranks / m_unit.hosts);
        hosts.resize(hosts.size() - m_unit.hosts + std::size_t(std::min<std::int64_t>(m_unit.hosts, (last + perHost - 1) / perHost)));
    }
    return hosts;
}

Spread spreadOf(std::span<const HostPlace> places, std::span<const std::uint32_t> hosts)
{
    std::set<int> pods;
    std::set<std::pair<int, int>> segments;
    for (const std::uint32_t h : hosts) pods.insert(places[h].pod), segments.insert({places[h].pod, places[h].segment});
    return {std::uint32_t(pods.size()), std::uint32_t(segments.size())};
}

} // namespace training
} // namespace hw::sim
