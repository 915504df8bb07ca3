// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/job_series.h"

#include "core/derived/topology/nic_ports.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace hw::emulation {

namespace {

constexpr double kDataWait = 0.004;     // of an iteration, with all storage nodes (assumed: the loader reads ahead)
constexpr double kStorageLoad = 0.3;    // of what the storage nodes deliver, that training reads (assumed)
constexpr double kStanding = 0.05;      // of usual progress: it stands
constexpr double kSaving = 0.5;         // below: it writes a checkpoint
constexpr double kSlowestShare = 0.001; // of a port: less is a port that is down

enum Whole : std::uint32_t { kIteration, kIterationTime, kTokens, kMfu, kCheckpoint, kRanks, kHosts, kWhole };
constexpr const char* kWholeMetrics[] = {"training_iteration", "training_iteration_seconds",  "training_tokens_per_second",
                                         "training_mfu",       "training_checkpoint_seconds", "training_ranks",
                                         "training_hosts"};
constexpr const char* kRankMetrics[] = {"training_compute_seconds", "training_send_seconds", "training_data_wait_seconds"};

/// A level of an MQTT topic.
std::string topicLevel(std::string text)
{
    for (char& c : text)
        if (c == '/' || c == '+' || c == '#' || c == ' ') c = '-';
    return text;
}

} // namespace

JobEmulation::JobEmulation(const Hall& hall, TrainingSeries plan, std::uint64_t seed)
    : m_hall(hall), m_plan(std::move(plan)), m_random(seed, 0x6a6f62)
{
    const impact::Model& m = hall.model();
    NicPorts nics(*m.parts);
    for (const DeviceId host : hall.jobHosts()) {
        ++m_servers;
        std::map<int, std::vector<PortId>> cards;
        m.s->ports.forEach([&](PortId port) {
            const auto network = m.s->ports.network[port];
            if (m.s->ports.device[port] == host && network && m.s->networks.kind[*network] == NetworkKind::Backend)
                cards[nics.of(*m.s, port).rail].push_back(port);
        });
        std::vector<std::vector<PortId>> all;
        for (auto& [rail, ports] : cards) all.push_back(std::move(ports));
        const int gpus = m.gpus[host.value];
        for (int gpu = 0; gpu < gpus; ++gpu)
            m_ranks.push_back({host, all.empty() ? std::vector<PortId>() : all[std::size_t(gpu) * all.size() / std::size_t(gpus)]});
    }
    for (const char* metric : kWholeMetrics) m_channels.push_back({metric, -1, {}});
    for (std::size_t r = 0; r < m_ranks.size(); ++r)
        for (const char* metric : kRankMetrics) m_channels.push_back({metric, int(r), m.s->devices.name[m_ranks[r].host]});
}

/// What an iteration takes while all is as it is.
JobEmulation::Now JobEmulation::now() const
{
    Now out;
    double compute = m_plan.computeS, send = m_plan.sendS;
    for (const Rank& rank : m_ranks) {
        out.computeS.push_back(m_plan.computeS / std::max(0.01, m_hall.speed(rank.host)));
        double share = 0;
        for (const PortId port : rank.ports) share += m_hall.portShare(port) / double(rank.ports.size());
        out.sendS.push_back(rank.ports.empty() ? m_plan.sendS : m_plan.sendS / std::max(kSlowestShare, share));
        compute = std::max(compute, out.computeS.back()), send = std::max(send, out.sendS.back());
    }
    if (!m_plan.storage.empty()) {
        double up = 0;
        for (const DeviceId node : m_plan.storage) up += m_hall.isUp(node);
        out.storage = up / double(m_plan.storage.size());
    }
    const double usual = kDataWait * m_plan.iterationS, base = m_plan.iterationS + (compute - m_plan.computeS) + (send - m_plan.sendS);
    const double load = out.storage > 0 ? kStorageLoad / out.storage * m_plan.iterationS / base : 1e6; // it reads as fast as it trains
    out.waitS = load < 1 ? usual * (1 - kStorageLoad) / std::max(0.05, 1 - load) : usual * (1 - kStorageLoad) / 0.05 + base * (load - 1);
    out.iterationS = base + out.waitS - usual;
    return out;
}

