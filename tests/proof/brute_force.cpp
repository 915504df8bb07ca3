// SPDX-License-Identifier: GPL-3.0-or-later
#include "brute_force.h"

#include <algorithm>
#include <bit>
#include <limits>

using namespace hw;

namespace {

/// Ford and Fulkerson by depth-first search over a matrix.
class MatrixFlow {
public:
    explicit MatrixFlow(std::size_t n) : m_capacity(n, std::vector<std::int64_t>(n, 0)) {}
    void add(std::size_t a, std::size_t b, std::int64_t capacity) { m_capacity[a][b] += capacity; }
    std::int64_t solve(std::size_t s, std::size_t t)
    {
        std::int64_t total = 0;
        for (;;) {
            m_seen.assign(m_capacity.size(), false);
            const auto sent = push(s, t, std::numeric_limits<std::int64_t>::max());
            if (sent == 0) return total;
            total += sent;
        }
    }

private:
    std::int64_t push(std::size_t at, std::size_t t, std::int64_t limit)
    {
        if (at == t) return limit;
        m_seen[at] = true;
        for (std::size_t next = 0; next < m_capacity.size(); ++next) {
            if (m_seen[next] || m_capacity[at][next] <= 0) continue;
            if (const auto sent = push(next, t, std::min(limit, m_capacity[at][next]))) {
                m_capacity[at][next] -= sent;
                m_capacity[next][at] += sent;
                return sent;
            }
        }
        return 0;
    }
    std::vector<std::vector<std::int64_t>> m_capacity;
    std::vector<bool> m_seen;
};

} // namespace

BruteForce::BruteForce(const Snapshot& s, NetworkId network) : m_s(s), m_rails(s.networks.rails[network])
{
    s.devices.forEach([&](DeviceId d) {
        if (s.tiers.kind[s.devices.tier[d]] == TierKind::Switch) m_switches.push_back(d.value);
    });
    std::map<std::pair<std::uint32_t, int>, Nic> nics;
    const auto nicAt = [&](PortId port) -> Nic& {
        const DeviceId d = s.ports.device[port];
        const int number = s.cages.number[s.ports.cage[port]] / 2;
        return nics
            .try_emplace({d.value, number},
                         Nic{d.value, number, {}, s.devices.pod[d], s.devices.segment[d], -1, s.devices.role[d] == DeviceRole::Backup})
            .first->second;
    };
    s.ports.forEach([&](PortId p) {
        if (s.tiers.kind[s.devices.tier[s.ports.device[p]]] == TierKind::Server) nicAt(p);
    });
    s.links.forEach([&](LinkId id) {
        const PortId from = s.links.from[id], to = s.links.to[id];
        const Link link{id.value, s.ports.device[from].value, s.ports.device[to].value, std::min(s.ports.rate[from], s.ports.rate[to]).count()};
        if (s.tiers.kind[s.devices.tier[s.ports.device[from]]] == TierKind::Server)
            nicAt(from).links.push_back(link);
        else
            m_links.push_back(link);
    });
    for (auto& [key, nic] : nics) {
        std::set<int> rails;
        for (const auto& link : nic.links)
            if (const int rail = s.devices.rail[DeviceId(link.b)]; rail >= 0) rails.insert(rail);
        if (m_rails > 1) nic.rail = !rails.empty() ? *rails.begin() : nic.number < m_rails ? nic.number : -1; // the first of several
        m_nics.push_back(nic);
    }
}

std::string BruteForce::label(const Nic& a, const Nic& b) const
{
    std::set<int> pods, rails;
    std::set<std::pair<int, int>> segments;
    for (const auto& n : m_nics)
        if (!n.backup && !n.links.empty()) pods.insert(n.pod), rails.insert(n.rail), segments.insert({n.pod, n.segment});
    std::string text = rails.size() < 2 ? "" : a.rail == b.rail ? "same rail" : "different rail";
    std::string place;
    if (a.pod != b.pod)
        place = "different pod";
    else if (segments.size() > pods.size())
        place = a.segment == b.segment ? "same segment" : "different segment";
    else if (pods.size() > 1)
        place = "same pod";
    text += (text.empty() || place.empty() ? "" : ", ") + place;
    return text.empty() ? "any two NICs" : text;
}

