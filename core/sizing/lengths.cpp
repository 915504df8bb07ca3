// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/lengths.h"

#include "core/derive/cabling.h"
#include "core/geometry/routing.h"

#include <algorithm>
#include <cstdlib>

namespace hw::sizing {

namespace {

constexpr std::size_t kFine = 480, kCoarse = 24; ///< links of a rule that are measured

/// As CableIndex has it of a whole design.
std::int32_t middleMm(const DeviceSpot& spot) { return heightOfUnitMm(spot.unit) + std::int32_t(std::int64_t(spot.halfUnits) * kRackUnitUm / 4000); }

/// Only what a place needs: parts that stand as boxes.
Result<std::shared_ptr<const ProjectParts>> rackParts(const Snapshot& places)
{
    PartTypes table = places.partTypes;
    for (const auto id : places.partTypes.ids())
        if (table.kind[id] != PartKind::Rack) table.erase(id);
    return ProjectParts::of(table);
}

/// Links that leave their rack, to be routed together.
struct AskedWay {
    std::size_t rule = 0, place = 0;
    std::int32_t heightA = 0, heightB = 0;
};

class Sampler {
public:
    Sampler(TemplateCounter& counter, const SitePlan& site, std::vector<std::vector<std::int32_t>>& ways)
        : m_counter(counter), m_site(site), m_ways(ways)
    {
    }

    void take(const TemplateCount::Rule& rule, std::size_t number, std::size_t most)
    {
        for (const LinkSample& link : m_counter.sampleLinks(number, most)) {
            const auto a = m_counter.spot(m_site, rule.from, link.fromMember), b = m_counter.spot(m_site, rule.to, link.toMember);
            if (!a || !b) continue;
            if (a->rack == b->rack)
                m_ways[number].push_back(std::abs(middleMm(*a) - middleMm(*b)) + Cabling::kPatchingMm);
            else
                ask(number, *a, *b);
        }
    }

    Result<void> route()
    {
        const auto parts = rackParts(*m_site.places);
        if (!parts) return tl::unexpected(parts.error());
        Routing::measure(*m_site.places, *Placement::compute(*m_site.places, **parts), m_pairs);
        for (std::size_t i = 0; i < m_pairs.size(); ++i) {
            const auto& pair = m_pairs[i];
            if (pair.lengthMm >= 0)
                m_ways[m_asked[i].rule][m_asked[i].place] =
                    pair.lengthMm + std::abs(pair.heightA - m_asked[i].heightA) + std::abs(pair.heightB - m_asked[i].heightB);
        }
        for (auto& ways : m_ways) std::erase(ways, kNoWay);
        return {};
    }

private:
    static constexpr std::int32_t kNoWay = -1;

    void ask(std::size_t rule, const DeviceSpot& a, const DeviceSpot& b)
    {
        const bool swapped = b.rack < a.rack;
        const auto &first = swapped ? b : a, &second = swapped ? a : b;
        std::int16_t plane = a.plane < 0 ? b.plane : a.plane;
        if (a.plane >= 0 && b.plane >= 0 && a.plane != b.plane) plane = -1;
        m_pairs.push_back({first.rack, second.rack, plane, 0, 0, 0});
        m_asked.push_back({rule, m_ways[rule].size(), middleMm(first), middleMm(second)});
        m_ways[rule].push_back(kNoWay);
    }

    TemplateCounter& m_counter;
    const SitePlan& m_site;
    std::vector<std::vector<std::int32_t>>& m_ways;
    std::vector<Routing::Pair> m_pairs;
    std::vector<AskedWay> m_asked;
};

} // namespace

Result<LengthModel> LengthModel::make(TemplateCounter& counter, const TemplateCount& count, const std::vector<bool>& fine,
                                      const std::optional<HallRoom>& room)
{
    auto site = counter.sitePlan(room);
    if (!site) return tl::unexpected(site.error());
    LengthModel model;
    model.m_site = std::move(*site);
    model.m_ways.resize(count.rules.size());
    Sampler sampler(counter, model.m_site, model.m_ways);
    for (std::size_t r = 0; r < count.rules.size(); ++r)
        if (count.rules[r].medium == Medium::Data && count.rules[r].links > 0) sampler.take(count.rules[r], r, fine[r] ? kFine : kCoarse);
    if (const auto routed = sampler.route(); !routed) return tl::unexpected(routed.error());
    return model;
}

} // namespace hw::sizing
