// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/lengths.h"

#include "core/derived/cabling/cabling.h"
#include "core/derived/geometry/routing.h"
#include "core/design/sizing/bundles.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace hw::sizing {

namespace {

constexpr std::size_t kFine = 480, kCoarse = 24; ///< links of a rule that are measured
constexpr double kGolden = 0.6180339887498949;
constexpr std::int32_t kCopperMm = 5000;     ///< no copper of the catalog reaches further between switches and NICs
constexpr std::int64_t kMostLinks = 150'000; ///< of a rule that are looked at to find what shares a socket

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

/// Where a way is to be written: into the ways of a rule, or as the longest of a cable of its sockets.
struct RequestedPath {
    std::size_t rule = 0, place = 0, cable = 0;
    bool ofSocket = false;
    std::int32_t heightA = 0, heightB = 0;
};

class Sampler {
public:
    using Sockets = LengthModel::Sockets;
    Sampler(TemplateCounter& counter, const TemplateCount& count, const SitePlan& site, std::int32_t serviceLoopMm,
            std::vector<std::vector<std::int32_t>>& ways, std::vector<std::vector<Sockets>>& sockets)
        : m_counter(counter), m_count(count), m_site(site), m_loopsMm(2 * serviceLoopMm), m_ways(ways), m_sockets(sockets)
    {
    }

    void take(std::size_t number, std::size_t most)
    {
        for (const LinkSample& link : m_counter.sampleLinks(number, most)) {
            m_ways[number].push_back(kNoWay);
            measure(m_count.rules[number], link, {number, m_ways[number].size() - 1});
        }
    }

    /// What one link does not tell, once links are routed: the longest leg of a breakout or shuffle, and copper that fills sockets.
    void takeShared(std::size_t number, std::size_t most)
    {
        const auto& rule = m_count.rules[number];
        const auto &from = m_count.tiers[rule.from].ports[rule.fromGroup], &to = m_count.tiers[rule.to].ports[rule.toGroup];
        const auto& ways = m_ways[number];
        const bool broken = from.portsPerJack() > 1 || to.portsPerJack() > 1;
        const bool near = std::ranges::any_of(ways, [](std::int32_t way) { return way != kNoWay && way <= kCopperMm; });
        if (broken || (near && (holdSeveral(from) || holdSeveral(to)))) takeSockets(number, most);
    }

    Result<void> route()
    {
        if (m_pairs.empty()) return {};
        const auto parts = rackParts(*m_site.places);
        if (!parts) return tl::unexpected(parts.error());
        Routing::measure(*m_site.places, *Placement::compute(*m_site.places, **parts), m_pairs);
        for (std::size_t i = 0; i < m_pairs.size(); ++i) {
            const auto& pair = m_pairs[i];
            if (pair.lengthMm >= 0)
                put(m_asked[i],
                    pair.lengthMm + m_loopsMm + std::abs(pair.heightA - m_asked[i].heightA) + std::abs(pair.heightB - m_asked[i].heightB));
        }
        m_pairs.clear();
        m_asked.clear();
        return {};
    }

    /// Leaves out what has no way.
    void finish()
    {
        for (auto& ways : m_ways) std::erase(ways, kNoWay);
        for (auto& sockets : m_sockets)
            std::erase_if(sockets, [](const Sockets& one) { return std::ranges::find(one.ways, kNoWay) != one.ways.end(); });
    }

private:
    static constexpr std::int32_t kNoWay = -1;

    static bool holdSeveral(const TemplateCount::PortGroup& ports) { return ports.connectors > 1 || ports.interface.perSocket() > 1; }

    /// Sockets spread by the golden ratio, with about `most` links in all.
    void takeSockets(std::size_t number, std::size_t most)
    {
        const auto& rule = m_count.rules[number];
        const auto bundles = bundlesOf(m_count, rule, m_counter.allLinks(number, kMostLinks));
        std::vector<char> taken(bundles.size(), 0);
        double at = 0.5;
        std::size_t links = 0;
        for (std::size_t tries = 0; links < most && tries < 4 * bundles.size(); ++tries) {
            at += kGolden;
            at -= std::floor(at);
            const auto i = std::min(std::size_t(at * double(bundles.size())), bundles.size() - 1);
            if (!std::exchange(taken[i], 1)) links += takeSocket(number, bundles[i]);
        }
    }

