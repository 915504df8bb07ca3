// SPDX-License-Identifier: GPL-3.0-or-later
#include "flowgen.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace hw::bench {

namespace {

using hw::sim::FlowProblem;

/// SplitMix64 (Steele, Lea and Flood 2014): the step that turns a counter into random bits.
uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

class Random {
public:
    explicit Random(uint64_t state) : m_state(state) {}

    uint64_t bits()
    {
        m_state += 0x9e3779b97f4a7c15u;
        return mixed(m_state);
    }
    double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; } ///< [0, 1)
    uint64_t below(uint64_t n)
    {
        __extension__ using Wide = unsigned __int128;
        return static_cast<uint64_t>((Wide(bits()) * n) >> 64);
    }
    void shuffle(std::span<uint64_t> values)
    {
        for (uint64_t i = values.size() - 1; i > 0; --i) std::swap(values[i], values[below(i + 1)]);
    }

private:
    uint64_t m_state;
};

class Generator {
public:
    explicit Generator(const FlowGenOptions& o)
        : m_o(o), m_random(o.seed * 7919 + 13), m_gpus(o.pods * o.leafs * o.hosts), m_servers(m_gpus / o.rails), m_leafToAgg(2 * m_gpus),
          m_aggToLeaf(m_leafToAgg + o.pods * o.leafs * o.aggs), m_aggToCore(m_aggToLeaf + o.pods * o.leafs * o.aggs),
          m_coreToAgg(m_aggToCore + o.pods * o.aggs * o.cores)
    {
        makeLinks();
        m_salt = m_random.bits();
    }

    FlowProblem make()
    {
        const uint64_t n = m_o.flows;
        switch (m_o.traffic) {
        case Traffic::Permutation: permutation(n); break;
        case Traffic::Ring: ring(n); break;
        case Traffic::AllToAll: allToAll(n); break;
        case Traffic::Incast: incast(n); break;
        case Traffic::Mix:
            ring(n * 4 / 10);
            allToAll(n * 8 / 10);
            permutation(n * 95 / 100);
            incast(n);
            break;
        }
        return std::move(m_problem);
    }

private:
    void makeLinks()
    {
        auto& capacity = m_problem.capacity;
        capacity.assign(m_coreToAgg + m_o.pods * m_o.aggs * m_o.cores, m_o.coreGbps);
        std::fill(capacity.begin(), capacity.begin() + static_cast<ptrdiff_t>(m_leafToAgg), m_o.nicGbps);
        std::fill(capacity.begin() + static_cast<ptrdiff_t>(m_leafToAgg), capacity.begin() + static_cast<ptrdiff_t>(m_aggToCore), m_o.upGbps);
        if (m_o.degraded > 0)
            for (double& c : capacity)
                if (m_random.unit() < m_o.degraded) c *= 0.1 + 0.9 * m_random.unit();
    }

    /// Sizes in bit: 1 GB, or spread around it.
    double size()
    {
        constexpr double kMean = 8e9;
        switch (m_o.size) {
        case FlowSize::Uniform: return kMean;
        case FlowSize::Exponential: return std::max(-std::log(1 - m_random.unit()) * kMean, 1.0);
        case FlowSize::LogNormal: break;
        }
        const double radius = 1.5 * std::sqrt(-2 * std::log(1 - m_random.unit())); // Box and Muller 1958
        const double angle = 6.283185307179586 * m_random.unit();
        return std::max(std::exp(std::log(kMean) + radius * std::cos(angle)), 1.0);
    }

