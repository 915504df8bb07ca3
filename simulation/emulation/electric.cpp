// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/electric.h"

#include <algorithm>

namespace hw::emulation {

namespace {

constexpr std::int64_t kNot = -1;
constexpr std::int64_t kCoolDownMs = 60'000;    // a generator runs on for (assumed)
constexpr std::int64_t kRechargeMs = 3'600'000; // an empty battery is full again after (assumed); what it takes meanwhile is left out
constexpr std::uint32_t kNoWay = 0xFFFFFFFFu;

} // namespace

Electric::Electric(const impact::Model& model) : m_model(model), m_plant(*model.plant)
{
    const power::Network& given = m_plant.network;
    const auto n = Index(given.size());
    for (Index i = 0; i < n; ++i) {
        m_elements.push_back(given[i]);
        m_feeds.emplace_back(given.feeds(i).begin(), given.feeds(i).end());
        m_design.push_back(given[i].draw);
        // Whether supplies that are left suffice is decided by design power, as the design counts.
        m_elements.back().least = std::max(given[i].least, given[i].draw);
    }
    m_elements.emplace_back(); // nothing: where ways lead that are cut
    m_feeds.emplace_back();
    m_feedsNow = m_feeds;
    for (auto* flags : {&m_lost, &m_tripped, &m_running, &m_empty, &m_onBattery}) flags->assign(n + 1, 0);
    for (auto* times : {&m_wanted, &m_idle, &m_moving}) times->assign(n + 1, kNot);
    m_over.assign(n + 1, 0);
    m_energy = m_plant.energy;
    m_way.assign(n + 1, kNoWay);
    build(m_design);
    m_flow = power::flowOf(*m_network, {});
    for (Index i = 0; i < m_plant.devices; ++i) m_running[i] = m_plant.generator[i] && m_flow.through[i].total().count() > 0; // its usual source
    for (Index i = 0; i < m_plant.devices; ++i)
        if (m_plant.slow[i] && m_flow.live[i]) m_way[i] = wayOf(i);
    energize();
}

void Electric::build(std::span<const Milliwatts> draws)
{
    for (Index i = 0; i < m_plant.devices; ++i) m_elements[i].draw = draws[i];
    m_network = std::make_unique<power::Network>(m_elements, m_feedsNow);
}

void Electric::lose(std::span<const DeviceId> devices, std::span<const power::Network::Use> ways, std::span<const std::uint8_t> phases)
{
    std::ranges::fill(m_lost, 0);
    for (const DeviceId id : devices) m_lost[id.value] = 1;
    m_feedsNow = m_feeds;
    for (std::size_t i = 0; i < phases.size(); ++i)
        if (phases[i] > 0)
            for (power::Feed& feed : m_feedsNow[i]) feed.phase = phases[i];
    for (const auto& way : ways) m_feedsNow[way.consumer][way.feed].from = Index(m_elements.size() - 1);
}

void Electric::close(std::optional<DeviceId> device)
{
    if (device)
        m_tripped[(*device).value] = 0;
    else
        std::ranges::fill(m_tripped, 0);
}

double Electric::charge(DeviceId ups) const
{
    const Index battery = m_plant.batteryOf[ups.value];
    if (battery == impact::Plant::kNoBattery) return 1;
    const std::size_t at = battery - m_plant.devices;
    return m_plant.energy[at] > 0 ? double(m_energy[at]) / double(m_plant.energy[at]) : 0;
}

std::vector<power::Index> Electric::gone() const
{
    std::vector<Index> out;
    for (Index i = 0; i < m_elements.size(); ++i)
        if (m_lost[i] || m_tripped[i] || m_empty[i] || m_wanted[i] != kNot || m_moving[i] != kNot) out.push_back(i);
    out.push_back(Index(m_elements.size() - 1));
    return out;
}

std::uint32_t Electric::wayOf(Index element) const
{
    const auto feeds = m_network->feeds(element);
    for (std::uint32_t f = 0; f < feeds.size(); ++f)
        if (m_flow.live[feeds[f].from]) return f;
    return kNoWay;
}

/// Generators that would carry something and do not run yet, and what changes over with a gap: out, until their time has come.
bool Electric::wantsMore(std::int64_t ms, std::span<const std::int64_t> wantedBefore)
{
    bool more = false;
    for (Index i = 0; i < m_plant.devices; ++i) {
        if (!m_plant.generator[i] || m_running[i] || m_flow.through[i].total().count() <= 0) continue;
        m_wanted[i] = wantedBefore[i] == kNot ? ms : wantedBefore[i];
        more = true;
    }
    if (more) return true;
    for (Index i = 0; i < m_plant.devices; ++i) {
        if (!m_plant.slow[i] || !m_flow.live[i]) continue;
        const std::uint32_t way = wayOf(i);
        if (way == m_way[i]) continue;
        const bool toGenerator = way != kNoWay && m_network->feeds(i)[way].from < m_plant.devices && m_plant.generator[m_network->feeds(i)[way].from];
        m_way[i] = way;
        if (toGenerator) continue; // within its start
        m_moving[i] = ms + m_plant.overMs;
        more = true;
    }
    return more;
}

void Electric::settle(std::int64_t ms)
{
    std::vector<std::int64_t> before(m_wanted.size(), kNot);
    before.swap(m_wanted);
    do m_flow = power::flowOf(*m_network, gone());
    while (wantsMore(ms, before));
}

void Electric::energize()
{
    m_energized.assign(m_elements.size(), 0);
    const auto order = m_network->order(); // consumers first
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        const Index i = *at;
        if (!m_flow.live[i]) continue;
        const auto feeds = m_network->feeds(i);
        const bool stands = i < m_plant.devices && m_plant.generator[i] && !m_running[i];
        m_energized[i] = feeds.empty() ? !stands : std::ranges::any_of(feeds, [&](const auto& feed) { return m_energized[feed.from] != 0; });
    }
}

