// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulation/mixture.h"
#include "tests/simulation/near.h"

#include "simulation/training/collective_plan.h"
#include "simulation/training/iteration.h"
#include "simulation/training/pipeline.h"
#include "simulation/training/placement.h"
#include "simulation/training/rank_grid.h"
#include "simulation/training/training_job.h"

#include <map>
#include <numeric>
#include <set>

using namespace hw;
using namespace hw::sim;

namespace {

std::vector<std::vector<std::uint32_t>> listed(const GroupSet& set)
{
    std::vector<std::vector<std::uint32_t>> groups(set.groups());
    for (std::uint32_t g = 0; g < set.groups(); ++g)
        for (std::uint32_t i = 0; i < set.size(); ++i) groups[g].push_back(set.rank(g, i));
    return groups;
}

Parallelism cut(int tp, int cp, int ep, int dp, int pp)
{
    Parallelism c;
    c.tensor = tp, c.context = cp, c.expert = ep, c.data = dp, c.pipeline = pp;
    return c;
}

/// Sent and received bytes by GPU, of transfers between (or inside) hosts of `perHost` GPUs.
struct Balance {
    std::map<std::uint32_t, double> sent, received;
    double total = 0;
};
Balance balance(const CollectivePlan& plan, std::uint32_t perHost, bool between)
{
    Balance b;
    for (const auto& set : plan)
        for (const auto& t : set.transfers) {
            if ((t.source / perHost != t.destination / perHost) != between) continue;
            b.sent[t.source] += t.bytes, b.received[t.destination] += t.bytes, b.total += t.bytes;
        }
    return b;
}

CollectivePlan planOf(Operation op, std::uint32_t hosts, std::uint32_t perHost)
{
    std::vector<std::uint32_t> domain(hosts), gpus(hosts * perHost);
    std::iota(domain.begin(), domain.end(), 0u);
    std::iota(gpus.begin(), gpus.end(), 0u);
    CollectivePlan plan;
    CollectivePlanner(domain, perHost).add(op, gpus, plan);
    return plan;
}

std::vector<HostPlace> twoPods() // 2 pods of 2 segments of 4 hosts
{
    std::vector<HostPlace> places;
    for (int h = 0; h < 16; ++h) places.push_back({h / 8, h / 4, -1});
    return places;
}

} // namespace

