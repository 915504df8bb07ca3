// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/simulators/epanet_writer.h"

#include "core/derived/cooling/pipes.h"
#include "core/derived/rules/functions.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/hydraulics/head_loss.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>

namespace hw::importers {

namespace {

using hydraulics::Link;
using hydraulics::LinkKind;

constexpr std::size_t kMostId = 31;             ///< characters of an id in EPANET
constexpr double kWaterDensity = 999.552;       ///< 62.4 lb/ft³, of EPANET's specific gravity 1
constexpr double kWaterViscosity = 1.021933e-6; ///< 1.1e-5 ft²/s, of EPANET's viscosity 1
constexpr double kShortM = 0.1;                 ///< of pipes that only connect
constexpr double kWideMm = 500;                 ///< their diameter, next to no loss
constexpr double kSmoothPipeMm = 0.0015;

/// Ids of one kind: unique, of letters that EPANET takes, no longer than it takes.
class EpanetIds {
public:
    std::string make(const std::string& wish)
    {
        std::string id;
        for (const char c : wish) id += (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_' ? c : '-';
        if (id.size() > kMostId) id = id.substr(0, 15) + '_' + id.substr(id.size() - 15);
        for (int n = 2; !m_given.insert(id).second; ++n) {
            const std::string end = fmt::format("_{}", n);
            id = id.substr(0, kMostId - end.size()) + end;
        }
        return id;
    }

private:
    std::set<std::string> m_given;
};

class EpanetWriter {
public:
    EpanetWriter(const Figures& figures, std::int32_t loop)
        : m_figures(figures), m_s(*figures.snapshot), m_chain(figures.get<CoolingChainNode>()), m_loop(m_chain.loops[std::size_t(loop)]),
          m_pipes(cooling::pipesOf(figures, loop)), m_net(m_pipes.network)
    {
    }

    Result<std::string> write()
    {
        if (m_loop.implied || m_net.links.empty() || m_net.viscosityM2s <= 0)
            return fail(ErrorCode::Refused, "--loop " + m_loop.name, i18n("no coolant links connect this loop"),
                        i18n("connect its equipment, or run layout"));
        if (m_pipes.outlets.empty() || m_loop.lpm <= 0)
            return fail(ErrorCode::Refused, "--loop " + m_loop.name, i18n("no consumer draws flow from this loop"), i18n("choose another loop"));
        if (std::ranges::none_of(m_pipes.inlets, [](const auto& inlet) { return inlet.headKpa > 0; }))
            return fail(ErrorCode::Refused, "--loop " + m_loop.name, i18n("no pump of this loop has a specified head"),
                        i18n("specify the pump head (head) of its CDUs or pumps"));
        nameNodes();
        links();
        for (const auto& inlet : m_pipes.inlets) this->inlet(inlet);
        for (const auto& outlet : m_pipes.outlets) this->outlet(outlet);
        reference();
        return text();
    }

private:
    [[nodiscard]] std::string deviceName(DeviceId id) const { return m_s.devices.name[id]; }
    [[nodiscard]] double meters(double kpa) const { return hydraulics::headOf(m_net, kpa * 1000); }

    void nameNodes()
    {
        std::vector<std::string> names(m_net.nodes.size());
        for (std::size_t n = 0; n < names.size(); ++n) names[n] = fmt::format("n{}", n);
        for (const auto& [piece, header] : m_pipes.headerLinks)
            for (const auto node : {m_net.links[piece].from, m_net.links[piece].to}) names[node] = fmt::format("{}-{}", deviceName(header), node);
        for (const auto& outlet : m_pipes.outlets) names[outlet.node] = deviceName(outlet.device);
        for (const auto& inlet : m_pipes.inlets) names[inlet.node] = deviceName(inlet.device);
        for (const auto& name : names) {
            m_supply.push_back(junction("S-" + name));
            m_return.push_back(junction("R-" + name));
        }
    }
    std::string junction(const std::string& wish)
    {
        const std::string id = m_nodeIds.make(wish);
        m_junctions += fmt::format(" {}\t0\t0\n", id);
        return id;
    }

