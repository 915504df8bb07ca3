// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/pipes.h"

#include "core/foundation/model/places.h"
#include "core/physics/hydraulics/head_loss.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace hw::cooling {

namespace {

using hydraulics::Link;
using hydraulics::LinkKind;

constexpr double kOpenKv = 1e5;          ///< of what states no loss: next to none
constexpr double kSmoothMm = 0.0015;     ///< roughness of drawn pipe and hose, where none is stated
const double kPairKv = 1 / std::sqrt(2); ///< Kv of two like parts one after the other, against one

/// Loss coefficient of a part with this Kv in a pipe.
double minorOfKv(double kv, double areaM2) { return kv > 0 ? 200 * std::pow(3600 * areaM2 / kv, 2) : 0; }

/// Loss of a part with this Kv.
double kvKpa(double lpm, double kv, double density) { return 0.1 * density * std::pow(lpm * 0.06 / kv, 2); }

class Builder {
public:
    Builder(const Design& d, const CoolingChain& chain, std::int32_t loop) : m_d(d), m_chain(chain), m_loop(loop)
    {
        const CoolingLoop& said = chain.loops[std::size_t(loop)];
        m_fluid = fluidAt(said.coolant, (said.supplyC + said.returnC) / 2);
        m_out.network.viscosityM2s = m_fluid.kinematicViscosity();
        m_out.network.densityKgM3 = m_fluid.density;
    }

    Pipes build()
    {
        const CoolingLoop& loop = m_chain.loops[std::size_t(m_loop)];
        for (const DeviceId id : loop.members) addDevice(id);
        for (std::size_t w = 0; w < m_chain.ways.size(); ++w)
            if (m_chain.ways[w].loop == m_loop) addWay(w);
        for (auto& [id, header] : m_headers) addHeader(id, header);
        for (const DeviceId id : loop.members) addEnds(id);
        return std::move(m_out);
    }

private:
    struct Nodes {
        Pipes::Index up = 0, down = 0; ///< toward what it takes from; toward what takes from it
    };
    struct Header {
        bool alongX = true;
        int low = 0, high = 0;
        std::map<int, Pipes::Index> taps{}; ///< by place along it, mm
    };

    Pipes::Index node()
    {
        const auto n = Pipes::Index(m_out.network.nodes.size());
        m_out.network.nodes.emplace_back().id = fmt::format("n{}", n);
        return n;
    }
    static Link between(LinkKind kind, Pipes::Index from, Pipes::Index to)
    {
        Link out;
        out.kind = kind, out.from = from, out.to = to;
        return out;
    }
    std::size_t link(Link link)
    {
        link.id = fmt::format("l{}", m_out.network.links.size());
        m_out.network.links.push_back(std::move(link));
        return m_out.network.links.size() - 1;
    }

    void addDevice(DeviceId id)
    {
        const CoolingUnit* unit = m_chain.unit(id);
        if (unit && unit->element == CoolingElement::Header && m_d.spec(id).cooling.innerMm.value > 0 && hallOf(m_d.s, id)) {
            const Box box = m_d.placement.device(m_d.s, m_d.parts, id);
            Header header;
            header.alongX = box.high.x - box.low.x >= box.high.y - box.low.y;
            header.low = header.alongX ? box.low.x : box.low.y, header.high = header.alongX ? box.high.x : box.high.y;
            m_headers.emplace(id, header);
            return;
        }
        Nodes nodes{node(), 0};
        nodes.down = nodes.up;
        if (unit && unit->element == CoolingElement::Pump) {
            nodes.down = node();
        } else if (const double kv = m_d.spec(id).cooling.kv.value; unit && unit->element == CoolingElement::Valve && kv > 0) {
            nodes.down = node();
            Link valve = between(LinkKind::Valve, nodes.up, nodes.down);
            valve.kv = kv * kPairKv;
            link(std::move(valve));
        }
        m_nodes.emplace(id, nodes);
    }