class PlansTest : public QObject {
    Q_OBJECT
private slots:
    /// The example of Megatron-LM's documentation: 16 GPUs, TP 2, PP 4.
    void megatronGroups()
    {
        const auto grid = RankGrid::make(cut(2, 1, 1, 2, 4));
        QVERIFY(grid.has_value());
        using Groups = std::vector<std::vector<std::uint32_t>>;
        QCOMPARE(listed(grid->groups(Communicator::Tensor)), (Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}, {12, 13}, {14, 15}}));
        QCOMPARE(listed(grid->groups(Communicator::Gradient)), (Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}, {8, 10}, {9, 11}, {12, 14}, {13, 15}}));
        QCOMPARE(listed(grid->groups(Communicator::Pipeline)), (Groups{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}}));
        QCOMPARE(grid->pipelineStage(11), 2u);
    }

    /// Every communicator splits the ranks: each rank once, in groups of the right size; pipeline stages agree with the groups.
    void groupsPartitionTheRanks()
    {
        for (const char* order : {"tp-cp-ep-dp-pp", "tp-pp-cp-ep-dp", "tp-cp-dp-ep-pp", "pp-tp-cp-ep-dp"}) {
            const auto grid = RankGrid::make(cut(2, 2, 4, 6, 3), *parseRankOrder(order));
            QVERIFY2(grid.has_value(), order);
            QCOMPARE(grid->ranks(), 72u);
            const std::pair<Communicator, std::uint32_t> sizes[] = {{Communicator::Tensor, 2},         {Communicator::Context, 2},
                                                                    {Communicator::Expert, 4},         {Communicator::Gradient, 12},
                                                                    {Communicator::ExpertGradient, 3}, {Communicator::Pipeline, 3}};
            for (const auto& [communicator, size] : sizes) {
                const GroupSet set = grid->groups(communicator);
                QCOMPARE(set.size(), size);
                std::set<std::uint32_t> seen;
                for (const auto& group : listed(set))
                    for (const std::uint32_t r : group) {
                        seen.insert(r);
                        if (communicator != Communicator::Pipeline) QCOMPARE(grid->pipelineStage(r), grid->pipelineStage(group.front()));
                    }
                QCOMPARE(seen.size(), std::size_t(72));
            }
        }
    }

    void rankOrderErrors()
    {
        QCOMPARE(text(*parseRankOrder("pp-dp")), std::string("pp-dp-tp-cp-ep"));
        QVERIFY(parseRankOrder("tp-xx").error().text().find("\"xx\"") != std::string::npos);
        QVERIFY(!parseRankOrder("tp-tp").has_value());
        QVERIFY(!parseRankOrder("").has_value());
        QVERIFY(!RankGrid::make(cut(1, 1, 3, 4, 1)).has_value());                              // 3 experts' ranks in 4 replicas
        QVERIFY(!RankGrid::make(cut(1, 1, 2, 4, 2), *parseRankOrder("dp-pp-ep")).has_value()); // pp between dp and ep
        QVERIFY(!RankGrid::make(cut(0, 1, 1, 4, 2)).has_value());
    }

    void placements()
    {
        const auto places = twoPods();
        std::vector<std::uint8_t> free(16, 1);
        free[0] = free[1] = free[9] = 0;
        using Hosts = std::vector<std::uint32_t>;
        QCOMPARE(*placeHosts(places, free, 3, Placement::Contiguous), (Hosts{2, 3, 4}));
        QCOMPARE(*placeHosts(places, free, 2, Placement::Packed), (Hosts{2, 3}));          // the segment that it just fills
        QCOMPARE(*placeHosts(places, free, 4, Placement::Packed), (Hosts{4, 5, 6, 7}));    // a whole segment
        QCOMPARE(*placeHosts(places, free, 5, Placement::Packed), (Hosts{2, 4, 5, 6, 7})); // the pod with least room that holds it
        QCOMPARE(*placeHosts(places, free, 7, Placement::Packed), (Hosts{8, 10, 11, 12, 13, 14, 15}));
        QCOMPARE(*placeHosts(places, free, 4, Placement::AlternatingPods), (Hosts{2, 8, 3, 10}));
        QCOMPARE(*placeHosts(places, free, 5, Placement::AlternatingSegments), (Hosts{2, 4, 8, 12, 3}));
        const auto a = *placeHosts(places, free, 13, Placement::Random, 7), b = *placeHosts(places, free, 13, Placement::Random, 7);
        QCOMPARE(a, b);
        QVERIFY(a != *placeHosts(places, free, 13, Placement::Random, 8));
        QCOMPARE(std::set<std::uint32_t>(a.begin(), a.end()).size(), std::size_t(13));
        const auto full = placeHosts(places, free, 14, Placement::Random);
        QVERIFY(!full && full.error().code == ErrorCode::Refused && full.error().text().find("requires 14 hosts, 13 available") != std::string::npos);
        QCOMPARE(spreadOf(places, Hosts{0, 1, 8}).segments, 2u);
    }

    /// Bytes sent are bytes received, and both are the closed form of each way, for every GPU.
    void collectiveBytes_data()
    {
        QTest::addColumn<int>("hosts");
        QTest::addColumn<int>("perHost");
        QTest::addRow("host rate") << 1 << 8;
        QTest::addRow("one GPU a host") << 5 << 1;
        QTest::addRow("two of two") << 2 << 2;
        QTest::addRow("six of four") << 6 << 4;
    }
    void collectiveBytes()
    {
        QFETCH(int, hosts);
        QFETCH(int, perHost);
        const double n = hosts * perHost, s = 840e6, g = perHost, N = hosts;
        const auto total = [&](Operation op, bool between) {
            op.bytes = s;
            const auto plan = planOf(op, std::uint32_t(hosts), std::uint32_t(perHost));
            const Balance b = balance(plan, std::uint32_t(perHost), between);
            const double sum = std::accumulate(b.received.begin(), b.received.end(), 0.0, [](double x, const auto& e) { return x + e.second; });
            Q_ASSERT(near(b.total, sum));
            return b.total;
        };
        const double edge = 2 * (n - 1) / n * s;
        QNEAR(total({Collective::AllReduce, AllReduceAlgorithm::FlatRing}, true), N > 1 ? N * edge : 0, 1e-9);
        QNEAR(total({Collective::AllReduce, AllReduceAlgorithm::Ring}, true), N > 1 ? N * edge : 0, 1e-9);
        QNEAR(total({Collective::ReduceScatter}, true), N > 1 ? N * edge / 2 : 0, 1e-9);
        QNEAR(total({Collective::AllReduce, AllReduceAlgorithm::Hierarchical}, true), N > 1 ? N * 2 * (N - 1) / N * s : 0, 1e-9);
        QNEAR(total({Collective::AllReduce, AllReduceAlgorithm::Hierarchical}, false), g > 1 ? N * 2 * (g - 1) * s : 0, 1e-9);
        QNEAR(total({Collective::AllReduce, AllReduceAlgorithm::Tree}, true), 2 * (N - 1) * s, 1e-9);
        const double pair = s / n;
        QNEAR(total({Collective::AllToAll, {}, AllToAllAlgorithm::Direct}, true), N * (N - 1) * g * g * pair, 1e-9);
        QNEAR(total({Collective::AllToAll, {}, AllToAllAlgorithm::Direct}, false), N * g * (g - 1) * pair, 1e-9);
        QNEAR(total({Collective::AllToAll, {}, AllToAllAlgorithm::Forwarded}, true), N * (N - 1) * g * g * pair, 1e-9); // no byte more on the network
        QNEAR(total({Collective::AllToAll, {}, AllToAllAlgorithm::Forwarded}, false), N * g * (g - 1) * pair * N,
              1e-9); // collected: (g - 1) (N - 1) s a GPU more
        QNEAR(total({Collective::SendRecv}, true) + total({Collective::SendRecv}, false), (n - 1) * s, 1e-9);
    }

    /// Domains of unequal size: every member sends and receives as much as any other of its domain, over the network and in sum as direct.
    void unequalDomains()
    {
        // 16 ranks, one a host, in domains of nine and seven hosts (72 GPUs of hosts of eight), or of five, five, five and one (40 GPUs)
        for (const std::uint32_t hosts : {9u, 5u, 3u, 7u}) {
            std::vector<std::uint32_t> domainOfHost, gpus;
            for (std::uint32_t h = 0; h < 16; ++h) domainOfHost.push_back(h / hosts), gpus.push_back(h);
            CollectivePlan plan;
            CollectivePlanner(domainOfHost, 1).add({Collective::AllToAll, {}, AllToAllAlgorithm::Forwarded, 16e6}, gpus, plan);
            std::vector<double> sent(16, 0), received(16, 0), inside(16, 0);
            for (const auto& t : plan[0].transfers)
                if (domainOfHost[t.source] != domainOfHost[t.destination])
                    sent[t.source] += t.bytes, received[t.destination] += t.bytes;
                else
                    inside[t.source] += t.bytes;
            for (std::uint32_t h = 0; h < 16; ++h) {
                const double part = double(std::ranges::count(domainOfHost, domainOfHost[h]));
                QNEAR(sent[h], (16 - part) * 1e6, 1e-9); // never more than 15 units, what a rank alone in its domain sends
                QNEAR(received[h], (16 - part) * 1e6, 1e-9);
                QNEAR(inside[h], (part - 1) * 16e6 / part, 1e-9);
            }
        }
    }

    /// All GPUs of domains of three hosts and of two: every byte stays on its rail, and every NIC sends as much as the others of its domain.
    void unequalDomainsKeepRails()
    {
        std::vector<std::uint32_t> domainOfHost{0, 0, 0, 1, 1}, gpus(40);
        std::iota(gpus.begin(), gpus.end(), 0u);
        for (const AllToAllAlgorithm way : {AllToAllAlgorithm::Forwarded, AllToAllAlgorithm::Deduplicated}) {
            CollectivePlan plan;
            Operation op{Collective::AllToAll, {}, way, 40e6};
            op.visited = 8;
            CollectivePlanner(domainOfHost, 8).add(op, gpus, plan);
            const double share = way == AllToAllAlgorithm::Forwarded ? 1 : 2 * (1 - std::pow(0.5, 8)) / 8; // both domains, or nearly
            std::vector<double> sent(40, 0);
            for (const auto& t : plan[0].transfers) {
                if (domainOfHost[t.source / 8] == domainOfHost[t.destination / 8]) continue;
                QCOMPARE(t.source % 8, t.destination % 8);
                sent[t.source] += t.bytes;
            }
            for (std::uint32_t gpu = 0; gpu < 40; ++gpu) QNEAR(sent[gpu], share * (gpu < 24 ? 16 : 24) * 1e6, 1e-9);
        }
    }

    /// A token goes once to each domain: 8 of 256 experts lie in 5.25 of eight nodes on average, in four with node-limited routing.
    void deduplicated()
    {
        QNEAR(deduplicatedShare(8, 0, 8) * 8, 8 * (1 - std::pow(7.0 / 8, 8)), 1e-12);
        QNEAR(deduplicatedShare(8, 0, 8) * 8, 5.2511, 1e-4);
        QCOMPARE(deduplicatedShare(8, 4, 8), 0.5);
        QCOMPARE(deduplicatedShare(2, 4, 1), 0.5); // all in one domain
        QCOMPARE(deduplicatedShare(1, 0, 16), 1.0);
        const double s = 64e6;
        Operation op{Collective::AllToAll, {}, AllToAllAlgorithm::Deduplicated, s};
        op.visited = 8, op.nodeLimit = 4;
        const auto plan = planOf(op, 8, 8);
        double network = 0, inside = 0;
        for (const auto& t : plan[0].transfers) {
            (t.source / 8 == t.destination / 8 ? inside : network) += t.bytes;
            if (t.source / 8 != t.destination / 8) QCOMPARE(t.source % 8, t.destination % 8);
        }
        QNEAR(network, 64 * s * 7 / 8 / 2, 1e-9); // half of what leaves a host
        QNEAR(inside, 64 * s * 7 / 8, 1e-9);      // passed on to seven of eight GPUs
        const auto forwarded = planOf({Collective::AllToAll, {}, AllToAllAlgorithm::Forwarded, s}, 8, 8);
        double all = 0;
        for (const auto& t : forwarded[0].transfers) all += t.source / 8 == t.destination / 8 ? 0 : t.bytes;
        QNEAR(all, 2 * network, 1e-9);
    }

    /// Rings of a rail leave and enter every host on the same NIC, and forwarded all-to-all stays on its rail (CHECKS S4, S5).
    void railsAreKept()
    {
        for (const Operation op : {Operation{Collective::AllReduce, AllReduceAlgorithm::Ring, {}, 1e6},
                                   Operation{Collective::AllReduce, AllReduceAlgorithm::Tree, {}, 1e6},
                                   Operation{Collective::AllToAll, {}, AllToAllAlgorithm::Forwarded, 1e6}}) {
            std::size_t between = 0;
            const auto plan = planOf(op, 4, 8);
            for (const auto& set : plan)
                for (const auto& t : set.transfers)
                    if (t.source / 8 != t.destination / 8) {
                        ++between;
                        QCOMPARE(t.source % 8, t.destination % 8);
                    }
            QVERIFY(between > 0);
        }
        const auto direct = planOf({Collective::AllToAll, {}, AllToAllAlgorithm::Direct, 1e6}, 4, 8),
                   forwarded = planOf({Collective::AllToAll, {}, AllToAllAlgorithm::Forwarded, 1e6}, 4, 8);
        const auto flows = [](const CollectivePlan& p) {
            std::size_t n = 0;
            for (const auto& t : p[0].transfers) n += t.source / 8 != t.destination / 8;
            return n;
        };
        QCOMPARE(flows(direct), std::size_t(64 * 4 * 3)); // 64 N (N - 1)
        QCOMPARE(flows(forwarded), std::size_t(8 * 4 * 3));
    }

    /// Both trees span all nodes, are at most ⌈log2 n⌉ deep, binary, and with even n every node is a leaf in one of them.
    void doubleTrees()
    {
        for (int n = 1; n <= 70; ++n) {
            const TreePair pair = doubleBinaryTree(n);
            std::vector<int> leafIn(std::size_t(n), 0);
            for (const auto* parents : {&pair.first, &pair.second}) {
                std::vector<int> children(std::size_t(n), 0);
                int roots = 0;
                for (int i = 0; i < n; ++i) {
                    int depth = 0;
                    for (int at = i; (*parents)[std::size_t(at)] >= 0; at = (*parents)[std::size_t(at)]) QVERIFY(++depth <= n);
                    QVERIFY(depth <= int(std::ceil(std::log2(double(n)))));
                    const int parent = (*parents)[std::size_t(i)];
                    if (parent < 0)
                        ++roots;
                    else
                        ++children[std::size_t(parent)];
                }
                QCOMPARE(roots, 1);
                for (int i = 0; i < n; ++i) {
                    QVERIFY(children[std::size_t(i)] <= 2);
                    leafIn[std::size_t(i)] += children[std::size_t(i)] == 0;
                }
            }
            if (n % 2 == 0)
                for (int i = 0; i < n; ++i) QVERIFY(leafIn[std::size_t(i)] >= 1);
        }
    }

    /// A group's plan does not depend on the numbers that its hosts have, and not on the order of hosts for the bytes sent.
    void relabeling()
    {
        std::vector<std::uint32_t> domain(10), gpus, other;
        std::iota(domain.begin(), domain.end(), 0u);
        for (std::uint32_t h = 0; h < 4; ++h)
            for (std::uint32_t i = 0; i < 2; ++i) gpus.push_back(2 * h + i), other.push_back(2 * (9 - 2 * h) + i);
        for (const auto way : {AllReduceAlgorithm::Ring, AllReduceAlgorithm::Tree, AllReduceAlgorithm::Hierarchical}) {
            CollectivePlan a, b;
            CollectivePlanner planner(domain, 2);
            planner.add({Collective::AllReduce, way, {}, 1e6}, gpus, a);
            planner.add({Collective::AllReduce, way, {}, 1e6}, other, b);
            QCOMPARE(a.size(), b.size());
            for (std::size_t k = 0; k < a.size(); ++k) {
                QCOMPARE(a[k].transfers.size(), b[k].transfers.size());
                for (std::size_t t = 0; t < a[k].transfers.size(); ++t) {
                    const auto map = [](std::uint32_t gpu) { return 2 * (9 - 2 * (gpu / 2)) + gpu % 2; };
                    QCOMPARE(b[k].transfers[t].source, map(a[k].transfers[t].source));
                    QCOMPARE(b[k].transfers[t].destination, map(a[k].transfers[t].destination));
                    QCOMPARE(b[k].transfers[t].bytes, a[k].transfers[t].bytes);
                }
            }
        }
    }

    /// (m + (p - 1) / v) (t_f + t_b), by running the schedule (D. Narayanan et al. 2021, 2.2).
    void pipelineBubble()
    {
        for (const int p : {1, 2, 4, 8})
            for (const int v : {1, 2, 3})
                for (const int rounds : {1, 2, 5}) {
                    if (p == 1 && v > 1) continue;
                    const int m = p * rounds;
                    PipelinePlan plan{p,
                                      v,
                                      m,
                                      std::vector<double>(std::size_t(p * v), 1.0 / v),
                                      std::vector<double>(std::size_t(p * v), 2.0 / v),
                                      std::vector<double>(std::size_t(p)),
                                      std::vector<double>(std::size_t(p))};
                    const PipelineRun run = runPipeline(plan);
                    QNEAR(run.lengthS, (m + (p - 1.0) / v) * 3.0, 1e-12);
                    Parallelism c = cut(1, 1, 1, 1, p);
                    c.virtualStages = v, c.microBatches = m;
                    QNEAR(1 - m * 3.0 / run.lengthS, pipelineBubbleShare(c), 1e-12);
                    QCOMPARE(run.steps.size(), std::size_t(2 * p * v * m));
                }
    }

    /// Nothing starts before its input is there, no stage does two things at once, sends only delay; a slower stage sets the pace.
    void pipelineIsCausal()
    {
        PipelinePlan plan{4, 2, 8, {}, {}, {0.1, 0.2, 0.1, 0.3}, {0.1, 0.1, 0.4, 0.1}};
        for (int i = 0; i < 8; ++i) plan.forwardS.push_back(1 + 0.1 * i), plan.backwardS.push_back(2 - 0.1 * i);
        const PipelineRun run = runPipeline(plan);
        std::map<std::tuple<bool, int, int, int>, const PipelineStep*> at;
        for (const auto& step : run.steps) at[{step.backward, step.microBatch, step.chunk, step.stage}] = &step;
        QCOMPARE(at.size(), run.steps.size());
        for (int s = 0; s < 4; ++s)
            for (auto i = run.first[std::size_t(s)] + 1; i < run.first[std::size_t(s) + 1]; ++i)
                QVERIFY(run.steps[i].startS >= run.steps[i - 1].endS - 1e-12);
        for (const auto& [key, step] : at) {
            const auto [backward, m, chunk, stage] = key;
            const int place = chunk * 4 + stage;
            const auto end = [&at](bool back, int micro, int virtualStage) { return at[{back, micro, virtualStage / 4, virtualStage % 4}]->endS; };
            if (!backward && place > 0) QVERIFY(step->startS >= end(false, m, place - 1) + plan.sendForwardS[std::size_t((place - 1) % 4)] - 1e-12);
            if (backward && place < 7) QVERIFY(step->startS >= end(true, m, place + 1) + plan.sendBackwardS[std::size_t((place + 1) % 4)] - 1e-12);
            if (backward) QVERIFY(step->startS >= end(false, m, place) - 1e-12);
        }
        PipelinePlan slower = plan;
        slower.sendForwardS[1] += 1;
        QVERIFY(runPipeline(slower).lengthS >= run.lengthS);
        const PipelinePlan uneven{2, 1, 4, {1, 3}, {2, 6}, {0, 0}, {0, 0}};
        QVERIFY(runPipeline(uneven).lengthS >= 4 * 9);
    }

    /// Without communication and with a stated share of the peak: all operations over it, the bubble of the schedule, MFU and days.
    void iterationMatchesTheClosedForm()
    {
        TrainingJob job;
        job.accelerator.efficiency = 0.55;
        job.cut.virtualStages = 3;
        const double peak = job.peakFlops(), reached = peak * 0.55;
        for (const auto recompute : {Recompute::None, Recompute::Selective, Recompute::Full})
            for (const bool flash : {false, true}) {
                job.recompute = recompute, job.model.flashAttention = flash;
                const TokenFlops flops = flopsPerToken(job.model, recompute);
                const double tokens = job.model.sequence * 64.0, output = 3 * forwardFlops(job.model).output;
                const double plain = tokens * (flops.hardware - output) / 64 / reached,
                             last = tokens * output / 8 / reached; // the last stage has the output beside its layers
                const Iteration it = layOutIteration(job, {});
                QNEAR(it.computeS, plain + last, 1e-9);
                QVERIFY(it.bubbleS >= plain / 64 * 7 / 3 * (1 - 1e-9) && it.bubbleS <= (plain + last) / 64 * 7 / 3 + last / 64);
                QNEAR(it.computeS + it.bubbleS, it.iterationS, 1e-9);
                QNEAR(it.hfu, 0.55 * (plain + last / 8) / it.iterationS, 1e-9);
                QNEAR(it.mfu, it.hfu * flops.model / flops.hardware, 1e-9);
                QNEAR(it.computeFlopsPerGpu, reached, 1e-9);
                QNEAR(it.flopsPerGpu, it.mfu * peak, 1e-12);
                QNEAR(it.scalingEfficiency, (plain + last / 8) / it.iterationS, 1e-9);
                QNEAR(it.trainingDays, trainingDays(petaflopDays(1, 1) * flops.model / 6 * job.tokensToTrain, double(job.cut.gpus()), peak, it.mfu),
                      1e-9);
                QCOMPARE(it.optimizerS, 0.0);
            }
    }

    /// The parts add up to the whole; overlap hides no more than there is to hide it.
    void iterationAddsUp()
    {
        TrainingJob job;
        job.cut = cut(8, 1, 1, 16, 8);
        job.cut.microBatches = 32;
        job.accelerator.efficiency = 0.55;
        const PieceCompute c = computePerPiece(job).front();
        CommunicationTimes times;
        times.tensorS = c.forwardS / 100;
        times.sendForwardS = times.sendBackwardS = std::vector<double>(8, c.forwardS / 10);
        times.gradientS = std::vector<double>(8, c.backwardS * 5);
        for (const double share : {0.0, 0.5, 1.0}) {
            job.overlap.gradient = job.overlap.tensor = share;
            const Iteration it = layOutIteration(job, times);
            QNEAR(it.computeS + it.exposedTensorS + it.exposedContextS + it.exposedExpertS + it.bubbleS + it.exposedPipelineS + it.exposedGradientS,
                  it.iterationS, 1e-9);
            QNEAR(it.tensorS, 32 * 48 * times.tensorS, 1e-9); // 4 for each of 12 layers
            QNEAR(it.exposedTensorS, it.tensorS * (1 - share), 1e-9);
            QNEAR(it.exposedGradientS,
                  c.backwardS * (share == 0     ? 5
                                 : share == 0.5 ? 4
                                                : 4),
                  1e-9); // one micro-batch's backward pass hides at most itself
            // A stage has at most p micro-batches on their way, so every p of them wait for one way there and back: 2 (p - 1) sends.
            QVERIFY(it.exposedPipelineS > 0);
            QVERIFY(it.exposedPipelineS <= 2 * 7 * times.sendForwardS[0] * (32.0 / 8 + 1) * (1 + 1e-9));
            double end = 0;
            for (const auto& s : it.segments) end = std::max(end, s.endS);
            QNEAR(end, it.iterationS, 1e-12);
        }
    }

    void jobChecks_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("part");
        for (const auto& [key, part] : std::initializer_list<std::pair<const char*, const char*>>{
                 {"layers", "chunks exceed the 7 layers"},
                 {"heads", "cannot be divided by tensor"},
                 {"expert", "has no experts"},
                 {"interleaved", "micro_batches 9"},
                 {"context", "2 x context"},
                 {"topk", "of 16 experts"},
                 {"fp8", "does not support fp8"},
                 {"library", "library_factor"},
                 {"overlap", "overlap"},
                 {"micro", "at least 1"},
                 {"alone", "has neither a scale-up nor a PCIe rate, so its GPUs cannot communicate"}})
            QTest::newRow(key) << key << part;
    }
    void jobChecks()
    {
        QFETCH(QString, key);
        QFETCH(QString, part);
        TrainingJob job;
        QVERIFY(checkJob(job).has_value());
        if (key == "layers") job.model.layers = 7;
        if (key == "heads") job.cut.tensor = 5;
        if (key == "expert") job.cut.expert = 2;
        if (key == "interleaved") job.cut.virtualStages = 2, job.cut.microBatches = 9;
        if (key == "context") job.cut.context = 3;
        if (key == "topk") job.model = mixture1800B(), job.model.topK = 17;
        if (key == "fp8") job.precision = Precision::Fp8, job.accelerator.peakFlops[2] = 0;
        if (key == "library") job.libraryFactor = 1.4;
        if (key == "overlap") job.overlap.expert = 1.5;
        if (key == "alone") job.accelerator.scaleUpGbps = 0;
        if (key == "micro") job.cut.microBatch = 0;
        const auto checked = checkJob(job);
        QVERIFY(!checked.has_value());
        QCOMPARE(checked.error().code, ErrorCode::Refused);
        QVERIFY2(checked.error().text().find(part.toStdString()) != std::string::npos, checked.error().text().c_str());
    }

    /// GPT-3 on 64 GPUs a replica: 16 bytes for each of its parameters / 64 without sharding; a warning when it does not fit.
    void memory()
    {
        TrainingJob job;
        QNEAR(memoryPerGpu(job).statesBytes, 16 * countParameters(job.model).total() / 64, 1e-9);
        job.algorithms.shardedOptimizer = true;
        QNEAR(memoryPerGpu(job).statesBytes, (4 + 12.0 / 512) * countParameters(job.model).total() / 64, 1e-9);
        // 12 layers of 34 s b h / 8 bytes, eight micro-batches in flight
        QNEAR(memoryPerGpu(job).activationBytes, 34.0 * 2048 * 12288 / 8 * 12 * 8, 1e-9);
        QVERIFY(checkJob(job)->empty());
        job.cut.pipeline = 1, job.cut.tensor = 1;
        const auto warned = checkJob(job);
        QVERIFY(warned.has_value() && warned->size() == 1 && words(warned->front()).find("H800 has 80 GB") != std::string::npos);
        // 174.6e9 parameters: 4 + 12 / 512 bytes of each; gradients in parts leave 2 + 14 / 512
        const MemoryEstimate whole = memoryPerGpu(job);
        QVERIFY(!whole.fits());
        QNEAR(whole.statesBytes, (4 + 12.0 / 512) * countParameters(job.model).total(), 1e-9);
        const std::string said = words(memoryShortfall(job, whole));
        for (const char* part :
             {"785 GB needed", "703 GB states", "shard the gradients too", "raise tensor to 2 (394 GB)", "recompute all activations (707 GB)"})
            QVERIFY2(said.find(part) != std::string::npos, (said + " / " + part).c_str());
        QVERIFY2(said.find("shard the optimizer") == std::string::npos, said.c_str()); // it is
        job.algorithms.shardedGradients = true;
        QNEAR(memoryPerGpu(job).statesBytes, (2 + 14.0 / 512) * countParameters(job.model).total(), 1e-9);
    }

    void fitting()
    {
        TrainingJob job;
        const auto fitted = fitToGpus(job, 15360, 1536);
        QVERIFY(fitted.has_value());
        QCOMPARE(fitted->cut.data, 240);
        QCOMPARE(fitted->cut.microBatches, 8); // 1,536 / 240 = 6.4, at least one per stage
        job.model = mixture1800B();
        job.cut = cut(8, 1, 16, 1, 4);
        QCOMPARE(fitToGpus(job, 4096)->cut.data, 128);
        QCOMPARE(fitToGpus(job, 8 * 4 * 40)->cut.data, 32); // whole expert groups
        QVERIFY(!fitToGpus(job, 8 * 4 * 15).has_value());
    }
};

QTEST_APPLESS_MAIN(PlansTest)
#include "plans_test.moc"