    void pipe(const std::string& wish, const std::string& from, const std::string& to, double lengthM, double diameterMm, double roughnessMm,
              double k, const std::string& tag = {})
    {
        const std::string id = m_linkIds.make(wish);
        m_pipeRows += fmt::format(" {}\t{}\t{}\t{:.6g}\t{:.6g}\t{:.6g}\t{:.6g}\tOpen\n", id, from, to, std::max(lengthM, kShortM / 10), diameterMm,
                                  roughnessMm, k);
        if (!tag.empty()) m_tags += fmt::format(" LINK\t{}\t{}\n", id, tag);
    }
    void valve(const std::string& wish, const std::string& from, const std::string& to, const char* type, double diameterMm, double setting)
    {
        m_valveRows += fmt::format(" {}\t{}\t{}\t{:.6g}\t{}\t{:.8g}\t0\n", m_linkIds.make(wish), from, to, diameterMm, type, setting);
    }
    /// Loss coefficient of a valve with this Kv in a pipe of this diameter.
    [[nodiscard]] static double coefficient(double kv, double diameterMm)
    {
        const double area = std::numbers::pi / 4 * diameterMm * diameterMm * 1e-6;
        return kv > 0 ? 200 * std::pow(3600 * area / kv, 2) : 0;
    }

    /// What is one in the mirrored network is a pair here.
    void links()
    {
        std::map<std::size_t, std::size_t> wayOf;
        for (const auto& [way, link] : m_pipes.linkOfWay) wayOf[link] = way;
        std::map<std::size_t, DeviceId> headerOf(m_pipes.headerLinks.begin(), m_pipes.headerLinks.end());
        const auto& parts = m_figures.get<PartsNode>();
        for (std::size_t l = 0; l < m_net.links.size(); ++l) {
            const Link& link = m_net.links[l];
            std::string name = fmt::format("v{}", l), tag;
            if (const auto header = headerOf.find(l); header != headerOf.end()) name = fmt::format("{}-{}", deviceName(header->second), l);
            if (const auto way = wayOf.find(l); way != wayOf.end()) {
                const CoolantPath& path = m_chain.ways[way->second];
                name = deviceName(path.taker);
                if (path.link && m_s.links.cable[*path.link]) tag = entityName(m_s, parts, ref(*m_s.links.cable[*path.link]));
            }
            if (link.kind == LinkKind::Pipe) {
                const double length = link.lengthM / 2, k = link.minorK / 2, diameter = link.diameterM * 1000, rough = link.roughnessM * 1000;
                pipe("PS-" + name, m_supply[link.from], m_supply[link.to], length, diameter, rough, k, tag);
                pipe("PR-" + name, m_return[link.to], m_return[link.from], length, diameter, rough, k, tag);
            } else {
                const double k = coefficient(cooling::oneOfPairKv(link.kv), kWideMm);
                valve("VS-" + name, m_supply[link.from], m_supply[link.to], "TCV", kWideMm, k);
                valve("VR-" + name, m_return[link.to], m_return[link.from], "TCV", kWideMm, k);
            }
        }
    }

    void inlet(const cooling::Pipes::Inlet& inlet)
    {
        const CoolingUnit* unit = m_chain.unit(inlet.device);
        const std::string name = deviceName(inlet.device);
        // Supply comes out of what is behind it: the return of the same unit, or of a pump of its own the supply before it.
        const std::string& behind = inlet.other ? m_supply[*inlet.other] : m_return[inlet.node];
        if (inlet.other) pipe("PR-" + name, m_return[inlet.node], m_return[*inlet.other], kShortM, kWideMm, kSmoothPipeMm, 0);
        if (m_suction.empty()) m_suction = m_return[inlet.other ? *inlet.other : inlet.node];
        if (inlet.headKpa <= 0) {
            const double lpm = unit && unit->lpm > 0 ? unit->lpm : m_loop.lpm;
            loss("EX-" + name, behind, m_supply[inlet.node], inlet.ownKpa, lpm);
            return;
        }
        const double lpm = unit && unit->capacityLpm > 0 ? unit->capacityLpm : unit && unit->lpm > 0 ? unit->lpm : m_loop.lpm;
        const std::string curve = m_curveIds.make("C-" + name);
        m_curves += fmt::format(" {}\t{:.8g}\t{:.8g}\n", curve, lpm, meters(inlet.headKpa));
        m_pumpRows += fmt::format(" {}\t{}\t{}\tHEAD {}\n", m_linkIds.make("PU-" + name), behind, m_supply[inlet.node], curve);
    }

    /// A loss at a flow as a coefficient in a wide fitting.
    void loss(const std::string& wish, const std::string& from, const std::string& to, double kpa, double lpm)
    {
        const double speed = hydraulics::velocity(lpm / 60000, kWideMm / 1000);
        const double k = speed > 0 ? 2000 * std::max(kpa, 0.0) / (m_net.densityKgM3 * speed * speed) : 0;
        valve(wish, from, to, "TCV", kWideMm, k);
    }

