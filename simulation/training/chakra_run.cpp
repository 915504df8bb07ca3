// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/chakra.h"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace hw::sim {
inline namespace training {

namespace {

using importers::ChakraCollective;
using importers::ChakraKind;
using importers::ChakraNode;

constexpr double kSampleBytes = 1e9; ///< with which a collective is measured; its time is a latency and a share of the bytes

const char* chakraName(ChakraCollective collective)
{
    switch (collective) {
    case ChakraCollective::AllReduce: return "all-reduce";
    case ChakraCollective::Reduce: return "reduce";
    case ChakraCollective::AllGather: return "all-gather";
    case ChakraCollective::Gather: return "gather";
    case ChakraCollective::Scatter: return "scatter";
    case ChakraCollective::Broadcast: return "broadcast";
    case ChakraCollective::AllToAll: return "all-to-all";
    case ChakraCollective::ReduceScatter:
    case ChakraCollective::ReduceScatterBlock: return "reduce-scatter";
    case ChakraCollective::Barrier: return "barrier";
    }
    return "";
}

/// As it is played; nothing for those that are not. A reduce is a broadcast backward.
std::optional<Collective> playedAs(ChakraCollective collective)
{
    switch (collective) {
    case ChakraCollective::AllReduce: return Collective::AllReduce;
    case ChakraCollective::AllGather: return Collective::AllGather;
    case ChakraCollective::Reduce:
    case ChakraCollective::Broadcast: return Collective::Broadcast;
    case ChakraCollective::AllToAll: return Collective::AllToAll;
    case ChakraCollective::ReduceScatter:
    case ChakraCollective::ReduceScatterBlock: return Collective::ReduceScatter;
    default: return std::nullopt;
    }
}

class ChakraRunner {
public:
    ChakraRunner(const WorkloadFabric& fabric, const ChakraWorkload& workload, const TrainingJob& base, const JobRunOptions& options,
                 const Progress& progress)
        : m_fabric(fabric), m_work(workload), m_job(base), m_options(options.phase), m_free(options.free), m_progress(progress),
          m_planner(fabric.domainOfHost, fabric.gpusPerHost)
    {
        if (fabric.scaleUpGbps > 0) m_job.accelerator.scaleUpGbps = fabric.scaleUpGbps;
    }

    Result<ChakraRun> run()
    {
        if (auto ok = prepare(); !ok) return tl::unexpected(ok.error());
        for (std::uint32_t r = 0; r < m_ranks.size(); ++r)
            for (std::uint32_t n = 0; n < m_ranks[r].left.size(); ++n)
                if (m_ranks[r].left[n] == 0) ready(r, n);
        for (std::uint32_t r = 0; r < m_ranks.size(); ++r) issue(r);
        while (!m_events.empty() && !m_error) {
            if (m_progress.stop.stop_requested()) return fail(ErrorCode::Canceled, "chakra", i18n("stopped"), i18n("no result was written"));
            const Event event = m_events.top();
            m_events.pop();
            m_now = event.at;
            finish(event.rank, event.node);
        }
        if (m_error) return tl::unexpected(*m_error);
        if (m_done < m_run.nodes) return stuck();
        for (std::uint32_t r = 0; r < m_ranks.size(); ++r)
            if (m_ranks[r].endS > m_run.iterationS) m_run.iterationS = m_ranks[r].endS, m_run.lastRank = r;
        m_run.computeS = m_ranks[m_run.lastRank].computeS;
        m_run.waitS = m_run.iterationS - m_run.computeS;
        if (m_run.unreachable > 0) m_run.iterationS = m_run.waitS = std::numeric_limits<double>::infinity();
        return std::move(m_run);
    }

private:
    enum Resource : std::uint8_t { Gpu, Cpu, Wire, Message };
    struct Rank {
        std::vector<std::uint32_t> left;                                        ///< by node: dependencies that have not ended
        std::vector<std::vector<std::uint32_t>> next;                           ///< by node: those that wait for it
        std::array<std::set<std::pair<std::uint64_t, std::uint32_t>>, 4> ready; ///< by resource: (id, node)
        std::array<bool, 2> busy{};                                             ///< GPU, CPU
        std::set<std::string, std::less<>> busyGroups;                          ///< with a collective of this rank under way
        double computeS = 0, endS = 0;
        std::map<std::string, std::uint32_t> calls;                                     ///< collectives on a group so far
        std::map<std::tuple<std::int64_t, std::int64_t, bool>, std::uint32_t> messages; ///< (peer, tag, sends): so far
    };
    struct Event {
        double at = 0;
        std::uint32_t rank = 0, node = 0;
        bool operator>(const Event& other) const { return std::tie(at, rank, node) > std::tie(other.at, other.rank, other.node); }
    };
    /// What waits for the others: ranks and nodes that have come.
    struct Meeting {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> here;
    };
    struct Cost {
        double perByteS = 0, latencyS = 0;
        std::size_t kind = 0;
    };

    [[nodiscard]] const ChakraNode& node(std::uint32_t rank, std::uint32_t n) const { return m_work.ranks[rank].nodes[n]; }
    [[nodiscard]] std::string place(std::uint32_t rank, std::uint32_t n) const
    {
        return fmt::format("rank {}, node {} ({})", rank, node(rank, n).id, node(rank, n).name);
    }
    void refuse(std::string where, Text what, Text todo)
    {
        if (!m_error) m_error = Error{ErrorCode::Refused, std::move(where), std::move(what), std::move(todo)};
    }

    Result<void> prepare()
    {
        const auto count = std::uint32_t(m_work.ranks.size());
        const std::uint32_t g = m_fabric.gpusPerHost;
        if (count == 0) return fail(ErrorCode::Refused, "file", i18n("contains no traces"), i18n("specify the traces of all ranks"));
        auto hosts = placeHosts(m_fabric.places, m_free, (count + g - 1) / g, m_job.placement, m_job.placementSeed);
        if (!hosts) return tl::unexpected(hosts.error());
        m_places = RankPlaces(std::move(*hosts), g);
        for (std::uint32_t r = 0; r < count; ++r) m_all.push_back(r);
        m_ranks.resize(count);
        for (std::uint32_t r = 0; r < count; ++r) {
            const auto& nodes = m_work.ranks[r].nodes;
            Rank& rank = m_ranks[r];
            std::unordered_map<std::uint64_t, std::uint32_t> byId;
            for (std::uint32_t n = 0; n < nodes.size(); ++n)
                if (!byId.emplace(nodes[n].id, n).second)
                    return fail(ErrorCode::Refused, place(r, n), i18n("duplicate node id"), i18n("use a unique id for each node"));
            rank.left.assign(nodes.size(), 0), rank.next.resize(nodes.size());
            for (std::uint32_t n = 0; n < nodes.size(); ++n)
                for (const auto id : nodes[n].waitsFor) {
                    const auto found = byId.find(id);
                    if (found == byId.end())
                        return fail(ErrorCode::Refused, place(r, n), i18n("waits for node {}, which is not in the trace", id),
                                    i18n("export the trace again"));
                    rank.next[found->second].push_back(n), ++rank.left[n];
                }
            m_run.nodes += nodes.size();
        }
        return {};
    }

    static Resource resourceOf(const ChakraNode& n)
    {
        if (n.kind == ChakraKind::Collective) return Wire;
        if (n.kind == ChakraKind::Send || n.kind == ChakraKind::Receive) return Message;
        return n.onCpu ? Cpu : Gpu;
    }
    void ready(std::uint32_t r, std::uint32_t n) { m_ranks[r].ready[resourceOf(node(r, n))].emplace(node(r, n).id, n); }

    /// Starts what can start on a rank.
    void issue(std::uint32_t r)
    {
        Rank& rank = m_ranks[r];
        for (const Resource resource : {Gpu, Cpu})
            if (!rank.busy[resource] && !rank.ready[resource].empty() && !m_error) {
                const std::uint32_t n = rank.ready[resource].begin()->second;
                rank.ready[resource].erase(rank.ready[resource].begin());
                rank.busy[resource] = true;
                compute(r, n);
            }
        for (auto at = rank.ready[Wire].begin(); at != rank.ready[Wire].end() && !m_error;) {
            const std::uint32_t n = at->second;
            if (!rank.busyGroups.insert(node(r, n).group).second) {
                ++at;
                continue;
            }
            at = rank.ready[Wire].erase(at);
            join(r, n, node(r, n));
        }
        for (const auto& [id, n] : std::exchange(rank.ready[Message], {}))
            if (!m_error) message(r, n);
    }

    void compute(std::uint32_t r, std::uint32_t n)
    {
        const ChakraNode& c = node(r, n);
        double seconds = double(c.durationMicros) * 1e-6;
        if (c.durationMicros == 0 && c.operations > 0 && c.kind == ChakraKind::Compute && !c.onCpu) {
            if (!(m_job.peakFlops() > 0))
                return refuse(place(r, n), i18n("has operations but no duration, and the peak of the accelerator is not known"),
                              i18n("record durations"));
            seconds = double(c.operations) / m_job.peakFlops(), ++m_run.byPeak;
        }
        if (!c.onCpu) m_ranks[r].computeS += seconds;
        m_events.push({m_now + seconds, r, n});
    }

    void message(std::uint32_t r, std::uint32_t n)
    {
        const ChakraNode& c = node(r, n);
        const bool sends = c.kind == ChakraKind::Send;
        const std::int64_t peer = sends ? c.destination : c.source;
        if (peer < 0 || peer >= std::int64_t(m_ranks.size()) || peer == std::int64_t(r))
            return refuse(place(r, n), i18n("its peer {} has no trace", peer), i18n("add the trace"));
        const std::uint32_t turn = m_ranks[r].messages[{peer, c.tag, sends}]++;
        const auto from = sends ? std::int64_t(r) : peer, to = sends ? peer : std::int64_t(r);
        const auto key = std::tuple(from, to, c.tag, turn);
        const auto [found, fresh] = m_messages.try_emplace(key, std::pair(r, n));
        if (fresh) return;
        const auto other = found->second;
        m_messages.erase(found);
        const auto cost = sendCost(std::uint32_t(from), std::uint32_t(to));
        if (!cost) return void(m_error = cost.error());
        const double bytes = double(std::max(c.bytes, node(other.first, other.second).bytes));
        end(**cost, bytes, {{r, n}, other});
    }

    void join(std::uint32_t r, std::uint32_t n, const ChakraNode& c)
    {
        const std::vector<std::uint32_t>* members = &m_all;
        if (!c.group.empty() && !m_work.groups.empty()) {
            const auto found = m_work.groups.find(c.group);
            if (found == m_work.groups.end())
                return refuse(place(r, n), i18n("unknown process group \"{}\"", c.group), i18n("add it to the groups file"));
            members = &found->second;
        }
        if (std::ranges::find(*members, r) == members->end())
            return refuse(place(r, n), i18n("is not a member of process group \"{}\"", c.group), i18n("correct the groups file"));
        const std::uint32_t turn = m_ranks[r].calls[c.group]++;
        Meeting& meeting = m_meetings[{c.group, turn}];
        if (!meeting.here.empty()) {
            const auto& first = node(meeting.here.front().first, meeting.here.front().second);
            if (first.collective != c.collective)
                return refuse(place(r, n),
                              i18n("is {}, but rank {} calls {}", chakraName(c.collective), meeting.here.front().first, chakraName(first.collective)),
                              i18n("record the ranks together"));
        }
        meeting.here.emplace_back(r, n);
        if (meeting.here.size() < members->size()) return;
        const auto here = std::move(meeting.here);
        m_meetings.erase({c.group, turn});
        std::uint64_t bytes = 0;
        for (const auto& [rank, at] : here) bytes = std::max(bytes, node(rank, at).bytes);
        if (c.collective == ChakraCollective::Barrier || members->size() < 2) return end({}, 0, here, false);
        const auto cost = collectiveCost(c.collective, *members, place(r, n));
        if (!cost) return void(m_error = cost.error());
        const double share = c.collective == ChakraCollective::AllGather ? double(members->size()) : 1;
        end(**cost, double(bytes) * share, here);
    }

    void end(const Cost& cost, double bytes, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& here, bool counts = true)
    {
        const double seconds = counts && bytes > 0 ? cost.perByteS * bytes + cost.latencyS : 0;
        if (counts) {
            auto& kind = m_run.kinds[cost.kind];
            kind.bytes += bytes, kind.seconds += seconds, ++kind.operations;
        }
        for (const auto& [rank, n] : here) m_events.push({m_now + seconds, rank, n});
    }

    void finish(std::uint32_t r, std::uint32_t n)
    {
        Rank& rank = m_ranks[r];
        const Resource resource = resourceOf(node(r, n));
        if (resource == Wire)
            rank.busyGroups.erase(node(r, n).group);
        else if (resource != Message)
            rank.busy[resource] = false;
        rank.endS = std::max(rank.endS, m_now);
        ++m_done;
        for (const auto after : rank.next[n])
            if (--rank.left[after] == 0) ready(r, after);
        issue(r);
    }

    Result<const Cost*> measured(const std::string& name, const CollectivePlan& plan)
    {
        const auto result = runPlan(m_fabric, plan, m_job, m_options, m_progress);
        if (!result) return tl::unexpected(result.error());
        m_run.flows += result->flows, m_run.unreachable += result->unreachable;
        m_run.certified = m_run.certified && result->certified;
        auto kind = std::ranges::find(m_run.kinds, name, &ChakraRun::Kind::name);
        if (kind == m_run.kinds.end()) m_run.kinds.push_back({name, 0, 0, 0}), kind = std::prev(m_run.kinds.end());
        m_costs.push_back(std::make_unique<Cost>(
            Cost{result->fluidS / m_job.libraryFactor / kSampleBytes, result->latencyS, std::size_t(kind - m_run.kinds.begin())}));
        return m_costs.back().get();
    }

    /// With all groups of its size that share no rank with it or with each other, in the order of their names.
    Result<const Cost*> collectiveCost(ChakraCollective collective, const std::vector<std::uint32_t>& members, const std::string& where)
    {
        const auto key = std::pair(collective, members);
        if (const auto found = m_collectives.find(key); found != m_collectives.end()) return found->second;
        const auto played = playedAs(collective);
        if (!played)
            return fail(ErrorCode::Refused, where, i18n("{} is not supported", chakraName(collective)), i18n("record the iteration without it"));
        std::vector<const std::vector<std::uint32_t>*> together{&members};
        std::vector<char> taken(m_ranks.size(), 0);
        for (const auto rank : members) taken[rank] = 1;
        for (const auto& [name, other] : m_work.groups) {
            if (other.size() != members.size() || std::ranges::any_of(other, [&](std::uint32_t rank) { return taken[rank] != 0; })) continue;
            for (const auto rank : other) taken[rank] = 1;
            together.push_back(&other);
        }
        CollectivePlan plan;
        const Operation operation{*played, m_job.algorithms.gradient, m_job.algorithms.expert, kSampleBytes};
        for (const auto* group : together) {
            std::vector<std::uint32_t> gpus;
            for (const auto rank : *group) gpus.push_back(m_places.gpu(rank));
            m_planner.add(operation, gpus, plan);
        }
        const auto cost = measured(fmt::format("{} of {}", chakraName(collective), members.size()), plan);
        if (cost) // one measure for all that ran together
            for (const auto* group : together) m_collectives.emplace(std::pair(collective, *group), *cost);
        return cost;
    }

    Result<const Cost*> sendCost(std::uint32_t from, std::uint32_t to)
    {
        if (const auto found = m_sends.find({from, to}); found != m_sends.end()) return found->second;
        CollectivePlan plan;
        const std::array gpus{m_places.gpu(from), m_places.gpu(to)};
        m_planner.add({Collective::SendRecv, m_job.algorithms.gradient, m_job.algorithms.expert, kSampleBytes}, gpus, plan);
        const auto cost = measured("send", plan);
        if (cost) m_sends.emplace(std::pair(from, to), *cost);
        return cost;
    }

    /// The first rank that something is left of, and what it waits at.
    tl::unexpected<Error> stuck() const
    {
        const Text todo = i18n("record all ranks of one iteration together");
        for (const auto& [key, meeting] : m_meetings) {
            const auto& [rank, n] = meeting.here.front();
            return fail(ErrorCode::Refused, place(rank, n), i18n("waits for ranks that never reach it: {} have arrived", meeting.here.size()), todo);
        }
        for (const auto& [key, waiting] : m_messages)
            return fail(ErrorCode::Refused, place(waiting.first, waiting.second), i18n("waits for a message that never arrives"), todo);
        return fail(ErrorCode::Refused, "file", i18n("circular wait between nodes"), i18n("export the trace again"));
    }

    const WorkloadFabric& m_fabric;
    const ChakraWorkload& m_work;
    TrainingJob m_job;
    const PhaseOptions& m_options;
    const std::vector<std::uint8_t>& m_free;
    const Progress& m_progress;
    CollectivePlanner m_planner;
    RankPlaces m_places;
    std::vector<Rank> m_ranks;
    std::vector<std::uint32_t> m_all;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_events;
    std::map<std::pair<std::string, std::uint32_t>, Meeting> m_meetings;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> m_messages;
    std::vector<std::unique_ptr<Cost>> m_costs;
    std::map<std::pair<ChakraCollective, std::vector<std::uint32_t>>, const Cost*> m_collectives;
    std::map<std::pair<std::uint32_t, std::uint32_t>, const Cost*> m_sends;
    double m_now = 0;
    std::uint64_t m_done = 0;
    std::optional<Error> m_error;
    ChakraRun m_run;
};

} // namespace

Result<ChakraRun> runChakra(const WorkloadFabric& fabric, const ChakraWorkload& workload, const TrainingJob& base, const JobRunOptions& options,
                            const Progress& progress)
{
    return ChakraRunner(fabric, workload, base, options, progress).run();
}

} // namespace training
} // namespace hw::sim
