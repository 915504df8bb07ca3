// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derive/supply.h"

#include <algorithm>
#include <tuple>

namespace hw {

namespace {

/// One element of a tier that feeds a rack, with how many of its feeds hang on it.
struct Feed {
    TierId tier;
    DeviceId element;
    std::int64_t count = 0;
};

/// What an element takes over when another one of its tier is lost.
struct TakeOver {
    DeviceId element, lost;
    std::int64_t extra = 0;
    [[nodiscard]] auto key() const { return std::tie(element, lost); }
};

class SupplyCounter {
public:
    SupplyCounter(const Snapshot& s, const MediumGraph& graph, const PowerFigures& power, PowerBasis basis)
        : m_s(s), m_graph(graph), m_power(power), m_basis(basis), m_result(std::make_shared<SupplyLoads>())
    {
        m_result->ofDevice.resize(s.devices.nextId());
    }

    std::shared_ptr<const SupplyLoads> run()
    {
        std::vector<std::vector<DeviceId>> pdus(m_s.racks.nextId());
        m_s.devices.forEach([&](DeviceId id) {
            const auto rack = m_s.devices.rack[id];
            if (rack && isPower(m_s.devices.tier[id])) pdus[(*rack).value].push_back(id);
        });
        m_s.racks.forEach([&](RackId rack) { addRack(rack, pdus[rack.value]); });
        addFailover();
        return m_result;
    }

private:
    [[nodiscard]] bool isPower(TierId tier) const { return m_s.tiers.kind[tier] == TierKind::Power; }

    /// The elements above a PDU, itself first, one of each tier; a chain longer than the tiers is a loop.
    void climb(DeviceId pdu, std::vector<Feed>& feeds) const
    {
        std::vector<TierId> met;
        Maybe<DeviceId> at = pdu;
        for (std::uint32_t steps = 0; at && steps <= m_s.tiers.size(); ++steps, at = m_graph.supplierOf(*at)) {
            const TierId tier = m_s.devices.tier[*at];
            if (!isPower(tier) || std::ranges::find(met, tier) != met.end()) continue;
            met.push_back(tier);
            const auto same = [&](const Feed& feed) { return feed.tier == tier && feed.element == *at; };
            const auto known = std::ranges::find_if(feeds, same);
            if (known == feeds.end())
                feeds.push_back({tier, *at, 1});
            else
                ++known->count;
        }
    }

    void addRack(RackId rack, const std::vector<DeviceId>& pdus)
    {
        std::vector<Feed> feeds;
        for (const DeviceId pdu : pdus) climb(pdu, feeds);
        const auto all = std::int64_t(pdus.size()), load = m_power.rack(rack).at(m_basis).count();
        for (const Feed& own : feeds) {
            m_result->ofDevice[own.element.value].load += Milliwatts(load * own.count / all);
            for (const Feed& lost : feeds)
                if (lost.tier == own.tier && lost.element != own.element && lost.count < all)
                    m_takeOvers.push_back({own.element, lost.element, load * own.count / (all - lost.count) - load * own.count / all});
        }
    }

    void addFailover()
    {
        std::ranges::sort(m_takeOvers, {}, &TakeOver::key);
        for (std::size_t i = 0, next = 0; i < m_takeOvers.size(); i = next) {
            std::int64_t extra = 0;
            for (next = i; next < m_takeOvers.size() && m_takeOvers[next].key() == m_takeOvers[i].key(); ++next) extra += m_takeOvers[next].extra;
            auto& most = m_result->ofDevice[m_takeOvers[i].element.value].failover;
            most = std::max(most, Milliwatts(extra));
        }
        for (SupplyLoad& load : m_result->ofDevice) load.failover += load.load;
    }

    const Snapshot& m_s;
    const MediumGraph& m_graph;
    const PowerFigures& m_power;
    PowerBasis m_basis;
    std::shared_ptr<SupplyLoads> m_result;
    std::vector<TakeOver> m_takeOvers;
};

} // namespace

std::shared_ptr<const SupplyLoads> SupplyLoads::compute(const Snapshot& snapshot, const MediumGraph& power, const PowerFigures& loads,
                                                        PowerBasis basis)
{
    return SupplyCounter(snapshot, power, loads, basis).run();
}

std::vector<RackId> racksDarkWithout(const Snapshot& s, const MediumGraph& power, DeviceId lost)
{
    std::vector<char> out(s.devices.nextId(), 0), fed(s.racks.nextId(), 0), dark(s.racks.nextId(), 0);
    out[lost.value] = 1;
    for (const DeviceId starved : power.starvedBy(std::span(&lost, 1))) out[starved.value] = 1;
    s.devices.forEach([&](DeviceId id) {
        const auto rack = s.devices.rack[id];
        if (rack && s.tiers.kind[s.devices.tier[id]] == TierKind::Power) (out[id.value] ? dark : fed)[(*rack).value] = 1;
    });
    std::vector<RackId> racks;
    for (std::uint32_t r = 0; r < dark.size(); ++r)
        if (dark[r] && !fed[r]) racks.emplace_back(r);
    return racks;
}

} // namespace hw