    void outlet(const cooling::Pipes::Outlet& outlet)
    {
        const std::string name = deviceName(outlet.device), middle = junction("M-" + name);
        if (outlet.lpm > 0)
            valve("FC-" + name, m_supply[outlet.node], middle, "FCV", kWideMm, outlet.lpm);
        else
            pipe("FC-" + name, m_supply[outlet.node], middle, kShortM, kWideMm, kSmoothPipeMm, 0);
        loss("LD-" + name, middle, m_return[outlet.node], outlet.ownKpa, outlet.lpm);
    }

    void reference()
    {
        const double head = meters(numberSetting(m_s, rules::kFillKpa.setting, rules::kFillKpa.value));
        const std::string id = m_nodeIds.make("REF");
        m_reservoir = fmt::format(" {}\t{:.6g}\n", id, head);
        pipe("P-REF", id, m_suction, kShortM, 100, kSmoothPipeMm, 0);
    }

    [[nodiscard]] std::string text() const
    {
        std::string out = "[TITLE]\n";
        out += fmt::format("{}\n", m_loop.name);
        out += fmt::format(
            "; {} at {:.1f} C, {:.1f} L/min, supply and return. Pumps: one stated point, head 4/3 at no flow, none at twice the flow.\n", // no text:
                                                                                                                                          // of
                                                                                                                                          // another
                                                                                                                                          // program
            m_loop.coolant, (m_loop.supplyC + m_loop.returnC) / 2, m_loop.lpm);
        out +=
            "; Flow control valves stand for balancing valves at design flow. REF is the expansion vessel at the fill pressure.\n"; // no text: of
                                                                                                                                    // another program
        out += fmt::format("\n[JUNCTIONS]\n;ID\tElev\tDemand\n{}\n[RESERVOIRS]\n;ID\tHead\n{}", m_junctions, m_reservoir);
        out += fmt::format("\n[PIPES]\n;ID\tNode1\tNode2\tLength\tDiameter\tRoughness\tMinorLoss\tStatus\n{}", m_pipeRows);
        if (!m_pumpRows.empty()) out += fmt::format("\n[PUMPS]\n;ID\tNode1\tNode2\tParameters\n{}", m_pumpRows);
        if (!m_valveRows.empty()) out += fmt::format("\n[VALVES]\n;ID\tNode1\tNode2\tDiameter\tType\tSetting\tMinorLoss\n{}", m_valveRows);
        if (!m_tags.empty()) out += fmt::format("\n[TAGS]\n{}", m_tags);
        if (!m_curves.empty()) out += fmt::format("\n[CURVES]\n;ID\tFlow\tHead\n{}", m_curves);
        out += fmt::format(
            "\n[OPTIONS]\n UNITS\tLPM\n HEADLOSS\tD-W\n SPECIFIC GRAVITY\t{:.6g}\n VISCOSITY\t{:.8g}\n TRIALS\t200\n ACCURACY\t0.0001\n PRESSURE\t"
            "KPA\n\n[TIMES]\n DURATION\t0\n\n[END]\n",
            m_net.densityKgM3 / kWaterDensity, m_net.viscosityM2s / kWaterViscosity);
        return out;
    }

    const Figures& m_figures;
    const Snapshot& m_s;
    const CoolingChain& m_chain;
    const CoolingLoop& m_loop;
    const cooling::Pipes m_pipes;
    const hydraulics::Network& m_net;
    EpanetIds m_nodeIds, m_linkIds, m_curveIds;
    std::vector<std::string> m_supply, m_return; ///< by node of the mirrored network
    std::string m_suction, m_junctions, m_reservoir, m_pipeRows, m_pumpRows, m_valveRows, m_tags, m_curves;
};

} // namespace

Result<std::string> epanetText(const Figures& figures, const std::string& loop)
{
    const auto& chain = figures.get<CoolingChainNode>();
    std::vector<std::string> names;
    for (std::size_t l = 0; l < chain.loops.size(); ++l) {
        if (chain.loops[l].kind == LoopKind::Air) continue;
        if (chain.loops[l].name == loop) return EpanetWriter(figures, std::int32_t(l)).write();
        names.push_back(chain.loops[l].name);
    }
    if (names.empty())
        return fail(ErrorCode::Refused, "--loop", i18n("this design has no coolant loop"), i18n("add cooling equipment, or run layout"));
    if (names.size() > 12) names.resize(12);
    return fail(ErrorCode::Usage, "--loop " + loop, i18n("no loop with this name"), i18n("choose from {}", listedNames(names)));
}

} // namespace hw::importers
