// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/amdahl.h"
#include "simulation/formulas/collectives.h"
#include "simulation/formulas/forwarding.h"
#include "simulation/formulas/xlink.h"
#include "simulation/questions/analyses.h"
#include "simulation/questions/form.h"

#include <algorithm>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr double kGiga = 1e9;
constexpr TextId kNoContention = TextId("Closed form: each rank has dedicated bandwidth; no contention, queueing or congestion control.");

Field bandwidth(std::string key, double fallback, Text help) { return number(std::move(key), "GB/s", fallback, 1e-3, 1e6, std::move(help)); }
Field hostSize() { return integer("gpus_per_host", 8, 1, 1024, i18n("GPUs per host, each with its own NIC")); }

struct AmdahlQuestion {
    double share = 0.35, speedUp = 14, saved = 0.64;
    std::vector<int> hosts;
    int gpusPerHost = 8;
    double nvlinkBytesPerS = 0, fastHostGbps = 0, slowHostGbps = 0;
    double accelerators = 0, denseTflops = 0, sparseFactor = 0, claimedEflops = 0;
};

Form<AmdahlQuestion> amdahlForm()
{
    using Q = AmdahlQuestion;
    Form<Q> form;
    form.to(&Q::share, number("communication_share", "", 0.35, 0, 1, i18n("exposed communication share of an iteration")))
        .to(&Q::speedUp, number("communication_speedup", "", 14.0, 1.001, 1e6, i18n("communication speedup factor")))
        .to(&Q::saved, number("time_saved", "", 0.64, 0, 0.999, i18n("time saving to explain: the communication share it requires")))
        .to(&Q::hosts, integers("hosts", {2, 8, 32, 256}, 1, 1e6, i18n("host counts for the all-reduce ratios")))
        .to(&Q::gpusPerHost, hostSize())
        .scaled(&Q::nvlinkBytesPerS, kGiga, bandwidth("nvlink_gbytes_per_s", 300, i18n("bandwidth per GPU within the host")))
        .to(&Q::fastHostGbps, number("fast_host_gbps", "Gb/s", 1600.0, 1, 1e6, i18n("network bandwidth per host")))
        .to(&Q::slowHostGbps, number("slow_host_gbps", "Gb/s", 100.0, 1, 1e6, i18n("network bandwidth of the host compared with")))
        .to(&Q::accelerators, number("accelerators", "", 2048.0, 1, 1e8, i18n("accelerators of the cluster in the FLOPS claim")))
        .to(&Q::denseTflops, number("dense_tflops", "TFLOPS", 312.0, 0.1, 1e6, i18n("dense peak per accelerator")))
        .to(&Q::sparseFactor, number("sparse_factor", "", 2.0, 1, 4, i18n("sparse peak / dense peak")))
        .to(&Q::claimedEflops, number("claimed_eflops", "EFLOPS", 1.0, 1e-6, 1e6, i18n("claim to check")));
    return form;
}

Result<ScenarioOutcome> runAmdahl(const AmdahlQuestion& q, const Progress&)
{
    const double k = q.speedUp, saved = q.saved;
    const SpeedUp s = amdahl(q.share, k);
    Json ratios = Json::array();
    for (const int hosts : q.hosts)
        ratios.push_back(
            {{"hosts", hosts}, {"serial_hierarchical", hierarchicalRatio(hosts, q.gpusPerHost, q.nvlinkBytesPerS, q.fastHostGbps, q.slowHostGbps)}});
    const double claimed = q.claimedEflops * 1e18;
    const PeakFlops peak = clusterPeak(q.accelerators, q.denseTflops * 1e12, q.sparseFactor);
    const double needed = communicationShareFor(saved, k);
    std::vector<Text> notes = {kNoContention};
    if (const double least =
            q.hosts.empty() ? k : hierarchicalRatio(q.hosts.front(), q.gpusPerHost, q.nvlinkBytesPerS, q.fastHostGbps, q.slowHostGbps);
        least < 10)
        notes.push_back(i18n("More than 10 times as fast, as published for all sizes, does not hold for {:L} hosts: {:.1f} times.",
                             std::int64_t(q.hosts.front()), least));
    if (needed > 1) notes.push_back(i18n("No communication share allows a network {:g} times as fast to save {:g} % of the time.", k, saved * 100));
    if (!peak.denseExceeds(claimed))
        notes.push_back(
            peak.sparseExceeds(claimed)
                ? i18n("The claim of more than {:g} EFLOPS is false for dense matrices ({:.3f} EFLOPS) and holds only with 2:4 sparsity.",
                       claimed / 1e18, peak.denseFlops / 1e18)
                : i18n("The claim of more than {:g} EFLOPS is false for dense matrices ({:.3f} EFLOPS).", claimed / 1e18, peak.denseFlops / 1e18));
    return answer({{"iteration_time", s.iterationTime},
                   {"communication_share", s.communicationShare},
                   {"time_saved", s.timeSaved},
                   {"throughput", s.throughput},
                   {"needed_communication_share", needed},
                   {"minimum_communication_share", minimumCommunicationShare(saved)},
                   {"throughput_at_time_saved", 1 / (1 - saved)},
                   {"network_only_ratio", networkOnlyRatio(q.fastHostGbps, q.slowHostGbps)},
                   {"allreduce_ratio", ratios},
                   {"peak",
                    {{"dense_eflops", peak.denseFlops / 1e18},
                     {"sparse_eflops", peak.sparseFlops / 1e18},
                     {"dense_exceeds_claim", peak.denseExceeds(claimed)},
                     {"sparse_exceeds_claim", peak.sparseExceeds(claimed)}}}},
                  notes);
}