void Electric::drain(std::int64_t ms, std::vector<HallEvent>& happenings)
{
    for (std::size_t b = 0; b < m_energy.size(); ++b) {
        const Index i = m_plant.devices + Index(b), ups = m_plant.upsOf[b];
        const std::int64_t drawn = m_flow.through[i].total().count();
        if (drawn > 0) {
            if (!m_onBattery[i]) happenings.push_back({ms, i18n("{} is on battery", nameOf(ups))});
            m_energy[b] = std::max<std::int64_t>(0, m_energy[b] - drawn * (ms - m_now));
            if (m_energy[b] == 0 && !m_empty[i]) m_empty[i] = 1, happenings.push_back({ms, i18n("battery of {} is depleted", nameOf(ups))});
        } else if (m_flow.live[ups]) {
            m_energy[b] = std::min(m_plant.energy[b], m_energy[b] + m_plant.energy[b] / kRechargeMs * (ms - m_now));
            if (m_energy[b] > m_plant.energy[b] / 10) m_empty[i] = 0;
        }
        m_onBattery[i] = drawn > 0;
    }
}

void Electric::startGenerators(std::int64_t ms, std::vector<HallEvent>& happenings)
{
    for (Index i = 0; i < m_plant.devices; ++i) {
        if (m_wanted[i] != kNot && m_wanted[i] + m_plant.startMs <= ms) {
            m_wanted[i] = kNot, m_running[i] = 1;
            happenings.push_back({ms, i18n("{} is running", nameOf(i))});
        }
        if (m_moving[i] != kNot && m_moving[i] <= ms) m_moving[i] = kNot;
        if (!m_plant.generator[i] || !m_running[i]) continue;
        const bool idle = m_flow.through[i].total().count() == 0;
        m_idle[i] = !idle ? kNot : m_idle[i] == kNot ? ms : m_idle[i];
        if (idle && ms - m_idle[i] >= kCoolDownMs) m_running[i] = 0, m_idle[i] = kNot;
    }
}

/// Of what is overloaded for too long, the nearest to the loads: that may relieve those above.
void Electric::trip(std::int64_t ms, std::vector<HallEvent>& happenings)
{
    if (!m_plant.tripMs) return;
    std::vector<char> above(m_elements.size(), 0);
    std::vector<Index> due;
    for (const Index i : m_network->order()) { // consumers first
        if (above[i])
            for (const auto& feed : m_network->feeds(i)) above[feed.from] = 1;
        if (i >= m_plant.devices || m_plant.trip[i] <= 0) continue;
        const auto carries = m_plant.opensMs(i, m_model.chain->flow.through[i]) ? std::nullopt : m_plant.opensMs(i, m_flow.through[i]);
        m_over[i] = !carries ? 0 : *carries > 0 ? m_over[i] + double(ms - m_now) / double(*carries) : 1;
        if (m_over[i] < 1 || above[i]) continue;
        due.push_back(i);
        for (const auto& feed : m_network->feeds(i)) above[feed.from] = 1;
    }
    for (const Index i : due) {
        m_tripped[i] = 1, m_over[i] = 0;
        happenings.push_back({ms, i18n("{} trips: overloaded for too long", nameOf(i))});
    }
}

void Electric::advance(std::int64_t ms, std::span<const Milliwatts> draws, std::vector<HallEvent>& happenings)
{
    build(draws);
    startGenerators(ms, happenings);
    settle(ms);
    drain(ms, happenings);
    trip(ms, happenings);
    energize();
    m_now = ms;
}

} // namespace hw::emulation