bool BruteForce::reach(const Nic& a, const Nic& b, const Removed& devices, const Removed& links) const
{
    std::set<std::uint32_t> seen;
    for (const auto& l : a.links)
        if (!devices.contains(l.b) && !links.contains(l.id)) seen.insert(l.b);
    for (bool grew = true; grew;) {
        grew = false;
        for (const auto& l : m_links) {
            if (links.contains(l.id) || devices.contains(l.a) || devices.contains(l.b) || seen.contains(l.a) == seen.contains(l.b)) continue;
            seen.insert(l.a), seen.insert(l.b);
            grew = true;
        }
    }
    return std::ranges::any_of(b.links, [&](const Link& l) { return seen.contains(l.b) && !links.contains(l.id); });
}

std::map<std::uint32_t, std::uint32_t> BruteForce::distancesTo(const Nic& target) const
{
    std::map<std::uint32_t, std::uint32_t> distance;
    for (const auto& l : target.links) distance[l.b] = 0;
    for (std::size_t round = 0; round < m_switches.size(); ++round)
        for (const auto& l : m_links)
            for (const auto& [x, y] : {std::pair(l.a, l.b), std::pair(l.b, l.a)})
                if (distance.contains(x) && (!distance.contains(y) || distance[y] > distance[x] + 1)) distance[y] = distance[x] + 1;
    return distance;
}

std::uint64_t BruteForce::walk(std::uint32_t at, const Nic& target, const std::map<std::uint32_t, std::uint32_t>& distance) const
{
    if (distance.at(at) == 0) return std::uint64_t(std::ranges::count_if(target.links, [&](const Link& l) { return l.b == at; }));
    std::uint64_t paths = 0;
    for (const auto& l : m_links)
        for (const auto& [x, y] : {std::pair(l.a, l.b), std::pair(l.b, l.a)})
            if (x == at && distance.at(y) + 1 == distance.at(at)) paths += walk(y, target, distance);
    return paths;
}

void BruteForce::count(const Nic& a, const Nic& b, Class& out) const
{
    const auto distance = distancesTo(b);
    std::uint32_t best = ~0u;
    std::uint64_t paths = 0;
    for (const auto& l : a.links) {
        if (!distance.contains(l.b)) continue;
        const auto own = walk(l.b, b, distance);
        out.pathsPerPort.add(own);
        if (distance.at(l.b) < best) best = distance.at(l.b), paths = 0;
        if (distance.at(l.b) == best) paths += own;
    }
    if (best == ~0u) {
        out.reachable = false;
        return;
    }
    out.hops.add(best + 1);
    out.paths.add(paths);
}

std::int64_t BruteForce::cableFlow(const Nic& a, const Nic& b) const
{
    const std::size_t n = m_s.devices.nextId();
    MatrixFlow flow(n + 2);
    for (const auto& l : a.links) flow.add(n, l.b, 1);
    for (const auto& l : b.links) flow.add(l.b, n + 1, 1);
    for (const auto& l : m_links) flow.add(l.a, l.b, 1), flow.add(l.b, l.a, 1);
    return flow.solve(n, n + 1);
}

std::int64_t BruteForce::switchCut(const Nic& a, const Nic& b) const
{
    int best = int(m_switches.size());
    for (std::uint32_t set = 0; set < 1u << m_switches.size(); ++set) {
        if (std::popcount(set) >= best) continue;
        Removed devices;
        for (std::size_t i = 0; i < m_switches.size(); ++i)
            if (set >> i & 1) devices.insert(m_switches[i]);
        if (!reach(a, b, devices, {})) best = std::popcount(set);
    }
    return best;
}

