// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/frame_results.h"

#include <algorithm>
#include <atomic>
#include <tuple>

namespace hw::views {

namespace {

constexpr std::size_t kMostKept = 4, kMostHottest = 200;

/// What is looked at in one place only, here, may be written again: whoever let go of it before has done with it.
bool unused(const std::shared_ptr<sim::FlowResult>& result)
{
    if (result.use_count() != 1) return false;
    std::atomic_thread_fence(std::memory_order_acquire);
    return true;
}

std::vector<std::uint32_t> countFlows(const sim::FlowResult& result)
{
    std::vector<std::uint32_t> flows(result.loadGbps.size(), 0);
    for (const std::uint32_t link : result.flowLinks)
        if (link < flows.size()) ++flows[link];
    return flows;
}

} // namespace

void rankHottest(sim::FlowResult& result, std::size_t most, std::span<const std::uint32_t> flowsOver)
{
    using Heat = std::tuple<double, std::int64_t, std::uint32_t>; // less is hotter
    const auto heat = [&](std::uint32_t link) {
        return Heat(-result.utilisation(link), link < flowsOver.size() ? -std::int64_t(flowsOver[link]) : 0, link);
    };
    std::vector<Heat> hottest; // a heap with the least hot of them in front: most links are compared with that one only
    for (std::uint32_t link = 0; link < result.loadGbps.size() && most > 0; ++link) {
        if (result.loadGbps[link] <= 0) continue;
        if (hottest.size() == most && heat(link) >= hottest.front()) continue;
        if (hottest.size() == most) {
            std::pop_heap(hottest.begin(), hottest.end());
            hottest.pop_back();
        }
        hottest.push_back(heat(link));
        std::push_heap(hottest.begin(), hottest.end());
    }
    std::sort_heap(hottest.begin(), hottest.end());
    result.hottest.clear();
    for (const auto& [used, flows, link] : hottest) result.hottest.push_back({link, -used, std::uint32_t(-flows)});
}

void FrameResults::reset(std::shared_ptr<const sim::Playback> playback, std::shared_ptr<const sim::FlowResult> flows, std::uint64_t revision)
{
    if (playback == m_playback && flows == m_flows && revision == m_revision) return;
    m_playback = std::move(playback);
    m_flows = std::move(flows);
    m_revision = revision;
    m_flowsOver = m_flows ? countFlows(*m_flows) : std::vector<std::uint32_t>();
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
    rankHottest(result, kMostHottest, wanted.withFlows ? std::span<const std::uint32_t>(m_flowsOver) : std::span<const std::uint32_t>());
    return kept.result;
}

} // namespace hw::views