    /// Adds the flow from GPU port a to b over the shortest path; a hash picks aggregation switch and core link.
    void add(uint64_t a, uint64_t b, uint64_t upTo)
    {
        const uint64_t index = m_problem.flowCount();
        if (a == b || index >= upTo) return;
        const double bits = size();
        const uint64_t leafA = a / m_o.hosts, leafB = b / m_o.hosts, podA = leafA / m_o.leafs, podB = leafB / m_o.leafs;
        const uint64_t hash = mixed(m_salt ^ mixed(a * 1000003 + b) ^ (index * 0x9e37));
        const uint64_t agg = hash % m_o.aggs, core = mixed(hash) % m_o.cores;
        uint32_t path[6];
        size_t hops = 0;
        const auto hop = [&](uint64_t link) { path[hops++] = static_cast<uint32_t>(link); };
        hop(a);
        if (leafA != leafB) hop(m_leafToAgg + leafA * m_o.aggs + agg);
        if (podA != podB) {
            hop(m_aggToCore + (podA * m_o.aggs + agg) * m_o.cores + core);
            hop(m_coreToAgg + (podB * m_o.aggs + agg) * m_o.cores + core);
        }
        if (leafA != leafB) hop(m_aggToLeaf + leafB * m_o.aggs + agg);
        hop(m_gpus + b);
        m_problem.addFlow(bits, {path, hops});
    }

    bool fullAt(uint64_t upTo) const { return m_problem.flowCount() >= upTo; }

    uint64_t port(uint64_t server, uint64_t rail) const { return (server / m_o.hosts * m_o.rails + rail) * m_o.hosts + server % m_o.hosts; }

    std::vector<uint64_t> placedServers()
    {
        std::vector<uint64_t> servers(m_servers);
        std::iota(servers.begin(), servers.end(), uint64_t{0});
        if (m_o.randomPlacement) m_random.shuffle(servers);
        return servers;
    }

    void permutation(uint64_t upTo)
    {
        std::vector<uint64_t> to(m_gpus);
        while (!fullAt(upTo)) {
            std::iota(to.begin(), to.end(), uint64_t{0});
            m_random.shuffle(to);
            for (uint64_t from = 0; from < m_gpus; ++from) add(from, to[from], upTo);
        }
    }

    void ring(uint64_t upTo)
    {
        while (!fullAt(upTo)) {
            const auto servers = placedServers();
            for (uint64_t first = 0; first < m_servers && !fullAt(upTo); first += m_o.group) {
                const uint64_t size = std::min(m_o.group, m_servers - first);
                for (uint64_t i = 0; i < size; ++i)
                    for (uint64_t rail = 0; rail < m_o.rails; ++rail)
                        add(port(servers[first + i], rail), port(servers[first + (i + 1) % size], rail), upTo);
            }
        }
    }

    void allToAll(uint64_t upTo)
    {
        while (!fullAt(upTo)) {
            const auto servers = placedServers();
            for (uint64_t first = 0; first + 1 < m_servers && !fullAt(upTo); first += m_o.group) {
                const uint64_t size = std::min(m_o.group, m_servers - first);
                for (uint64_t i = 0; i < size; ++i)
                    for (uint64_t j = 0; j < size; ++j)
                        for (uint64_t rail = 0; rail < m_o.rails; ++rail) add(port(servers[first + i], rail), port(servers[first + j], rail), upTo);
            }
        }
    }

    void incast(uint64_t upTo)
    {
        while (!fullAt(upTo)) {
            const uint64_t to = m_random.below(m_gpus);
            for (uint64_t i = 0; i < m_o.group && !fullAt(upTo); ++i) add(m_random.below(m_gpus), to, upTo);
        }
    }

    const FlowGenOptions m_o;
    Random m_random;
    uint64_t m_gpus, m_servers;
    uint64_t m_leafToAgg, m_aggToLeaf, m_aggToCore, m_coreToAgg; ///< first link of each kind
    uint64_t m_salt = 0;
    FlowProblem m_problem;
};

} // namespace

FlowProblem generateFlows(const FlowGenOptions& options) { return Generator(options).make(); }

FlowGenOptions benchmarkOptions()
{
    FlowGenOptions o;
    o.pods = 16;
    o.leafs = 32;
    o.aggs = 32;
    o.hosts = 64;
    o.cores = 8;
    o.flows = 100'000;
    o.traffic = Traffic::Mix;
    o.group = 32;
    o.seed = 201;
    o.degraded = 0.02;
    o.size = FlowSize::LogNormal;
    return o;
}

} // namespace hw::bench
