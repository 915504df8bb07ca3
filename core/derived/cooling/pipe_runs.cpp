// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/pipe_runs.h"

#include "core/derived/cooling/pipes.h"
#include "core/derived/figures/pipe_path.h"
#include "core/foundation/model/places.h"
#include "core/physics/hydraulics/head_loss.h"

#include <algorithm>
#include <cmath>

namespace hw::cooling {

namespace {

Point middleOf(const Box& box) { return {(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2, (box.low.z + box.high.z) / 2}; }

double apart(Point p, const Box& box)
{
    const Point near{std::clamp(p.x, box.low.x, box.high.x), std::clamp(p.y, box.low.y, box.high.y), std::clamp(p.z, box.low.z, box.high.z)};
    return std::hypot(double(p.x - near.x), double(p.y - near.y), double(p.z - near.z));
}

/// Flows and pressures in the network of a loop, from the flows and losses that its chain has already been solved for: header sections by the balance
/// of their branches, pressures along the links from the takers up.
class LoopPipes {
public:
    LoopPipes(const Figures& figures, std::int32_t loop)
        : m_chain(figures.get<CoolingChainNode>()), m_pipes(pipesOf(figures, loop)), m_flow(m_pipes.network.links.size(), 0),
          m_known(m_flow.size(), false), m_kpa(m_pipes.network.nodes.size(), 0), m_region(m_kpa.size(), -1)
    {
        flows();
        pressures();
    }

    [[nodiscard]] const Pipes& pipes() const { return m_pipes; }
    [[nodiscard]] double lpm(std::size_t link) const { return m_flow[link]; } ///< from its start to its end
    [[nodiscard]] double startKpa(std::size_t link) const { return m_kpa[m_pipes.network.links[link].from]; }
    [[nodiscard]] double endKpa(std::size_t link) const { return m_kpa[m_pipes.network.links[link].to]; }

private:
    void flows()
    {
        const auto& net = m_pipes.network;
        std::vector<char> onHeader(net.nodes.size(), 0);
        for (const auto& [link, device] : m_pipes.headerLinks) onHeader[net.links[link].from] = onHeader[net.links[link].to] = 1;
        for (const auto& [way, link] : m_pipes.linkOfWay) {
            m_flow[link] = m_chain.ways[way].lpm;
            // Which way it flows between two headers follows from their balance; else toward what takes.
            m_known[link] = !onHeader[net.links[link].from] || !onHeader[net.links[link].to];
        }
        std::vector<std::vector<std::size_t>> at(net.nodes.size());
        for (std::size_t l = 0; l < net.links.size(); ++l) at[net.links[l].from].push_back(l), at[net.links[l].to].push_back(l);
        std::vector<hydraulics::Index> open;
        for (hydraulics::Index n = 0; n < net.nodes.size(); ++n)
            if (onHeader[n]) open.push_back(n);
        for (bool again = true; again;) {
            again = false;
            for (const auto n : open) {
                std::optional<std::size_t> unknown;
                double balance = 0;
                int count = 0;
                for (const std::size_t l : at[n]) {
                    if (!m_known[l])
                        ++count, unknown = l;
                    else
                        balance += net.links[l].to == n ? m_flow[l] : -m_flow[l];
                }
                if (count != 1) continue;
                m_flow[*unknown] = net.links[*unknown].from == n ? balance : -balance;
                m_known[*unknown] = true;
                again = true;
            }
            if (again) continue;
            for (const auto& [way, link] : m_pipes.linkOfWay) // headers in a ring: as the design feeds them
                if (!m_known[link]) {
                    m_known[link] = again = true;
                    break;
                }
        }
    }

    void pressures()
    {
        const auto& net = m_pipes.network;
        std::vector<double> loss(net.links.size(), 0);
        for (std::size_t l = 0; l < loss.size(); ++l)
            loss[l] = hydraulics::pascalOf(net, hydraulics::HeadLoss(net, net.links[l]).at(m_flow[l] * hydraulics::kLiter / 60).head) / 1000;
        std::vector<std::vector<std::size_t>> at(net.nodes.size());
        for (std::size_t l = 0; l < net.links.size(); ++l) at[net.links[l].from].push_back(l), at[net.links[l].to].push_back(l);
        std::vector<std::vector<hydraulics::Index>> regions;
        for (hydraulics::Index start = 0; start < net.nodes.size(); ++start) {
            if (m_region[start] >= 0) continue;
            std::vector<hydraulics::Index> reached{start};
            m_region[start] = int(regions.size());
            for (std::size_t i = 0; i < reached.size(); ++i)
                for (const std::size_t l : at[reached[i]]) {
                    const bool along = net.links[l].from == reached[i];
                    const auto next = along ? net.links[l].to : net.links[l].from;
                    if (m_region[next] >= 0) continue;
                    m_region[next] = m_region[start];
                    m_kpa[next] = m_kpa[reached[i]] + (along ? -loss[l] : loss[l]);
                    reached.push_back(next);
                }
            regions.push_back(std::move(reached));
        }
        // The weakest taker is left with its own loss and its margin; before a pump nothing has added pressure to what the source loses.
        std::vector<std::optional<double>> shift(regions.size());
        for (const Pipes::Outlet& outlet : m_pipes.outlets) {
            const CooledLoad* load = m_chain.taker(outlet.device);
            const double needed = outlet.ownKpa + (load && load->device == outlet.device ? load->marginKpa : 0) - m_kpa[outlet.node];
            auto& most = shift[std::size_t(m_region[outlet.node])];
            most = std::max(most.value_or(needed), needed);
        }
        for (const Pipes::Inlet& inlet : m_pipes.inlets) {
            auto& least = shift[std::size_t(m_region[inlet.node])];
            if (!inlet.other && !least) least = -m_kpa[inlet.node] - inlet.ownKpa;
        }
        for (std::size_t n = 0; n < m_kpa.size(); ++n) m_kpa[n] += shift[std::size_t(m_region[n])].value_or(0);
    }

    const CoolingChain& m_chain;
    Pipes m_pipes;
    std::vector<double> m_flow; ///< L/min
    std::vector<char> m_known;
    std::vector<double> m_kpa;
    std::vector<int> m_region;
};

/// Along the middle of the header, as its supply flows.
PipeRun headerRun(const Figures& f, const CoolingLoop& loop, const LoopPipes& solved, std::size_t number)
{
    const auto& [link, header] = solved.pipes().headerLinks[number];
    const Pipes::Span& span = solved.pipes().headerSpans[number];
    const Box box = f.placement->device(*f.snapshot, *f.parts, header);
    Point from = middleOf(box), to = from;
    (span.alongX ? from.x : from.y) = span.fromMm, (span.alongX ? to.x : to.y) = span.toMm;
    const double lpm = solved.lpm(link), diameter = solved.pipes().network.links[link].diameterM;
    PipeRun run;
    run.entity = ref(header);
    run.path = {from, to};
    run.outerMm = std::int32_t(std::lround(diameter * 1000));
    run.lpm = std::abs(lpm), run.velocityMs = hydraulics::velocity(run.lpm * hydraulics::kLiter / 60, diameter);
    run.supplyC = loop.supplyC, run.returnC = loop.returnC;
    run.fromKpa = solved.startKpa(link), run.toKpa = solved.endKpa(link);
    if (lpm < 0) {
        std::ranges::reverse(run.path);
        std::swap(run.fromKpa, run.toKpa);
    }
    return run;
}

/// A way as it runs over trays; without a place for both ends, or within one cabinet, only its values.
PipeRun wayRun(const Figures& f, const CoolingLoop& loop, const LoopPipes& solved, const CoolantPath& way, std::size_t link)
{
    const Snapshot& s = *f.snapshot;
    const CooledLoad* load = f.get<CoolingChainNode>().taker(way.taker);
    PipeRun run;
    run.entity = ref(*way.link);
    run.lpm = way.lpm, run.velocityMs = way.velocityMs;
    run.supplyC = loop.supplyC, run.returnC = load && load->loop == way.loop ? load->returnC : loop.returnC;
    run.fromKpa = solved.startKpa(link), run.toKpa = solved.endKpa(link);
    const SupplyLine* line = f.get<SupplyNode>().of(*way.link);
    const auto rack = s.devices.rack[way.taker];
    if (line && hallOf(s, way.taker) && hallOf(s, way.feeder) && !(rack && rack == s.devices.rack[way.feeder])) {
        run.path = pipePath(f, *line);
        run.outerMm = pipeOuterMm(*f.parts, *line);
        const Box taker = rack ? f.placement->rack(*rack) : f.placement->device(s, *f.parts, way.taker);
        const bool turned = run.path.size() > 1 && apart(run.path.front(), taker) < apart(run.path.back(), taker);
        if (turned == (solved.lpm(link) >= 0)) std::ranges::reverse(run.path);
    }
    if (solved.lpm(link) < 0) std::swap(run.fromKpa, run.toKpa);
    return run;
}

} // namespace

std::vector<PipeRun> pipeRuns(const Figures& f)
{
    const CoolingChain& chain = f.get<CoolingChainNode>();
    std::vector<PipeRun> out;
    for (std::int32_t l = 0; l < std::int32_t(chain.loops.size()); ++l) {
        const CoolingLoop& loop = chain.loops[std::size_t(l)];
        if (loop.kind == LoopKind::Air || loop.implied || loop.lpm <= 0) continue;
        const LoopPipes solved(f, l);
        if (solved.pipes().network.viscosityM2s <= 0) continue;
        for (std::size_t n = 0; n < solved.pipes().headerLinks.size(); ++n) out.push_back(headerRun(f, loop, solved, n));
        for (const auto& [way, link] : solved.pipes().linkOfWay)
            if (chain.ways[way].link) out.push_back(wayRun(f, loop, solved, chain.ways[way], link));
    }
    return out;
}

} // namespace hw::cooling