std::span<const JobEmulation::Reading> JobEmulation::advance()
{
    m_readings.clear();
    const std::int64_t ms = m_hall.nowMs();
    const double seconds = double(ms - m_lastMs) / 1000, wentOn = m_hall.jobSeconds();
    const double progress = seconds > 0 ? (wentOn - m_wentOn) / seconds : 0;
    m_lastMs = ms, m_wentOn = wentOn;
    if (m_ranks.empty()) return {};
    const Now now = this->now();
    if (progress < kStanding) {
        if (!std::exchange(m_stood, true)) m_iterations = m_saved; // it goes on from its last checkpoint
    } else {
        m_stood = false;
        const bool saving = progress < kSaving;
        if (m_saving && !saving) m_saved = std::floor(m_iterations);
        m_saving = saving;
        if (!saving) m_iterations += seconds / now.iterationS;
    }
    if (ms < m_nextMs) return {};
    m_nextMs = ms + std::llround(m_plan.everyS * 1000);
    read(now);
    return m_readings;
}

void JobEmulation::read(const Now& now)
{
    const std::int64_t at = m_hall.startMs() + m_hall.nowMs();
    const auto say = [&](std::uint32_t channel, double value) { m_readings.push_back({channel, at, value}); };
    const double slower = m_plan.iterationS / now.iterationS;
    say(kIteration, std::floor(m_iterations));
    if (m_stood) return; // nothing else is measured
    const auto servers = m_hall.jobHosts().size();
    say(kIterationTime, noisy(now.iterationS));
    if (m_plan.tokensPerS > 0) say(kTokens, noisy(m_plan.tokensPerS * slower));
    if (m_plan.mfu > 0) say(kMfu, noisy(m_plan.mfu * slower));
    say(kCheckpoint, noisy(m_plan.checkpointS / std::max(0.01, now.storage)));
    say(kRanks, double(m_servers > 0 ? m_ranks.size() * servers / m_servers : 0));
    say(kHosts, double(servers));
    for (std::uint32_t r = 0; r < m_ranks.size(); ++r) {
        if (!m_hall.isUp(m_ranks[r].host)) continue;
        const std::uint32_t first = kWhole + 3 * r;
        say(first, noisy(now.computeS[r])), say(first + 1, noisy(now.sendS[r])), say(first + 2, noisy(now.waitS));
    }
}

std::vector<std::pair<std::string, std::string>> JobEmulation::labels(std::uint32_t channel) const
{
    const Channel& one = m_channels[channel];
    if (one.rank < 0) return {{"job_name", m_plan.job}};
    return {{"host", one.host}, {"job_name", m_plan.job}, {"rank", std::to_string(one.rank)}};
}

std::string JobEmulation::series(std::uint32_t channel) const
{
    std::string out = m_channels[channel].metric + '{';
    for (const auto& [name, value] : labels(channel)) {
        std::string quoted;
        for (const char c : value) {
            if (c == '\\' || c == '"') quoted += '\\';
            quoted += c == '\n' ? ' ' : c;
        }
        out += fmt::format("{}{}=\"{}\"", out.back() == '{' ? "" : ",", name, quoted);
    }
    return out + '}';
}

std::string JobEmulation::topic(std::uint32_t channel) const
{
    const Channel& one = m_channels[channel];
    const std::string metric = one.metric.substr(one.metric.find('_') + 1), job = topicLevel(m_plan.job);
    return one.rank < 0 ? fmt::format("training/{}/{}", job, metric)
                        : fmt::format("training/{}/rank/{}/{}/{}", job, one.rank, topicLevel(one.host), metric);
}

} // namespace hw::emulation
