// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/amdahl.h"
#include "simulation/formulas/collectives.h"
#include "simulation/formulas/forwarding.h"
#include "simulation/formulas/xlink.h"
#include "simulation/questions/analyses.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::sim::inline questions {

namespace {

constexpr double kGiga = 1e9;
const char* const kNoContention = "Closed form: every rank has its bandwidth to itself; no contention, queueing or congestion control.";

Field bandwidth(std::string key, double fallback, std::string help) { return number(std::move(key), "GB/s", fallback, 1e-3, 1e6, std::move(help)); }
Field hostSize() { return integer("gpus_per_host", 8, 1, 1024, "GPUs of a host, each with its own NIC"); }

Result<Json> runAmdahl(const Json& p, const Progress&)
{
    const double share = numberOf(p, "communication_share"), k = numberOf(p, "communication_speedup"), saved = numberOf(p, "time_saved");
    const SpeedUp s = amdahl(share, k);
    Json ratios = Json::array();
    for (const int hosts : integersOf(p, "hosts"))
        ratios.push_back({{"hosts", hosts},
                          {"serial_hierarchical", hierarchicalRatio(hosts, integerOf(p, "gpus_per_host"), numberOf(p, "nvlink_gbytes_per_s") * kGiga,
                                                                    numberOf(p, "fast_host_gbps"), numberOf(p, "slow_host_gbps"))}});
    const double claimed = numberOf(p, "claimed_eflops") * 1e18;
    const PeakFlops peak = clusterPeak(numberOf(p, "accelerators"), numberOf(p, "dense_tflops") * 1e12, numberOf(p, "sparse_factor"));
    const double needed = communicationShareFor(saved, k);
    Json notes = {kNoContention};
    if (needed > 1) notes.push_back(fmt::format("No communication share lets a network {:g} times as fast save {:g} % of the time.", k, saved * 100));
    if (!peak.denseExceeds(claimed))
        notes.push_back(fmt::format("More than {:g} EFLOPS is false for dense matrices ({:.3f} EFLOPS){}.", claimed / 1e18, peak.denseFlops / 1e18,
                                    peak.sparseExceeds(claimed) ? " and holds with 2:4 sparsity only" : ""));
    return answer({{"iteration_time", s.iterationTime},
                   {"communication_share", s.communicationShare},
                   {"time_saved", s.timeSaved},
                   {"throughput", s.throughput},
                   {"needed_communication_share", needed},
                   {"minimum_communication_share", minimumCommunicationShare(saved)},
                   {"throughput_at_time_saved", 1 / (1 - saved)},
                   {"network_only_ratio", networkOnlyRatio(numberOf(p, "fast_host_gbps"), numberOf(p, "slow_host_gbps"))},
                   {"allreduce_ratio", ratios},
                   {"peak",
                    {{"dense_eflops", peak.denseFlops / 1e18},
                     {"sparse_eflops", peak.sparseFlops / 1e18},
                     {"dense_exceeds_claim", peak.denseExceeds(claimed)},
                     {"sparse_exceeds_claim", peak.sparseExceeds(claimed)}}}},
                  notes);
}

double flatS(const std::string& algorithm, const std::string& collective, int ranks, double bytes, int tiers, AlphaBeta way)
{
    if (algorithm == "tree") return treeAllReduceS(ranks, bytes, way);
    if (algorithm == "in-network") return inNetworkAllReduceS(ranks, bytes, tiers, way);
    if (collective == "reduce-scatter") return reduceScatterS(ranks, bytes, way);
    if (collective == "all-gather") return allGatherS(ranks, bytes, way);
    if (collective == "all-to-all") return allToAllS(ranks, bytes, way);
    if (collective == "broadcast") return broadcastS(ranks, bytes, way);
    return ringAllReduceS(ranks, bytes, way);
}

Collective collectiveOf(const std::string& name)
{
    if (name == "reduce-scatter") return Collective::ReduceScatter;
    if (name == "all-gather") return Collective::AllGather;
    if (name == "all-to-all") return Collective::AllToAll;
    if (name == "broadcast") return Collective::Broadcast;
    return Collective::AllReduce;
}

Result<Json> runCollective(const Json& p, const Progress&)
{
    const std::string collective = textOf(p, "collective"), algorithm = p.contains("algorithm") ? textOf(p, "algorithm") : "ring";
    const double library = numberOf(p, "library_factor");
    const AlphaBeta way{numberOf(p, "alpha_us") * 1e-6, numberOf(p, "gbytes_per_s") * kGiga * library};
    const bool hierarchical = algorithm.starts_with("hierarchical");
    const AlphaBeta inside{numberOr(p, "nvlink_alpha_us", 0) * 1e-6, numberOr(p, "nvlink_gbytes_per_s", 1) * kGiga * library};
    const int perHost = hierarchical ? integerOf(p, "gpus_per_host") : 1, tiers = int(numberOr(p, "tiers", 1));
    Json points = Json::array();
    for (const int ranks : integersOf(p, "ranks")) {
        if (hierarchical && ranks % perHost != 0)
            return fail(ErrorCode::Refused, "ranks", fmt::format("{} are not whole hosts of {}", ranks, perHost), "use a multiple");
        const HostGroup group{ranks / perHost, perHost, inside, way};
        for (const double bytes : numbersOf(p, "bytes")) {
            const double s = !hierarchical                 ? flatS(algorithm, collective, ranks, bytes, tiers, way)
                             : algorithm == "hierarchical" ? hierarchicalAllReduceS(group, bytes)
                                                           : hierarchicalAllReduceOverlappedS(group, bytes);
            const double rate = s > 0 ? bytes / s / kGiga : 0;
            points.push_back({{"ranks", ranks},
                              {"bytes", bytes},
                              {"time_s", s},
                              {"algorithm_gbytes_per_s", rate},
                              {"bus_gbytes_per_s", rate * busBandwidthFactor(collectiveOf(collective), ranks)}});
        }
    }
    return answer({{"points", points}}, {kNoContention});
}

Result<Json> runForwarding(const Json& p, const Progress&)
{
    const HostGroup group{integerOf(p, "hosts"),
                          integerOf(p, "gpus_per_host"),
                          {0, numberOf(p, "nvlink_gbytes_per_s") * kGiga},
                          {numberOf(p, "alpha_us") * 1e-6, numberOf(p, "nic_gbytes_per_s") * kGiga}};
    Json points = Json::array();
    bool slower = false;
    for (const double bytes : numbersOf(p, "bytes_per_pair")) {
        const AllToAllCase c{group, bytes};
        const double direct = directAllToAllS(c), overlapped = forwardedAllToAllS(c, true), serial = forwardedAllToAllS(c, false);
        slower = slower || serial > direct;
        points.push_back({{"bytes_per_pair", bytes},
                          {"direct_s", direct},
                          {"forwarded_overlapped_s", overlapped},
                          {"forwarded_serial_s", serial},
                          {"speedup_overlapped", direct / overlapped},
                          {"speedup_serial", direct / serial}});
    }
    Json notes = {kNoContention};
    if (slower) notes.push_back("Without overlap forwarding is slower than sending directly for the large messages here.");
    return answer({{"points", points},
                   {"flows_direct", directFlows(group)},
                   {"flows_forwarded", forwardedFlows(group)},
                   {"cross_rail_share_direct", crossRailShare(group, false)},
                   {"cross_rail_share_forwarded", crossRailShare(group, true)}},
                  notes);
}

Result<Json> runXlink(const Json& p, const Progress&)
{
    const XlinkCase c{integerOf(p, "expert_parallel"),
                      integerOf(p, "tensor_parallel"),
                      numberOf(p, "bytes_per_gpu"),
                      numberOf(p, "inside_gbytes_per_s") * kGiga,
                      numberOf(p, "outside_gbytes_per_s") * kGiga,
                      flagOf(p, "overlapped")};
    Json points = Json::array();
    for (const XlinkPoint& x : sweepDomain(c, integersOf(p, "domains")))
        points.push_back({{"domain_gpus", x.domainGpus},
                          {"time_s", x.timeS},
                          {"inside_s", x.insideS},
                          {"outside_s", x.outsideS},
                          {"inside_share", x.insideShare}});
    return answer(
        {{"points", points}, {"flat_from_gpus", flatFromDomain(c)}},
        {kNoContention,
         "The curve is flat from a domain of expert_parallel × tensor_parallel GPUs on: the best domain size follows the model, it is no constant."});
}

} // namespace