Collective collectiveOf(const std::string& name)
{
    if (name == "reduce-scatter") return Collective::ReduceScatter;
    if (name == "all-gather") return Collective::AllGather;
    if (name == "all-to-all") return Collective::AllToAll;
    if (name == "broadcast") return Collective::Broadcast;
    return Collective::AllReduce;
}

double flatS(const std::string& algorithm, Collective collective, int ranks, double bytes, int tiers, AlphaBeta way)
{
    if (algorithm == "tree") return treeAllReduceS(ranks, bytes, way);
    if (algorithm == "in-network") return inNetworkAllReduceS(ranks, bytes, tiers, way);
    return collectiveS(collective, ranks, bytes, way);
}

struct CollectiveQuestion {
    std::string collective = "all-reduce", algorithm = "ring";
    std::vector<int> ranks;
    std::vector<double> bytes;
    double alphaS = 0, bytesPerS = 0;
    int gpusPerHost = 1;
    double insideAlphaS = 0, insideBytesPerS = kGiga;
    int tiers = 1;
    double libraryFactor = 1;
};

Form<CollectiveQuestion> collectiveForm()
{
    using Q = CollectiveQuestion;
    const std::vector<Condition> inHosts = {is("algorithm", {"hierarchical", "hierarchical-overlapped"})};
    Form<Q> form;
    form.to(&Q::collective,
            text("collective", "all-reduce", {"all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast"}, i18n("selection")))
        .to(&Q::algorithm, onlyWhen(text("algorithm", "ring", {"ring", "tree", "in-network", "hierarchical", "hierarchical-overlapped"},
                                         i18n("all-reduce algorithm")),
                                    {is("collective", {"all-reduce"})}))
        .to(&Q::ranks, integers("ranks", {16}, 1, 1e7, i18n("GPUs")))
        .to(&Q::bytes, numbers("bytes", "B", {1e9}, 1, 1e15, i18n("buffer size per rank")))
        .scaled(&Q::alphaS, 1e-6, number("alpha_us", "µs", 0.0, 0, 1e6, i18n("latency per message")))
        .scaled(&Q::bytesPerS, kGiga, bandwidth("gbytes_per_s", 50, i18n("bandwidth per rank, one direction")))
        .to(&Q::gpusPerHost, onlyWhen(hostSize(), inHosts))
        .scaled(&Q::insideAlphaS, 1e-6, onlyWhen(number("nvlink_alpha_us", "µs", 0.0, 0, 1e6, i18n("latency within the host")), inHosts))
        .scaled(&Q::insideBytesPerS, kGiga, onlyWhen(bandwidth("nvlink_gbytes_per_s", 300, i18n("bandwidth per GPU within the host")), inHosts))
        .to(&Q::tiers, onlyWhen(integer("tiers", 2, 1, 5, i18n("switch tiers that perform reduction")), {is("algorithm", {"in-network"})}))
        .to(&Q::libraryFactor, number("library_factor", "", 1.0, 0.01, 10, i18n("bandwidth factor of the collective library")));
    return form;
}

Result<ScenarioOutcome> runCollective(const CollectiveQuestion& q, const Progress&)
{
    const AlphaBeta way{q.alphaS, q.bytesPerS * q.libraryFactor}, inside{q.insideAlphaS, q.insideBytesPerS * q.libraryFactor};
    const bool hierarchical = q.algorithm.starts_with("hierarchical");
    const int perHost = q.gpusPerHost;
    Json points = Json::array();
    for (const int ranks : q.ranks) {
        if (hierarchical && ranks % perHost != 0)
            return fail(ErrorCode::Refused, "ranks", i18n("{} is not a whole number of hosts of {}", ranks, perHost), i18n("use a multiple"));
        const HostGroup group{ranks / perHost, perHost, inside, way};
        for (const double bytes : q.bytes) {
            const double s = !hierarchical                   ? flatS(q.algorithm, collectiveOf(q.collective), ranks, bytes, q.tiers, way)
                             : q.algorithm == "hierarchical" ? hierarchicalAllReduceS(group, bytes)
                                                             : hierarchicalAllReduceOverlappedS(group, bytes);
            const double rate = s > 0 ? bytes / s / kGiga : 0;
            points.push_back({{"ranks", ranks},
                              {"bytes", bytes},
                              {"time_s", s},
                              {"algorithm_gbytes_per_s", rate},
                              {"bus_gbytes_per_s", rate * busBandwidthFactor(collectiveOf(q.collective), ranks)}});
        }
    }
    return answer({{"points", points}}, {kNoContention});
}

