// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/scene/loads.h"

#include <algorithm>

namespace hw::views::twin {

namespace {

/// Sums over the links of some cables, by direction (0: up, 1: down).
struct Sums {
    double load[2] = {0, 0}, rate[2] = {0, 0};
    void add(const Sums& other)
    {
        for (int d = 0; d < 2; ++d) load[d] += other.load[d], rate[d] += other.rate[d];
    }
    [[nodiscard]] float utilization() const
    {
        float most = -1;
        for (int d = 0; d < 2; ++d)
            if (rate[d] > 0) most = std::max(most, float(load[d] / rate[d]));
        return most;
    }
};

Sums sumsOfPair(const sim::FlowResult& r, const Figures& f, std::uint32_t pair)
{
    Sums sums;
    for (const CableId cable : f.cabling->cablesOfPair(pair))
        for (const LinkId link : f.cabling->linksOf(cable))
            for (int d = 0; d < 2; ++d) {
                const std::size_t directed = 2 * std::size_t(link.value) + std::size_t(d);
                if (directed >= r.loadGbps.size() || directed >= r.capacityGbps.size()) continue;
                sums.load[d] += double(r.loadGbps[directed]);
                sums.rate[d] += double(r.capacityGbps[directed]);
            }
    return sums;
}

} // namespace

SceneLoads SceneLoads::of(std::shared_ptr<const sim::FlowResult> result, const Figures& f, const SceneFacts& facts)
{
    SceneLoads loads;
    loads.result = std::move(result);
    if (!loads.result) return loads;
    loads.countLinks();
    if (!f.routing || !f.cabling) return loads;
    std::vector<Sums> sections(facts.sections().size());
    const auto pairs = std::uint32_t(f.routing->pairs().size());
    for (std::uint32_t pair = 0; pair < pairs; ++pair) {
        const Sums sums = sumsOfPair(*loads.result, f, pair);
        if (sums.rate[0] + sums.rate[1] <= 0) continue;
        for (const std::uint32_t section : facts.sectionsOfPair(pair)) sections[section].add(sums);
    }
    loads.section.reserve(sections.size());
    for (const Sums& s : sections) loads.section.push_back(s.utilization());
    return loads;
}

void SceneLoads::countLinks()
{
    const auto links = std::uint32_t(std::min(result->loadGbps.size(), result->capacityGbps.size()) / 2);
    scale.entity = EntityKind::Link;
    scale.scale = FieldScale::Share;
    scale.title = i18n("Link utilization");
    scale.unit.assign(1, '%');
    scale.values.resize(links);
    for (std::uint32_t i = 0; i < links; ++i) {
        const float busier = link(LinkId(i));
        highest = std::max(highest, busier);
        scale.values[i] = busier < 0 ? ValueField::kNone : busier;
    }
    histogram = histogramOf(scale);
    scale.values = {};
}

float SceneLoads::link(LinkId link) const
{
    float most = -1;
    for (std::size_t directed = 2 * std::size_t(link.value); directed < 2 * std::size_t(link.value) + 2; ++directed)
        if (result && directed < result->loadGbps.size() && directed < result->capacityGbps.size() && result->capacityGbps[directed] > 0)
            most = std::max(most, float(result->utilization(std::uint32_t(directed))));
    return most;
}

float SceneLoads::cable(const Figures& figures, CableId cable) const
{
    float most = -1;
    for (const LinkId id : figures.cabling->linksOf(cable)) most = std::max(most, link(id));
    return most;
}

} // namespace hw::views::twin