    std::size_t takeSocket(std::size_t number, const Bundle& bundle)
    {
        auto& sockets = m_sockets[number];
        sockets.push_back({std::vector<std::int32_t>(bundle.cables.size(), kNoWay), bundle.trunkFrom, bundle.legs});
        std::size_t links = 0;
        for (std::size_t c = 0; c < bundle.cables.size(); ++c)
            for (const LinkSample& link : bundle.cables[c]) {
                measure(m_count.rules[number], link, {number, sockets.size() - 1, c, true});
                ++links;
            }
        return links;
    }

    void measure(const TemplateCount::Rule& rule, const LinkSample& link, RequestedPath asked)
    {
        const auto a = m_counter.spot(m_site, rule.from, link.fromMember), b = m_counter.spot(m_site, rule.to, link.toMember);
        if (!a || !b) return;
        if (a->rack == b->rack)
            put(asked, std::abs(middleMm(*a) - middleMm(*b)) + Cabling::kPatchingMm);
        else
            ask(asked, *a, *b);
    }

    void put(const RequestedPath& asked, std::int32_t mm)
    {
        if (!asked.ofSocket) {
            m_ways[asked.rule][asked.place] = mm;
            return;
        }
        auto& way = m_sockets[asked.rule][asked.place].ways[asked.cable];
        way = std::max(way, mm);
    }

    void ask(RequestedPath asked, const DeviceSpot& a, const DeviceSpot& b)
    {
        const bool swapped = b.rack < a.rack;
        const auto &first = swapped ? b : a, &second = swapped ? a : b;
        std::int16_t plane = a.plane < 0 ? b.plane : a.plane;
        if (a.plane >= 0 && b.plane >= 0 && a.plane != b.plane) plane = -1;
        m_pairs.push_back({first.rack, second.rack, plane, 0, 0, 0});
        asked.heightA = middleMm(first), asked.heightB = middleMm(second);
        m_asked.push_back(asked);
    }

    TemplateCounter& m_counter;
    const TemplateCount& m_count;
    const SitePlan& m_site;
    std::int32_t m_loopsMm; ///< at both ends of what goes to another rack
    std::vector<std::vector<std::int32_t>>& m_ways;
    std::vector<std::vector<Sockets>>& m_sockets;
    std::vector<Routing::Pair> m_pairs;
    std::vector<RequestedPath> m_asked;
};

} // namespace

Result<LengthModel> LengthModel::make(TemplateCounter& counter, const TemplateCount& count, const std::vector<bool>& fine, std::int32_t serviceLoopMm,
                                      const std::optional<HallRoom>& room)
{
    auto site = counter.sitePlan(room);
    if (!site) return tl::unexpected(site.error());
    LengthModel model;
    model.m_site = std::move(*site);
    model.m_ways.resize(count.rules.size());
    model.m_sockets.resize(count.rules.size());
    const auto sampled = [&](std::size_t r) { return count.rules[r].medium == Medium::Data && count.rules[r].links > 0; };
    Sampler sampler(counter, count, model.m_site, serviceLoopMm, model.m_ways, model.m_sockets);
    for (std::size_t r = 0; r < count.rules.size(); ++r)
        if (sampled(r)) sampler.take(r, fine[r] ? kFine : kCoarse);
    if (const auto routed = sampler.route(); !routed) return tl::unexpected(routed.error());
    for (std::size_t r = 0; r < count.rules.size(); ++r)
        if (sampled(r)) sampler.takeShared(r, fine[r] ? kFine : kCoarse);
    if (const auto routed = sampler.route(); !routed) return tl::unexpected(routed.error());
    sampler.finish();
    return model;
}

} // namespace hw::sizing
