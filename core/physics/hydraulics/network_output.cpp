// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/hydraulics/checks.h"
#include "core/physics/hydraulics/head_loss.h"
#include "core/physics/hydraulics/network_file.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace hw::hydraulics {

namespace {

using nlohmann::json;

constexpr double kBeyond = 1 + 1e-9; ///< of a pump's last flow

const char* word(LinkState state) { return state == LinkState::Open ? "open" : state == LinkState::Shut ? "shut" : "held"; }

double gain(const Network& network, const Solution& s, std::size_t l) { return s.headM[network.links[l].to] - s.headM[network.links[l].from]; }
bool beyondCurve(const Network& network, const Solution& s, std::size_t l)
{
    return s.flowM3s[l] > HeadLoss(network, network.links[l]).runOut() * kBeyond;
}

json number(double value) { return std::isnan(value) ? json(nullptr) : json(value); }

json nodeAnswer(json node, const Network& network, const Solution& s, std::size_t n)
{
    node["head_m"] = number(s.headM[n]);
    node["pressure_kpa"] = number(pascalOf(network, s.headM[n] - network.nodes[n].elevationM) / kKilopascal);
    return node;
}

json linkAnswer(json row, const Network& network, const Solution& s, std::size_t l)
{
    const Link& link = network.links[l];
    const double flow = s.flowM3s[l], loss = -gain(network, s, l);
    row["flow_lps"] = flow / kLiter;
    row["state"] = word(s.state[l]);
    row["head_loss_m"] = number(loss);
    row["loss_across_kpa"] = number(pascalOf(network, loss) / kKilopascal);
    if (link.kind == LinkKind::Pipe) {
        row["velocity_m_s"] = velocity(flow, link.diameterM);
        if (network.viscosityM2s > 0) row["reynolds"] = reynolds(flow, link.diameterM, network.viscosityM2s);
    }
    if (link.kind == LinkKind::Pump) {
        row["hydraulic_w"] = number(pumpPowerW(network, flow, -loss, 1));
        row["beyond_curve"] = beyondCurve(network, s, l);
    }
    if (link.wantedM3s > 0) row["set_kv_m3_h"] = link.kv;
    return row;
}

using Lines = std::string&;

void line(Lines out, const Text& text) { out += words(text) + '\n'; }

void pumps(Lines out, const Network& network, const Solution& s)
{
    for (std::size_t l = 0; l < network.links.size(); ++l) {
        const Link& link = network.links[l];
        if (link.kind != LinkKind::Pump) continue;
        const double head = gain(network, s, l);
        if (s.state[l] == LinkState::Shut)
            line(out, i18n("Pump {}: shut off", link.id));
        else if (s.state[l] == LinkState::Held)
            line(out, i18n("Pump {}: cannot overcome the downstream head", link.id));
        else
            line(out, i18n("Pump {}: {:.3f} L/s at {:.2f} m ({:.1f} kPa), {:.0f} W hydraulic power", link.id, s.flowM3s[l] / kLiter, head,
                           pascalOf(network, head) / kKilopascal, pumpPowerW(network, s.flowM3s[l], head, 1)));
        if (s.state[l] == LinkState::Open && beyondCurve(network, s, l)) line(out, i18n("  beyond the end of the pump curve"));
    }
}

void fastest(Lines out, const Network& network, const Solution& s)
{
    const Link* fast = nullptr;
    double most = 0, flow = 0;
    for (std::size_t l = 0; l < network.links.size(); ++l) {
        const Link& link = network.links[l];
        if (link.kind != LinkKind::Pipe || velocity(s.flowM3s[l], link.diameterM) <= most) continue;
        fast = &link, most = velocity(s.flowM3s[l], link.diameterM), flow = s.flowM3s[l];
    }
    if (fast) line(out, i18n("Highest velocity in pipe {}: {:.2f} m/s, {:.3f} L/s", fast->id, most, std::abs(flow) / kLiter));
}

void valvesSet(Lines out, const Network& network)
{
    for (const auto& link : network.links)
        if (link.wantedM3s > 0 && link.open) line(out, i18n("Valve {}: Kv {:.3f} m³/h for {:.3f} L/s", link.id, link.kv, link.wantedM3s / kLiter));
}

void named(Lines out, const Network& network, const Solution& s)
{
    std::vector<std::string> heldBack, cutOff;
    for (std::size_t l = 0; l < network.links.size(); ++l)
        if (s.state[l] == LinkState::Held && network.links[l].kind != LinkKind::Pump) heldBack.push_back(network.links[l].id);
    for (const Index n : s.cutOff) cutOff.push_back(network.nodes[n].id);
    if (!heldBack.empty()) line(out, i18n("Check valves closed: {}", someNames(heldBack)));
    if (!cutOff.empty()) line(out, i18n("Isolated by closed elements: {}", someNames(cutOff)));
}

} // namespace

nlohmann::json answerJson(const NetworkFile& file, const Network& solved, const Solution& s)
{
    json out = file.json;
    out["schema"] = "hallwright.hydraulics/1";
    for (std::size_t n = 0; n < solved.nodes.size(); ++n) out["nodes"][n] = nodeAnswer(std::move(out["nodes"][n]), solved, s, n);
    for (std::size_t l = 0; l < solved.links.size(); ++l) out["links"][l] = linkAnswer(std::move(out["links"][l]), solved, s, l);
    json& answer = out["answer"] = json::object();
    answer["trials"] = s.trials;
    answer["mass_residual_lps"] = s.certificate.massM3s / kLiter;
    answer["energy_residual_m"] = s.certificate.energyM;
    answer["certificate"] = s.certificate.ok() ? "ok" : "failed";
    if (solved.viscosityM2s > 0) answer["kinematic_viscosity_m2_s"] = solved.viscosityM2s;
    answer["density_kg_m3"] = solved.densityKgM3;
    if (file.properties) answer["volumetric_heat_j_m3_k"] = file.properties->volumetricHeat();
    return out;
}

std::string answerText(const NetworkFile& file, const Network& solved, const Solution& s)
{
    std::string text;
    Lines out(text);
    line(out, i18n("{} and {}, {}", i18np(std::int64_t(solved.nodes.size()), "{:L} node", "{:L} nodes"),
                   i18np(std::int64_t(solved.links.size()), "{:L} link", "{:L} links"),
                   i18np(std::int64_t(s.trials), "balanced in {:L} iteration", "balanced in {:L} iterations")));
    if (file.properties)
        line(out, i18n("{}: {:.1f} kg/m³, {:.3f} mPa s, {:.3f} MJ/(m³ K)", file.coolant, file.properties->density, file.properties->viscosity * 1e3,
                       file.properties->volumetricHeat() / 1e6));
    pumps(out, solved, s);
    valvesSet(out, solved);
    fastest(out, solved, s);
    named(out, solved, s);
    line(out, i18n("Verification: flows balance within {:.1e} L/s, heads within {:.1e} m", s.certificate.massM3s / kLiter, s.certificate.energyM));
    return text;
}

} // namespace hw::hydraulics