    /// Where a way meets a device: on a header as near to the other end as it goes.
    Pipes::Index end(DeviceId id, DeviceId other, bool up)
    {
        const auto header = m_headers.find(id);
        if (header == m_headers.end()) return up ? m_nodes.at(id).up : m_nodes.at(id).down;
        Header& h = header->second;
        int at = (h.low + h.high) / 2;
        if (hallOf(m_d.s, other)) {
            const Box box = m_d.placement.device(m_d.s, m_d.parts, other);
            at = std::clamp(h.alongX ? (box.low.x + box.high.x) / 2 : (box.low.y + box.high.y) / 2, h.low, h.high);
        }
        const auto found = h.taps.find(at);
        return found != h.taps.end() ? found->second : h.taps.emplace(at, node()).first->second;
    }

    void addWay(std::size_t w)
    {
        const CoolantPath& way = m_chain.ways[w];
        Link out = between(LinkKind::Valve, end(way.feeder, way.taker, false), end(way.taker, way.feeder, true));
        out.kv = kOpenKv;
        if (way.innerMm > 0) {
            out.kind = LinkKind::Pipe;
            out.diameterM = way.innerMm / 1000;
            out.roughnessM = std::min(way.roughnessMm > 0 ? way.roughnessMm : kSmoothMm, way.innerMm / 20) / 1000;
            out.lengthM = 2 * way.lengthM;
            out.minorK = 2 * (m_chain.at.fittingsK + minorOfKv(way.kv, std::numbers::pi / 4 * out.diameterM * out.diameterM));
        } else if (way.kv > 0) {
            out.kv = way.kv * kPairKv;
        }
        if (out.from != out.to) m_out.linkOfWay[w] = link(out);
    }

    void addHeader(DeviceId id, const Header& header)
    {
        const CoolingSpec& spec = m_d.spec(id).cooling;
        for (auto tap = header.taps.begin(); tap != header.taps.end() && std::next(tap) != header.taps.end(); ++tap) {
            const auto next = std::next(tap);
            Link piece = between(LinkKind::Pipe, tap->second, next->second);
            piece.lengthM = 2 * (next->first - tap->first) / 1000.0;
            piece.diameterM = spec.innerMm.value / 1000;
            piece.roughnessM = std::min(spec.roughnessMm.value > 0 ? spec.roughnessMm.value : kSmoothMm, spec.innerMm.value / 20) / 1000;
            m_out.headerLinks.emplace_back(link(piece), id);
            m_out.headerSpans.push_back({header.alongX, tap->first, next->first});
        }
    }

    /// Of a cabinet: its manifold, and the worst of what it feeds at its share of the flow, plates with hoses and couplings.
    double takerKpa(const CooledLoad& taker) const
    {
        double worst = 0, kv = 0, own = 0;
        if (m_chain.unit(taker.device)) {
            const CoolingSpec& manifold = m_d.spec(taker.device).cooling;
            kv = manifold.kv.value, own = lossKpa(manifold.loss, taker.lpm);
        }
        for (const DeviceId id : taker.cooled) {
            const double lpm = shareLpm(m_d, m_chain, taker, id);
            const double branch = kv > 0 ? kvKpa(lpm, kv, m_fluid.density) : 0;
            const CoolantHose* hose = hoseOf(m_chain, id);
            worst = std::max(worst, lossKpa(m_d.spec(id).cooling.loss, lpm) + branch + (hose ? lossKpa(*hose, lpm, m_fluid) : 0));
        }
        return own + worst;
    }

    /// Supply water of the loop that passes by its other takers, where their return does not suffice for what takes it.
    [[nodiscard]] double besideReturnLpm(const CoolingUnit& of) const
    {
        double direct = 0, onReturn = 0;
        for (const CoolingUnit& unit : m_chain.units)
            if (unit.parts() && unit.takes == m_loop) (unit.onReturn ? onReturn : direct) += unit.takesLpm;
        const double left = std::max(0.0, m_chain.loops[std::size_t(m_loop)].lpm - direct);
        return onReturn > 0 ? left * of.takesLpm / onReturn : 0;
    }

