// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/hydraulics/checks.h"

#include "core/foundation/base/disjoint_sets.h"

#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

namespace hw::hydraulics {

namespace {

tl::unexpected<Error> bad(const char* list, std::size_t i, const char* key, const std::string& id, const Text& what, const Text& todo)
{
    return fail(ErrorCode::Unreadable, fmt::format("{}[{}].{}", list, i, key), i18n("\"{}\": {}", id, what), todo);
}

/// What is built, generously: beyond it numbers are slips of the pen, and sums lose their digits.
constexpr double kMostM = 1e6, kMostM3s = 1e3, kLeastM3s = 1e-9, kLeastHeadM = 1e-3;
bool within(double value, double least, double most) { return value >= least && value <= most; }
bool aHead(double value) { return within(value, -kMostM, kMostM); }

Result<void> checkNode(const Node& node, std::size_t i)
{
    const Text todo = i18n("correct the node");
    if (node.id.empty()) return bad("nodes", i, "id", node.id, i18n("no name given"), todo);
    if (!aHead(node.elevationM)) return bad("nodes", i, "elevation_m", node.id, i18n("out of range"), todo);
    if (node.fixed && !aHead(node.headM)) return bad("nodes", i, "head_m", node.id, i18n("out of range"), todo);
    if (!node.fixed && !within(std::abs(node.demandM3s), 0, kMostM3s)) return bad("nodes", i, "demand_lps", node.id, i18n("out of range"), todo);
    return {};
}

/// The key that is out of its range, or none.
const char* badPipeKey(const Network& network, const Link& link)
{
    if (!within(link.lengthM, 0, kMostM)) return "length_m";
    if (!within(link.diameterM, 1e-4, 100)) return "diameter_mm";
    if (!within(link.minorK, 0, 1e9)) return "minor_loss_k";
    if (network.friction == Friction::HazenWilliams && !within(link.hazenC, 1, 1000)) return "hw_c";
    if (network.friction == Friction::ChezyManning && !within(link.manningN, 1e-4, 1)) return "manning_n";
    if (network.friction == Friction::DarcyWeisbach && !within(link.roughnessM, 0, link.diameterM / 10)) return "roughness_mm";
    return nullptr;
}

Result<void> checkCurve(const Link& link, std::size_t i)
{
    const Text todo = i18n("specify [flow, head] pairs");
    const auto& curve = link.curve;
    for (const auto& point : curve)
        if (!within(point.flowM3s, 0, kMostM3s) || !aHead(point.headM))
            return bad("links", i, "curve_lps_m", link.id, i18n("out of range: flows must not be negative"), todo);
    if (curve.empty()) return bad("links", i, "curve_lps_m", link.id, i18n("no points given"), todo);
    if (curve.size() == 1 && (curve[0].flowM3s < kLeastM3s || curve[0].headM < kLeastHeadM))
        return bad("links", i, "curve_lps_m", link.id, i18n("a single point must have a flow and a head greater than 0"), todo);
    for (std::size_t p = 1; p < curve.size(); ++p)
        if (curve[p].flowM3s < curve[p - 1].flowM3s + kLeastM3s || curve[p].headM >= curve[p - 1].headM)
            return bad("links", i, "curve_lps_m", link.id, i18n("flow must increase and head decrease from point to point"), todo);
    return {};
}

Result<void> checkPump(const Link& link, std::size_t i)
{
    const Text todo = i18n("correct the pump");
    if (!within(link.speed, 1e-2, 10)) return bad("links", i, "speed", link.id, i18n("out of range"), todo);
    if (link.law == PumpLaw::ConstantPower) {
        if (!within(link.powerW, 1e-3, 1e9)) return bad("links", i, "power_w", link.id, i18n("out of range"), todo);
        return {};
    }
    if (const auto fine = checkCurve(link, i); !fine || link.law == PumpLaw::Points) return fine;
    if (link.curve.size() != 3 || link.curve[0].flowM3s > 0)
        return bad("links", i, "curve_lps_m", link.id, i18n("a power law passes through three points, the first without flow"), todo);
    const double exponent = std::log((link.curve[0].headM - link.curve[2].headM) / (link.curve[0].headM - link.curve[1].headM)) /
                            std::log(link.curve[2].flowM3s / link.curve[1].flowM3s);
    if (!within(exponent, 0.05, 20) || !(link.curve[0].headM > 0))
        return bad("links", i, "curve_lps_m", link.id, i18n("no power law passes through these points"), todo);
    return {};
}

/// From no loss without flow on, rising.
Result<void> checkLossCurve(const Link& link, std::size_t i)
{
    const Text todo = i18n("specify [flow, loss] pairs from [0, 0]");
    const auto& curve = link.curve;
    if (curve.size() < 2 || curve[0].flowM3s != 0 || curve[0].headM != 0)
        return bad("links", i, "loss_lps_m", link.id, i18n("does not begin with [0, 0] and a second point"), todo);
    for (std::size_t p = 1; p < curve.size(); ++p)
        if (!within(curve[p].flowM3s, curve[p - 1].flowM3s + kLeastM3s, kMostM3s) || !aHead(curve[p].headM) || !(curve[p].headM > curve[p - 1].headM))
            return bad("links", i, "loss_lps_m", link.id, i18n("flow and loss must increase from point to point"), todo);
    return {};
}

Result<void> checkLink(const Network& network, const Link& link, std::size_t i)
{
    const Text todo = i18n("correct the link");
    if (link.id.empty()) return bad("links", i, "id", link.id, i18n("no name given"), todo);
    if (link.from >= network.nodes.size()) return bad("links", i, "from", link.id, i18n("unknown node"), todo);
    if (link.to >= network.nodes.size()) return bad("links", i, "to", link.id, i18n("unknown node"), todo);
    if (link.from == link.to) return bad("links", i, "to", link.id, i18n("starts and ends at the same node"), todo);
    switch (link.kind) {
    case LinkKind::Pipe:
        if (const char* key = badPipeKey(network, link)) return bad("links", i, key, link.id, i18n("out of range"), todo);
        if (link.lengthM == 0 && link.minorK == 0) return bad("links", i, "length_m", link.id, i18n("neither length nor loss given"), todo);
        return {};
    case LinkKind::Pump: return checkPump(link, i);
    case LinkKind::Valve:
        if (!link.curve.empty()) return checkLossCurve(link, i);
        if (!within(link.kv, 1e-6, 1e9) && !(link.kv == 0 && within(link.wantedM3s, kLeastM3s, kMostM3s)))
            return bad("links", i, link.kv == 0 ? "wanted_lps" : "kv_m3_h", link.id, i18n("out of range"),
                       i18n("specify the Kv, or the target flow"));
        return {};
    case LinkKind::Plate:
        if (!within(link.atM3s, kLeastM3s, kMostM3s)) return bad("links", i, "at_lps", link.id, i18n("out of range"), todo);
        if (!within(link.lossPa, 1e-3, 1e9)) return bad("links", i, "loss_kpa", link.id, i18n("out of range"), todo);
        if (!within(link.exponent, 1, 3)) return bad("links", i, "exponent", link.id, i18n("must be between 1 and 3"), todo);
        return {};
    }
    return {};
}

template <class List>
Result<void> checkNames(const List& list, const char* name)
{
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (!seen.insert(list[i].id).second) return bad(name, i, "id", list[i].id, i18n("duplicate name"), i18n("use a unique name for each"));
    return {};
}

Result<void> checkJoined(const Network& network)
{
    DisjointSets groups(network.nodes.size());
    for (const auto& link : network.links) groups.join(link.from, link.to);
    std::vector<char> held(network.nodes.size(), 0);
    for (Index n = 0; n < network.nodes.size(); ++n)
        if (network.nodes[n].fixed) held[groups.find(n)] = 1;
    std::vector<std::string> loose;
    for (Index n = 0; n < network.nodes.size(); ++n)
        if (!held[groups.find(n)]) loose.push_back(network.nodes[n].id);
    if (loose.empty()) return {};
    if (loose.size() == network.nodes.size())
        return fail(ErrorCode::Unreadable, "nodes", i18n("no node has a fixed head"),
                    i18n("set the kind of the expansion vessel or tank node to fixed"));
    return fail(ErrorCode::Unreadable, "links", i18n("not connected to a fixed head: {}", someNames(loose)),
                i18n("connect that section to the rest, or add an expansion vessel"));
}

} // namespace

Text someNames(const std::vector<std::string>& names)
{
    constexpr std::size_t kShown = 5;
    if (names.size() <= kShown + 1) return listedNames(names);
    const auto rest = std::int64_t(names.size() - kShown);
    return i18n("{} and {:L} more", listedNames(std::vector<std::string>(names.begin(), names.begin() + kShown)), rest);
}

Result<void> check(const Network& network)
{
    if (network.nodes.empty()) return fail(ErrorCode::Unreadable, "nodes", i18n("none given"), i18n("specify nodes and links"));
    if (const auto names = checkNames(network.nodes, "nodes"); !names) return names;
    if (const auto names = checkNames(network.links, "links"); !names) return names;
    if (network.friction == Friction::DarcyWeisbach && !within(network.viscosityM2s, 1e-9, 1))
        return fail(ErrorCode::Unreadable, "kinematic_viscosity_m2_s", i18n("out of range"), i18n("specify it, or a coolant and its temperature"));
    if (!within(network.densityKgM3, 1, 1e5)) return fail(ErrorCode::Unreadable, "density_kg_m3", i18n("out of range"), i18n("correct the density"));
    for (std::size_t i = 0; i < network.nodes.size(); ++i)
        if (const auto fine = checkNode(network.nodes[i], i); !fine) return fine;
    for (std::size_t i = 0; i < network.links.size(); ++i)
        if (const auto fine = checkLink(network, network.links[i], i); !fine) return fine;
    return checkJoined(network);
}

} // namespace hw::hydraulics