Analysis amdahlAnalysis()
{
    return {"amdahl",
            "What a faster network saves, all-reduce ratios, and whether a cluster's FLOPS claim holds",
            {number("communication_share", "", 0.35, 0, 1, "exposed communication in an iteration"),
             number("communication_speedup", "", 14.0, 1.001, 1e6, "how many times as fast communication becomes"),
             number("time_saved", "", 0.64, 0, 0.999, "a saving to explain: which share of communication it needs"),
             integers("hosts", {2, 8, 32, 256}, 1, 1e6, "host counts of the all-reduce ratios"), hostSize(),
             bandwidth("nvlink_gbytes_per_s", 300, "of a GPU inside the host"), number("fast_host_gbps", "Gb/s", 1600.0, 1, 1e6, "network of a host"),
             number("slow_host_gbps", "Gb/s", 100.0, 1, 1e6, "network of the host compared with"),
             number("accelerators", "", 2048.0, 1, 1e8, "of the cluster with the FLOPS claim"),
             number("dense_tflops", "TFLOPS", 312.0, 0.1, 1e6, "dense peak of one"), number("sparse_factor", "", 2.0, 1, 4, "sparse over dense peak"),
             number("claimed_eflops", "EFLOPS", 1.0, 1e-6, 1e6, "the claim to check")},
            runAmdahl};
}

