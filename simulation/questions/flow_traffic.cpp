// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/flow_traffic.h"

#include "simulation/fabric/hash.h"

#include <algorithm>
#include <numeric>

namespace hw::sim {
inline namespace questions {

const char* name(Workload workload)
{
    switch (workload) {
    case Workload::RingAllReduce: return "ring-allreduce";
    case Workload::Permutation: return "permutation";
    }
    return "";
}

Result<std::vector<DeviceId>> chosenServers(const Snapshot& s, const FlowQuestion& question)
{
    const auto has = [](const std::vector<int>& list, int value) { return list.empty() || std::find(list.begin(), list.end(), value) != list.end(); };
    std::vector<DeviceId> result;
    int pods = 0, segments = 0;
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] != TierKind::Server || s.devices.role[id] != DeviceRole::Active) return;
        pods = std::max(pods, s.devices.pod[id] + 1);
        segments = std::max(segments, s.devices.segment[id] + 1);
        if (has(question.pods, s.devices.pod[id] + 1) && has(question.segments, s.devices.segment[id] + 1)) result.push_back(id);
    });
    for (const int pod : question.pods)
        if (pod > pods) return fail(ErrorCode::Refused, "pods", i18n("pod {} does not exist", pod), i18n("choose 1 to {}", pods));
    for (const int segment : question.segments)
        if (segment > segments)
            return fail(ErrorCode::Refused, "segments", i18n("segment {} does not exist", segment), i18n("choose 1 to {}", segments));
    if (result.size() < 2)
        return fail(ErrorCode::Refused, "segments", i18n("{} active servers selected; traffic requires at least two", result.size()),
                    i18n("choose more segments or pods"));
    const auto order = [&](DeviceId id) { return std::tuple(s.devices.pod[id], s.devices.segment[id], s.devices.index[id]); };
    std::stable_sort(result.begin(), result.end(), [&](DeviceId a, DeviceId b) { return order(a) < order(b); });
    return result;
}

namespace {

std::vector<Transfer> rings(const FlowQuestion& question, const std::vector<DeviceId>& servers, int gpus)
{
    const double n = double(servers.size());
    const double bytes = question.bytes * 2.0 * (n - 1.0) / n;
    std::vector<Transfer> result;
    result.reserve(servers.size() * std::size_t(gpus));
    for (int gpu = 0; gpu < gpus; ++gpu)
        for (std::size_t i = 0; i < servers.size(); ++i)
            result.push_back({servers[i], servers[(i + 1) % servers.size()], std::int16_t(gpu), std::int16_t(gpu), bytes,
                              std::uint32_t(i * std::size_t(gpus) + std::size_t(gpu)),
                              std::uint32_t((i + 1) % servers.size() * std::size_t(gpus) + std::size_t(gpu))});
    return result;
}

/// One cycle through all GPUs (Sattolo 1986), so nobody sends to itself; pairs inside a host are left out.
std::vector<Transfer> permutation(const FlowQuestion& question, const std::vector<DeviceId>& servers, int gpus)
{
    std::vector<std::uint32_t> target(servers.size() * std::size_t(gpus));
    std::iota(target.begin(), target.end(), 0u);
    std::uint64_t state = mix(question.seed ^ 0x5eed);
    for (std::size_t i = target.size() - 1; i > 0; --i) {
        state = mix(state);
        std::swap(target[i], target[std::size_t((static_cast<unsigned __int128>(state) * i) >> 64)]);
    }
    std::vector<Transfer> result;
    const auto g = std::uint32_t(gpus);
    for (std::uint32_t i = 0; i < target.size(); ++i)
        if (i / g != target[i] / g)
            result.push_back(
                {servers[i / g], servers[target[i] / g], std::int16_t(i % g), std::int16_t(target[i] % g), question.bytes, i, target[i]});
    return result;
}

} // namespace

std::vector<Transfer> transfersOf(const FlowQuestion& question, const std::vector<DeviceId>& servers, int gpus)
{
    switch (question.workload) {
    case Workload::RingAllReduce: return rings(question, servers, gpus);
    case Workload::Permutation: return permutation(question, servers, gpus);
    }
    return {};
}

} // namespace questions
} // namespace hw::sim
