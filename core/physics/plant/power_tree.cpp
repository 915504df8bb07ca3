// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/plant/power_tree.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hw::plant {

namespace {

/// What elements of one class have in common.
struct Key {
    std::vector<double> loss;
    std::int32_t group = -1;
    double share = 0;
    bool source = false;
    std::vector<std::pair<std::uint32_t, std::int64_t>> uses; ///< class, and the parts that its ways are of its intake as 1/n, coded
    std::vector<std::int64_t> counts;
    friend auto operator<=>(const Key&, const Key&) = default;
};

std::vector<double> lossKey(const power::Loss& loss)
{
    std::vector<double> out{double(loss.fixed.count()), double(loss.atRating.count()), double(loss.rating.count())};
    for (const auto& point : loss.curve) out.push_back(point.load), out.push_back(point.efficiency);
    return out;
}

/// The same loss in microwatts: what a year adds up has finer steps than a network.
constexpr std::int64_t kFiner = 1000;
power::Loss finer(const power::Loss& loss)
{
    const auto scaled = [](Milliwatts power) { return Milliwatts(power.count() * kFiner); };
    return {scaled(loss.fixed), scaled(loss.atRating), scaled(loss.rating), loss.curve};
}

} // namespace

PowerTree::PowerTree(const power::Network& network, const power::Flow& flow, std::span<const Draw> draws, std::span<const std::int32_t> places,
                     std::span<const double> feederLossW, std::size_t groups, std::size_t placeCount)
    : m_groups(groups), m_placeCount(placeCount)
{
    std::map<Key, std::uint32_t> known;
    std::vector<std::uint32_t> classOf(network.size(), 0);
    std::vector<std::vector<Use>> uses;
    std::vector<std::map<std::uint32_t, double>> placed;
    // Ways that are in use take equal parts of an element's intake.
    std::vector<std::int64_t> waysInUse(network.size(), 0);
    for (power::Index i = 0; i < network.size(); ++i)
        for (std::size_t f = 0; f < network.feeds(i).size(); ++f) waysInUse[i] += flow.shares[network.firstFeed(i) + f].total().count() > 0;
    for (const power::Index i : network.order()) {
        if (!flow.live[i] || flow.intake[i].total().count() <= 0) continue;
        Key key{lossKey(network[i].loss), draws[i].group, draws[i].share, network.feeds(i).empty(), {}, {}};
        std::map<std::pair<std::uint32_t, std::int64_t>, std::int64_t> parts;
        for (const auto& use : network.uses(i))
            if (flow.shares[network.firstFeed(use.consumer) + use.feed].total().count() > 0)
                ++parts[{classOf[use.consumer], waysInUse[use.consumer]}];
        for (const auto& [part, count] : parts) key.uses.push_back(part), key.counts.push_back(count);
        const auto [at, fresh] = known.emplace(key, std::uint32_t(m_classes.size()));
        if (fresh) {
            Class c{.loss = finer(network[i].loss), .draw = draws[i], .source = key.source};
            c.lossless = c.loss.fixed.count() == 0 && (c.loss.rating.count() == 0 || (c.loss.atRating.count() == 0 && c.loss.curve.empty()));
            m_classes.push_back(c);
            auto& list = uses.emplace_back();
            for (const auto& [part, count] : parts) list.push_back({part.first, double(count) / double(part.second)});
            placed.emplace_back();
        }
        classOf[i] = at->second;
        Class& c = m_classes[at->second];
        c.count += 1;
        if (!c.lossless) placed[at->second][places[i] >= 0 ? std::uint32_t(places[i]) : std::uint32_t(placeCount)] += 1;
        const double intake = toWatts(flow.intake[i].total());
        c.feeder += feederLossW[i] / (intake * intake);
    }
    for (std::size_t k = 0; k < m_classes.size(); ++k) {
        Class& c = m_classes[k];
        c.firstUse = std::uint32_t(m_uses.size()), c.uses = std::uint32_t(uses[k].size());
        m_uses.insert(m_uses.end(), uses[k].begin(), uses[k].end());
        c.firstPlace = std::uint32_t(m_places.size()), c.places = std::uint32_t(placed[k].size());
        m_places.insert(m_places.end(), placed[k].begin(), placed[k].end());
    }
}

void PowerTree::fix(std::span<const char> groups)
{
    for (Class& c : m_classes) {
        c.fixed = c.draw.group < 0 || groups[std::size_t(c.draw.group)] != 0;
        for (std::uint32_t u = 0; u < c.uses; ++u) c.fixed = c.fixed && m_classes[m_uses[c.firstUse + u].of].fixed;
    }
}

void PowerTree::solve(std::span<const double> groupW, State& state, bool onlyChanged) const
{
    state.intakeW.resize(m_classes.size());
    state.placeLossW.assign(m_placeCount + 1, 0);
    state.inW = state.lossW = state.feederW = state.drawW = 0;
    for (std::size_t k = 0; k < m_classes.size(); ++k) {
        const Class& c = m_classes[k];
        const double draw = c.draw.group >= 0 ? groupW[std::size_t(c.draw.group)] * c.draw.share : 0;
        double through = draw;
        if (!(onlyChanged && c.fixed) || !c.lossless)
            for (std::uint32_t u = 0; u < c.uses; ++u) through += m_uses[c.firstUse + u].ways * state.intakeW[m_uses[c.firstUse + u].of];
        double loss = 0;
        if (!(onlyChanged && c.fixed)) {
            loss = c.lossless ? 0 : double(c.loss.at(Milliwatts(std::llround(through * 1e3 * kFiner))).count()) / (1e3 * kFiner);
            state.intakeW[k] = through + loss;
        } else if (!c.lossless) {
            loss = state.intakeW[k] - through;
        }
        const double intake = state.intakeW[k];
        state.drawW += c.count * draw;
        state.lossW += c.count * loss;
        state.feederW += c.feeder * intake * intake;
        if (c.source) state.inW += c.count * intake;
        for (std::uint32_t p = 0; p < c.places; ++p) state.placeLossW[m_places[c.firstPlace + p].first] += m_places[c.firstPlace + p].second * loss;
    }
}

} // namespace hw::plant