Analysis collectiveAnalysis()
{
    const std::vector<Condition> inHosts = {is("algorithm", {"hierarchical", "hierarchical-overlapped"})};
    return {"collective",
            "Time and bandwidth of a collective over message size and rank count (α-β model)",
            {text("collective", "all-reduce", {"all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast"}, "which one"),
             onlyWhen(text("algorithm", "ring", {"ring", "tree", "in-network", "hierarchical", "hierarchical-overlapped"}, "of an all-reduce"),
                      {is("collective", {"all-reduce"})}),
             integers("ranks", {16}, 1, 1e7, "GPUs"), numbers("bytes", "B", {1e9}, 1, 1e15, "buffer of a rank"),
             number("alpha_us", "µs", 0.0, 0, 1e6, "latency of a message"), bandwidth("gbytes_per_s", 50, "of a rank in one direction"),
             onlyWhen(hostSize(), inHosts), onlyWhen(number("nvlink_alpha_us", "µs", 0.0, 0, 1e6, "latency inside the host"), inHosts),
             onlyWhen(bandwidth("nvlink_gbytes_per_s", 300, "of a GPU inside the host"), inHosts),
             onlyWhen(integer("tiers", 2, 1, 5, "switch tiers that reduce"), {is("algorithm", {"in-network"})}),
             number("library_factor", "", 1.0, 0.01, 10, "of the collective library on bandwidth")},
            runCollective};
}

Analysis forwardingAnalysis()
{
    return {"pxn",
            "All-to-all directly against forwarding through the rail's GPU inside the host",
            {integer("hosts", 32, 2, 1e6, "hosts"), hostSize(), bandwidth("nic_gbytes_per_s", 25, "of a GPU's NIC"),
             bandwidth("nvlink_gbytes_per_s", 300, "of a GPU inside the host"), number("alpha_us", "µs", 1.0, 0, 1e6, "of a message between hosts"),
             numbers("bytes_per_pair", "B", {8e3, 65536, 262144, 1e6}, 1, 1e12, "from each GPU to each on other hosts")},
            runForwarding};
}

Analysis xlinkAnalysis()
{
    return {"xlink",
            "Expert all-to-all over the size of the scale-up domain",
            {integer("expert_parallel", 128, 1, 1e6, "ranks of the all-to-all"), integer("tensor_parallel", 1, 1, 1024, "GPUs of each expert rank"),
             number("bytes_per_gpu", "B", 1e9, 1, 1e15, "that a rank sends"), bandwidth("inside_gbytes_per_s", 450, "of a GPU in the domain"),
             bandwidth("outside_gbytes_per_s", 50, "of a GPU's NIC"), boolean("overlapped", true, "both networks at once"),
             integers("domains", {8, 16, 32, 64, 72, 128, 256}, 1, 1e6, "domain sizes, GPUs")},
            runXlink};
}

} // namespace hw::sim::inline questions