std::map<std::string, BruteForce::Class> BruteForce::classes() const
{
    std::map<std::string, Class> result;
    for (const auto& a : m_nics)
        for (const auto& b : m_nics) {
            if (&a == &b || a.backup || b.backup || a.links.empty() || b.links.empty()) continue;
            Class& own = result[label(a, b)];
            count(a, b, own);
            own.disjointCables.add(cableFlow(a, b));
            own.disjointSwitches.add(switchCut(a, b));
        }
    return result;
}

bool BruteForce::everyPairMeets() const
{
    for (const auto& a : m_nics)
        for (const auto& b : m_nics)
            if (!reach(a, b, {}, {})) return false;
    return true;
}

bool BruteForce::parts(const Removed& devices, const Removed& links) const
{
    for (const auto& a : m_nics)
        for (const auto& b : m_nics)
            if (&a != &b && reach(a, b, {}, {}) && !reach(a, b, devices, links)) return true;
    return false;
}

std::vector<std::string> BruteForce::singleSwitches() const
{
    std::vector<std::string> names;
    for (const auto d : m_switches)
        if (parts({d}, {})) names.push_back(m_s.devices.name[DeviceId(d)]);
    return names;
}

std::int64_t BruteForce::singleCables() const
{
    std::int64_t count = 0;
    m_s.links.forEach([&](LinkId id) { count += parts({}, {id.value}); });
    return count;
}

std::int64_t BruteForce::flowOf(const std::function<int(const Nic&)>& side) const
{
    const std::size_t n = m_s.devices.nextId();
    MatrixFlow flow(n + 2);
    for (const auto& nic : m_nics) {
        const int own = nic.backup ? -1 : side(nic);
        for (const auto& l : nic.links) {
            if (own == 0) flow.add(n, l.b, l.gbps);
            if (own == 1) flow.add(l.b, n + 1, l.gbps);
        }
    }
    for (const auto& l : m_links) flow.add(l.a, l.b, l.gbps), flow.add(l.b, l.a, l.gbps);
    return flow.solve(n, n + 1);
}

std::int64_t BruteForce::flow(const std::map<std::uint32_t, int>& side) const
{
    return flowOf([&](const Nic& nic) { return side.contains(nic.device) ? side.at(nic.device) : -1; });
}

std::int64_t BruteForce::flowBetweenRails(const std::map<int, int>& side) const
{
    return flowOf([&](const Nic& nic) { return side.contains(nic.rail) ? side.at(nic.rail) : -1; });
}

std::set<int> BruteForce::rails() const
{
    std::set<int> rails;
    for (const auto& nic : m_nics)
        if (!nic.backup && !nic.links.empty() && nic.rail >= 0) rails.insert(nic.rail);
    return rails;
}

std::vector<DeviceId> BruteForce::activeHosts() const
{
    std::set<DeviceId> hosts;
    for (const auto& nic : m_nics)
        if (!nic.backup && !nic.links.empty()) hosts.insert(DeviceId(nic.device));
    return {hosts.begin(), hosts.end()};
}

BruteForce::Removed BruteForce::switchesNamed(const std::vector<std::string>& names) const
{
    Removed result;
    for (const auto d : m_switches)
        if (std::ranges::find(names, m_s.devices.name[DeviceId(d)]) != names.end()) result.insert(d);
    return result;
}

BruteForce::Removed BruteForce::linksNamed(const std::vector<std::string>& names) const
{
    Removed result;
    const auto name = [&](std::uint32_t d) { return m_s.devices.name[DeviceId(d)]; };
    const auto take = [&](const Link& l, const std::string& a, const std::string& b) {
        for (const auto& n : names)
            if (n == a + " - " + b || n == b + " - " + a) result.insert(l.id);
    };
    for (const auto& l : m_links) take(l, name(l.a), name(l.b));
    for (const auto& nic : m_nics)
        for (const auto& l : nic.links) take(l, name(l.a) + " nic" + std::to_string(nic.number + 1), name(l.b));
    return result;
}
