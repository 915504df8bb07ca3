// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/simulators/epanet_parts.h"

#include <cmath>

namespace hw::importers::epanet {

namespace {

constexpr double kWaterKgM3 = 62.4 * 16.018463374; ///< its specific weight, lb/ft³
constexpr double kOpenK = 1e-6;                    ///< loss coefficient of what is open without loss

} // namespace

const std::vector<std::pair<double, double>>& EpanetReader::curve(const std::string& id, int line) const
{
    const auto found = m_curves.find(id);
    if (found == m_curves.end()) refuse(line, i18n("unknown curve \"{}\"", id), i18n("add it to [CURVES]"));
    return found->second;
}

/// In L/s and m.
nlohmann::json EpanetReader::points(const EpanetLink& link) const
{
    json out = json::array();
    for (const auto& [x, y] : curve(link.curve, link.line)) out.push_back({x * m_unit.lps, lengthM(y)});
    return out;
}

nlohmann::json EpanetReader::pumpJson(const EpanetLink& link, json row) const
{
    row["kind"] = "pump";
    if (link.status == EpanetStatus::Closed || link.speed == 0) row["open"] = false;
    if (link.curve.empty()) {
        row["law"] = "constant-power", row["power_w"] = link.power;
        return row;
    }
    row["curve_lps_m"] = points(link);
    const auto& list = curve(link.curve, link.line);
    for (std::size_t p = 1; p < list.size(); ++p)
        if (list[p].second >= list[p - 1].second || list[p].first <= list[p - 1].first)
            refuse(link.line, i18n("the head of curve \"{}\" does not fall as its flow rises", link.curve), i18n("correct the curve"));
    if (list.size() == 3 && list[0].first == 0) row["law"] = "power-law";
    if (link.speed != 1 && link.speed > 0) row["speed"] = link.speed;
    return row;
}

nlohmann::json EpanetReader::pipeJson(json row, double lengthM, double diameterMm, double roughness, double k) const
{
    row["kind"] = "pipe", row["length_m"] = lengthM, row["diameter_mm"] = diameterMm, row["minor_loss_k"] = k;
    row[m_formula == "hazen-williams" ? "hw_c" : m_formula == "darcy-weisbach" ? "roughness_mm" : "manning_n"] = roughness;
    return row;
}

nlohmann::json EpanetReader::valveJson(const EpanetLink& link, json row)
{
    if (link.status == EpanetStatus::Closed) row["open"] = false;
    // What is fixed, or throttles by a coefficient, is a pipe without length.
    const auto fitting = [&](double k) {
        const double roughness = m_formula == "hazen-williams" ? 100 : m_formula == "darcy-weisbach" ? 0 : 0.01;
        return pipeJson(std::move(row), 0, link.diameter, roughness, std::max(k, kOpenK));
    };
    if (link.status != EpanetStatus::Active) return fitting(link.minor);
    if (link.type == "TCV") return fitting(link.setting);
    row["kind"] = "valve";
    if (link.type == "GPV") {
        row["loss_lps_m"] = points(link);
        return row;
    }
    if (link.type == "FCV") {
        row["wanted_lps"] = link.setting * m_unit.lps;
        ++m_flowValves;
        return row;
    }
    refuse(link.line, i18n("valve \"{}\" of type {} follows pressures, which the solver does not control", link.id, link.type),
           i18n("fix it as OPEN or CLOSED in [STATUS], or replace it by a TCV"), ErrorCode::Refused);
}

nlohmann::json EpanetReader::network()
{
    json out = {{"formula", m_formula}, {"density_kg_m3", kWaterKgM3 * m_gravity}, {"nodes", json::array()}, {"links", json::array()}};
    if (!m_out.title.empty()) out["note"] = m_out.title;
    const bool multiplier = m_viscosity != kWaterM2s && m_viscosity > 1e-3;
    const double metric = m_unit.metric || m_viscosity == kWaterM2s ? 1 : kFootM * kFootM;
    out["kinematic_viscosity_m2_s"] = multiplier ? m_viscosity * kWaterM2s : m_viscosity * metric;
    for (const auto& n : m_nodes) {
        json row = {{"id", n.id}, {"kind", n.fixed ? "fixed" : "junction"}, {"elevation_m", n.elevation}};
        if (n.fixed) {
            row["head_m"] = n.head * factor(n.headPattern, n.line);
        } else {
            double demand = 0;
            for (const auto& [base, pattern] : n.demands) {
                const bool usual = pattern.empty() && m_patterns.contains(m_defaultPattern);
                demand += base * factor(usual ? m_defaultPattern : pattern, n.line);
            }
            row["demand_lps"] = demand * m_multiplier * m_unit.lps;
        }
        out["nodes"].push_back(std::move(row));
    }
    for (const auto& l : m_links) {
        json row = {{"id", l.id}, {"from", m_nodes[l.from].id}, {"to", m_nodes[l.to].id}};
        if (l.kind == EpanetLink::Kind::Pump) {
            if (l.curve.empty() && l.speed != 1 && l.speed > 0) note(l.line, i18n("the speed of a constant-power pump has no effect"));
            out["links"].push_back(pumpJson(l, std::move(row)));
        } else if (l.kind == EpanetLink::Kind::Valve) {
            out["links"].push_back(valveJson(l, std::move(row)));
        } else {
            if (l.check) row["check_valve"] = true;
            if (l.status == EpanetStatus::Closed) row["open"] = false;
            out["links"].push_back(pipeJson(std::move(row), l.length, l.diameter, l.roughness, l.minor));
        }
    }
    if (m_flowValves > 0)
        note(0,
             i18np(m_flowValves, "{:L} flow control valve is held at its flow setting: insufficient head is an error here, an open valve in EPANET",
                   "{:L} flow control valves are held at their flow settings: insufficient head is an error here, an open valve in EPANET"));
    return out;
}

} // namespace hw::importers::epanet