struct ForwardingQuestion {
    HostGroup group;
    std::vector<double> bytesPerPair;
};

Form<ForwardingQuestion> forwardingForm()
{
    using Q = ForwardingQuestion;
    Form<Q> form;
    form.to(
            [](Q & q) -> auto& { return q.group.hosts; }, integer("hosts", 32, 2, 1e6, i18n("hosts")))
        .to(
            [](Q & q) -> auto& { return q.group.gpusPerHost; }, hostSize())
        .scaled(
            [](Q & q) -> auto& { return q.group.outside.bytesPerS; }, kGiga, bandwidth("nic_gbytes_per_s", 25, i18n("NIC bandwidth per GPU")))
        .scaled(
            [](Q & q) -> auto& { return q.group.inside.bytesPerS; }, kGiga,
            bandwidth("nvlink_gbytes_per_s", 300, i18n("bandwidth per GPU within the host")))
        .scaled(
            [](Q & q) -> auto& { return q.group.outside.alphaS; }, 1e-6,
            number("alpha_us", "µs", 1.0, 0, 1e6, i18n("latency per message between hosts")))
        .to(&Q::bytesPerPair, numbers("bytes_per_pair", "B", {8e3, 65536, 262144, 1e6}, 1, 1e12, i18n("from each GPU to each GPU on other hosts")));
    return form;
}

Result<ScenarioOutcome> runForwarding(const ForwardingQuestion& q, const Progress&)
{
    const HostGroup& group = q.group;
    Json points = Json::array();
    bool slower = false;
    for (const double bytes : q.bytesPerPair) {
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
    std::vector<Text> notes = {kNoContention};
    if (slower) notes.push_back(i18n("Without overlap, forwarding is slower than sending directly for the large messages here."));
    return answer({{"points", points},
                   {"flows_direct", directFlows(group)},
                   {"flows_forwarded", forwardedFlows(group)},
                   {"cross_rail_share_direct", crossRailShare(group, false)},
                   {"cross_rail_share_forwarded", crossRailShare(group, true)}},
                  notes);
}

struct XlinkQuestion {
    XlinkCase c;
    std::vector<int> domains;
};

Form<XlinkQuestion> xlinkForm()
{
    using Q = XlinkQuestion;
    const auto of = [](auto member) {
        return [member](Q & q) -> auto& { return q.c.*member; };
    };
    Form<Q> form;
    form.to(of(&XlinkCase::expertParallel), integer("expert_parallel", 128, 1, 1e6, i18n("ranks in the all-to-all")))
        .to(of(&XlinkCase::tensorParallel), integer("tensor_parallel", 1, 1, 1024, i18n("GPUs per expert rank")))
        .to(of(&XlinkCase::bytesPerGpu), number("bytes_per_gpu", "B", 1e9, 1, 1e15, i18n("bytes sent per rank")))
        .scaled(of(&XlinkCase::insideBytesPerS), kGiga, bandwidth("inside_gbytes_per_s", 450, i18n("bandwidth per GPU within the domain")))
        .scaled(of(&XlinkCase::outsideBytesPerS), kGiga, bandwidth("outside_gbytes_per_s", 50, i18n("NIC bandwidth per GPU")))
        .to(of(&XlinkCase::overlapped), boolean("overlapped", true, i18n("use both networks concurrently")))
        .to(&Q::domains, integers("domains", {8, 16, 32, 64, 72, 128, 256}, 1, 1e6, i18n("domain sizes in GPUs")));
    return form;
}

Result<ScenarioOutcome> runXlink(const XlinkQuestion& q, const Progress&)
{
    Json points = Json::array();
    for (const XlinkPoint& x : sweepDomain(q.c, q.domains))
        points.push_back({{"domain_gpus", x.domainGpus},
                          {"time_s", x.timeS},
                          {"inside_s", x.insideS},
                          {"outside_s", x.outsideS},
                          {"inside_share", x.insideShare},
                          {"straddles", x.domainGpus < flatFromDomain(q.c)}});
    return answer({{"points", points}, {"flat_from_gpus", flatFromDomain(q.c)}},
                  {kNoContention, i18n("The curve is flat beyond a domain of expert_parallel × tensor_parallel GPUs: the best domain size "
                                       "depends on the model.")});
}

} // namespace

Analysis amdahlAnalysis()
{
    return formAnalysis("amdahl", i18n("Savings from a faster network, all-reduce ratios, and verification of a cluster's FLOPS claim"), amdahlForm(),
                        runAmdahl);
}

Analysis collectiveAnalysis()
{
    return formAnalysis("collective", i18n("Time and bandwidth of a collective by message size and rank count (α-β model)"), collectiveForm(),
                        runCollective);
}

Analysis forwardingAnalysis()
{
    return formAnalysis("pxn", i18n("All-to-all: direct vs forwarded through the rail GPU within the host"), forwardingForm(), runForwarding);
}

Analysis xlinkAnalysis() { return formAnalysis("xlink", i18n("Expert all-to-all by scale-up domain size"), xlinkForm(), runXlink); }

} // namespace questions
} // namespace hw::sim
