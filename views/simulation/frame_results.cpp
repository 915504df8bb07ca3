// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/frame_results.h"

#include "simulation/fabric/hottest_links.h"

#include <algorithm>
#include <atomic>

namespace hw::views {

namespace {

constexpr std::size_t kMostKept = 4;

/// What is looked at in one place only, here, may be written again: whoever let go of it before has done with it.
bool unused(const std::shared_ptr<sim::FlowResult>& result)
{
    if (result.use_count() != 1) return false;
    std::atomic_thread_fence(std::memory_order_acquire);
    return true;
}

} // namespace

void FrameResults::reset(std::shared_ptr<const sim::Playback> playback, std::shared_ptr<const sim::FlowResult> flows, std::uint64_t revision)
{
    if (playback == m_playback && flows == m_flows && revision == m_revision) return;
    m_playback = std::move(playback);
    m_flows = std::move(flows);
    m_revision = revision;
    m_flowsOver = m_flows ? sim::countFlows(*m_flows) : std::vector<std::uint32_t>();
    m_kept.clear();
}

FrameResults::Kept& FrameResults::take(bool withFlows)
{
    for (Kept& kept : m_kept)
        if (kept.withFlows == withFlows && unused(kept.result)) return kept;
    if (m_kept.size() >= kMostKept) m_kept.erase(m_kept.begin()); // somebody keeps it: it is theirs now
    ++m_copies;
    auto result = withFlows && m_flows ? std::make_shared<sim::FlowResult>(*m_flows) : std::make_shared<sim::FlowResult>();
    result->revision = m_revision;
    result->capacityGbps = m_playback->capacityGbps;
    m_kept.push_back({std::move(result), withFlows, true});
    return m_kept.back();
}

std::shared_ptr<const sim::FlowResult> FrameResults::make(const Wanted& wanted)
{
    Kept& kept = take(wanted.withFlows);
    sim::FlowResult& result = *kept.result;
    result.scenarioName = wanted.label;
    result.loadGbps = wanted.loads;
    if (!kept.whole) result.capacityGbps = m_playback->capacityGbps;
    kept.whole = wanted.dead.empty();
    for (const std::uint32_t link : wanted.dead)
        if (link < result.capacityGbps.size()) result.capacityGbps[link] = 0;
    sim::rankHottest(result, sim::kHottestLinks,
                     {.flowsOver = wanted.withFlows ? std::span<const std::uint32_t>(m_flowsOver) : std::span<const std::uint32_t>()});
    return kept.result;
}

} // namespace hw::views