    void addEnds(DeviceId id)
    {
        if (const CooledLoad* taker = m_chain.taker(id); taker && taker->device == id && taker->loop == m_loop && m_nodes.contains(id))
            m_out.outlets.push_back({id, m_nodes.at(id).up, taker->lpm, takerKpa(*taker)});
        const CoolingUnit* unit = m_chain.unit(id);
        if (!unit || !m_nodes.contains(id)) return;
        const Nodes& nodes = m_nodes.at(id);
        const CoolingSpec& spec = m_d.spec(id).cooling;
        const double weight = unit->capacityLpm > 0 ? unit->capacityLpm : 1;
        if (unit->element == CoolingElement::Pump) {
            m_out.inlets.push_back({id, nodes.down, nodes.up, unit->headKpa, weight, 0});
        } else if (partsLoops(unit->element) && unit->feeds == m_loop) {
            m_out.inlets.push_back({id, nodes.down, {}, unit->headKpa, weight, unit->headKpa > 0 ? 0 : lossKpa(spec.loss, unit->lpm)});
        } else if (partsLoops(unit->element) && unit->takes == m_loop) {
            const double lpm = unit->onReturn ? besideReturnLpm(*unit) : unit->takesLpm;
            m_out.outlets.push_back({id, nodes.up, lpm, lossKpa(spec.facilityLoss, lpm)});
        }
    }

    const Design& m_d;
    const CoolingChain& m_chain;
    std::int32_t m_loop;
    Pipes m_out;
    coolant::Properties m_fluid;
    std::map<DeviceId, Nodes> m_nodes;
    std::map<DeviceId, Header> m_headers;
};

} // namespace

double shareLpm(const Design& d, const CoolingChain& chain, const CooledLoad& taker, DeviceId id)
{
    const double heat = toWatts(d.power.device(id).liquid[std::size_t(chain.at.basis)]);
    return taker.liquidW > 0 ? taker.lpm * heat / taker.liquidW : 0;
}

const CoolantHose* hoseOf(const CoolingChain& chain, DeviceId device)
{
    const auto found = std::ranges::lower_bound(chain.hoses, device, {}, &CoolantHose::device);
    return found != chain.hoses.end() && found->device == device ? &*found : nullptr;
}

double lossKpa(const CoolantHose& hose, double lpm, const coolant::Properties& fluid)
{
    if (lpm <= 0) return 0;
    double one = hose.kv > 0 ? kvKpa(lpm, hose.kv, fluid.density) : 0;
    if (hose.innerMm > 0 && fluid.kinematicViscosity() > 0) {
        const double d = hose.innerMm / 1000, q = lpm * hydraulics::kLiter / 60, v = hydraulics::velocity(q, d);
        const double roughM = std::min(hose.roughnessMm > 0 ? hose.roughnessMm : kSmoothMm, hose.innerMm / 20) / 1000;
        one += hydraulics::frictionFactor(q, d, roughM, fluid.kinematicViscosity()).f * hose.lengthM / d * fluid.density * v * v / 2000;
    }
    return 2 * one;
}

double lossKpa(const FlowLoss& loss, double lpm)
{
    return loss.lpm.value > 0 && lpm > 0 ? loss.kilopascal.value * std::pow(lpm / loss.lpm.value, loss.exponent) : 0;
}

Pipes pipesOf(const Design& design, const CoolingChain& chain, std::int32_t loop) { return Builder(design, chain, loop).build(); }

Pipes pipesOf(const Figures& figures, std::int32_t loop)
{
    const auto& chain = figures.get<CoolingChainNode>();
    const Design design{*figures.snapshot,
                        figures.get<PartsNode>(),
                        figures.get<PlacementNode>(),
                        figures.get<SupplyNode>(),
                        figures.get<PowerNode>(),
                        figures.get<PowerFeedsNode>(),
                        figures.get<MediumNode<Medium::Coolant>>(),
                        powerChain(figures, chain.at.basis)};
    return pipesOf(design, chain, loop);
}

double oneOfPairKv(double kv) { return kv / kPairKv; }

} // namespace hw::cooling
