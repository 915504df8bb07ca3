// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/plant/plant_model.h"

#include "core/physics/weather/psychrometrics.h"

#include <algorithm>
#include <cmath>

namespace hw::plant {

namespace {

constexpr int kMostRounds = 60;
constexpr double kDehumidifierCop = 3, kHumidifierJ = 0.08 * 3.6e6; ///< J/kg of mist (assumed)
constexpr double kAirDensity = 1.2;

} // namespace

PlantSolver::PlantSolver(const PlantModel& model)
    : m_model(model), m_groupW(model.power.groups(), 0), m_loops(model.loops.size()), m_handedW(model.loops.size(), 0), m_uncooled(model.it.size(), 1)
{
    for (std::size_t l = 0; l < model.loops.size(); ++l) {
        m_loops[l].supplyC = model.loops[l].setC;
        for (const auto& [group, share] : model.loops[l].itHeat) m_uncooled[std::size_t(group)] -= share;
    }
    for (double& share : m_uncooled) share = std::max(share, 0.0);
    m_placeLossW.assign(model.places.size() + 1, 0);
}

void PlantSolver::drawIt(double load)
{
    for (std::size_t g = 0; g < m_model.it.size(); ++g) {
        const ItGroup& it = m_model.it[g];
        double share = load;
        if (it.supplies && it.output > 0 && load > 0) {
            const double output = it.output * load;
            share = load * supplyEfficiency(m_model.rules.supplies, it.output) / supplyEfficiency(m_model.rules.supplies, output);
        }
        m_groupW[g] = it.designW * share;
    }
}

/// Outdoor air that comes into the halls is dried or humidified to the limits of the rooms.
void PlantSolver::humidity(const weather::Air& air, PlantHour& out) const
{
    const PlantRules& rules = m_model.rules;
    const double kgS = rules.airVolumeM3 * rules.airChanges / 3600 * kAirDensity;
    const double ratio = weather::humidityRatio(air.dewPointC, air.pressure);
    const double least = weather::humidityRatio(rules.leastDewPointC, air.pressure), most = weather::humidityRatio(rules.mostDewPointC, air.pressure);
    if (ratio > most) out.humidityW = kgS * (ratio - most) * kLatentJ / kDehumidifierCop;
    if (ratio < least) out.humidifierKgS = kgS * (least - ratio), out.humidityW = out.humidifierKgS * kHumidifierJ;
}

PlantHour PlantSolver::solve(const weather::Air& air, double load, int month)
{
    const bool sameIt = load == m_load;
    if (!sameIt) drawIt(load);
    m_load = load;
    const Now now{air, month};
    PlantHour out;
    for (int round = 0; round < kMostRounds; ++round) {
        out = {};
        m_facilityW = m_freeW = 0;
        std::fill(m_groupW.begin() + std::ptrdiff_t(m_model.it.size()), m_groupW.end(), 0.0);
        std::ranges::fill(m_handedW, 0.0);
        for (const auto& [group, watts] : m_model.constant) m_groupW[std::size_t(group)] = watts, out.pumpsW += watts, out.rejectedW += watts;
        double moved = 0;
        for (std::size_t l = 0; l < m_loops.size(); ++l) {
            const double before = m_loops[l].supplyC;
            moveHeat(l, out);
            if (m_model.loops[l].role == LoopRole::Facility || m_model.loops[l].role == LoopRole::Condenser) sinkHeat(l, now, out);
            moved = std::max(moved, std::abs(m_loops[l].supplyC - before));
        }
        m_model.power.solve(m_groupW, m_power, sameIt || round > 0);
        double change = 0;
        for (std::size_t p = 0; p < m_power.placeLossW.size(); ++p) change += std::abs(m_power.placeLossW[p] - m_placeLossW[p]);
        // What this round's loops took from rooms are the losses of the round before: the balance is held against them.
        for (const std::int32_t place : {m_model.outdoors, m_model.ventilated, std::int32_t(m_model.places.size())})
            out.rejectedW += m_power.placeLossW[std::size_t(place)];
        std::swap(m_placeLossW, m_power.placeLossW);
        if (change <= 1e-11 * m_power.inW && moved <= 1e-9) break;
    }
    for (std::size_t g = 0; g < m_model.it.size(); ++g) {
        out.itW += m_groupW[g], out.unmetW += m_uncooled[g] * m_groupW[g];
        const ItGroup& it = m_model.it[g];
        if (it.supplies) out.supplyLossW += m_groupW[g] * (1 - supplyEfficiency(m_model.rules.supplies, it.output * load));
    }
    humidity(air, out);
    out.lossesW = m_power.lossW, out.feedersW = m_power.feederW, out.otherW = m_model.rules.otherShare * out.itW;
    out.ventilationW = m_model.rules.ventilationShare * m_placeLossW[std::size_t(m_model.ventilated)];
    const double beside = out.feedersW + out.otherW + out.ventilationW + out.humidityW;
    out.siteW = m_power.inW + beside;
    out.rejectedW += beside;
    out.freeShare = m_facilityW > 0 ? m_freeW / m_facilityW : 0;
    for (std::size_t l = 0; l < m_loops.size(); ++l) {
        const Loop& loop = m_model.loops[l];
        if (loop.role != LoopRole::Facility) continue;
        out.warmestOverK = std::max(out.warmestOverK, m_loops[l].supplyC - loop.setC);
        const double inside = std::clamp(air.dewPointC, m_model.rules.leastDewPointC, m_model.rules.mostDewPointC);
        out.condenses = out.condenses || m_loops[l].supplyC < inside;
    }
    return out;
}

} // namespace hw::plant
