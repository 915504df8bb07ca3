// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/estimate.h"

#include "core/derive/cable_choice.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace hw::sizing {

namespace {

/// Shares out `total` by weights, exactly: largest remainders, ties to the first.
std::vector<std::int64_t> shareOut(std::int64_t total, const std::vector<std::int64_t>& weights)
{
    const std::int64_t sum = std::accumulate(weights.begin(), weights.end(), std::int64_t(0));
    std::vector<std::int64_t> result;
    std::vector<std::pair<std::int64_t, std::size_t>> rests;
    std::int64_t given = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::int64_t whole = total * weights[i];
        result.push_back(whole / sum);
        rests.emplace_back(-(whole % sum), i);
        given += result.back();
    }
    std::sort(rests.begin(), rests.end());
    for (std::int64_t k = 0; k < total - given; ++k) ++result[rests[std::size_t(k)].second];
    return result;
}

/// A typical end of the rule's cables: as many connectors as come on each.
CableEnd endOf(const TemplateCount::PortGroup& ports, std::int64_t jacks, std::int64_t cables, CableChoice& choice)
{
    const int connectors = std::max(ports.connectors, 1);
    const auto each = std::clamp<std::int64_t>((jacks + cables - 1) / std::max<std::int64_t>(cables, 1), 1, 255);
    return {choice.kindNumber(ports.interface),
            std::uint16_t(each),
            std::uint8_t(ports.split / connectors),
            std::uint8_t(connectors * ports.interface.perSocket()),
            {}};
}

struct Chosen {
    CableChoice::Decision decision;
    std::int64_t samples = 0;
};

std::vector<Chosen> chooseAll(const TemplateCount& count, const TemplateCount::Rule& rule, const CableParts& parts,
                              const std::vector<std::int32_t>& ways, double slackPercent)
{
    CableChoice choice(parts.table(), parts.parts(), {});
    const auto &from = count.tiers[rule.from].ports[rule.fromGroup], &to = count.tiers[rule.to].ports[rule.toGroup];
    CableClass key;
    key.from = endOf(from, rule.fromJacks, rule.cables, choice);
    key.to = endOf(to, rule.toJacks, rule.cables, choice);
    key.shape = CableShape::of(key.from, key.to, 1);
    key.rateGbps = rule.rate.count();
    const auto number = choice.classNumber(key);
    std::vector<Chosen> result;
    for (const auto way : ways) {
        const auto needed = std::int32_t(std::ceil(double(way) * (1.0 + slackPercent / 100.0)));
        const auto decision = choice.decide(number, needed);
        const auto same = std::find_if(result.begin(), result.end(), [&](const Chosen& c) {
            return c.decision.type == decision.type && c.decision.moduleFrom == decision.moduleFrom && c.decision.moduleTo == decision.moduleTo &&
                   c.decision.lengthMm == decision.lengthMm && c.decision.reachExceeded == decision.reachExceeded;
        });
        if (same == result.end())
            result.push_back({decision, 1});
        else
            ++same->samples;
    }
    return result;
}

} // namespace

Result<std::shared_ptr<const CableLibrary>> readCableLibrary(const Catalogue& catalogue)
{
    auto library = std::make_shared<CableLibrary>();
    for (const auto& [slug, part] : catalogue.parts()) {
        if (kindOf(*part) != PartKind::Transceiver && kindOf(*part) != PartKind::Cable) continue;
        const PartTypeId id = library->table.insert();
        library->table.slug.set(id, part->slug);
        library->table.kind.set(id, kindOf(*part));
        library->table.definition.set(id, part->definition);
        library->ids[slug] = id;
    }
    auto parsed = ProjectParts::of(library->table);
    if (!parsed) return tl::unexpected(parsed.error());
    library->parts = *parsed;
    PartTypes rackTypes;
    for (const auto& [slug, part] : catalogue.parts()) {
        if (kindOf(*part) != PartKind::Rack) continue;
        const PartTypeId id = rackTypes.insert();
        rackTypes.slug.set(id, part->slug), rackTypes.kind.set(id, kindOf(*part)), rackTypes.definition.set(id, part->definition);
    }
    auto racks = ProjectParts::of(rackTypes);
    if (!racks) return tl::unexpected(racks.error());
    library->racks = *racks;
    return std::shared_ptr<const CableLibrary>(std::move(library));
}

/// The ids stay those of the library, so that its parsed parts serve.
CableParts::CableParts(std::shared_ptr<const CableLibrary> library, const std::vector<std::string>& slugs)
    : m_library(std::move(library)), m_table(m_library->table)
{
    if (slugs.empty()) return;
    for (const auto& [slug, id] : m_library->ids)
        if (std::find(slugs.begin(), slugs.end(), slug) == slugs.end()) m_table.erase(id);
}

void estimateRule(const TemplateCount& count, std::size_t number, const LengthModel& lengths, const CableParts& parts, double slackPercent,
                  bool countFrom, bool countTo, const std::optional<PanelsOfRule>& panels, CableEstimate& cabling, Cost& cost)
{
    constexpr std::int32_t kCordMm = 5000; // from a device to a panel in its row, assumed
    const auto& rule = count.rules[number];
    if (rule.cables == 0) return;
    const auto& ways = lengths.sample(number);
    if (ways.empty()) {
        cabling.cables["unassigned"] += rule.cables;
        return;
    }
    const auto chosen = chooseAll(count, rule, parts, ways, slackPercent);
    std::vector<std::int64_t> weights;
    for (const auto& c : chosen) weights.push_back(c.samples);
    const auto cables = shareOut(rule.cables, weights), fromModules = shareOut(rule.fromSockets, weights),
               toModules = shareOut(rule.toSockets, weights);
    const auto& known = parts.parts();
    const auto pay = [&](Money sum, const Fact<Money>& price) {
        cost.cables.total += sum;
        cost.cables.estimated += sum;
        if (price.assumed()) cost.cables.assumed += sum;
    };
    const auto plug = [&](const Maybe<PartTypeId>& module, std::int64_t n, bool draws) {
        if (!module || n == 0) return;
        const auto& spec = known.transceiver(*module);
        cabling.transceivers[known[*module].slug] += n;
        pay(spec.price.value * n, spec.price);
        if (!draws) return;
        const std::array<Milliwatts, kPowerBases> draw{spec.typical.value, spec.typical.value, spec.maximum.value};
        for (std::size_t b = 0; b < kPowerBases; ++b) cost.optics[b] += draw[b] * n;
    };
    const auto lay = [&](const CableSpec& cable, std::int32_t lengthMm, std::int64_t pieces) {
        pay(cable.priceFixed.value * pieces, cable.priceFixed);
        pay(Money((cable.pricePerMetre.value.count() * lengthMm + 500) / 1000) * pieces, cable.pricePerMetre);
    };
    const auto cords = panels ? shareOut(panels->cords, weights) : cables, trunks = panels ? shareOut(panels->trunks, weights) : cables;
    if (panels) pay(panels->panelPrice.value * panels->panels, panels->panelPrice);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const auto& d = chosen[i].decision;
        const std::int32_t cordMm = panels ? kCordMm : d.lengthMm;
        cabling.lengthMm += std::int64_t(cordMm) * cords[i];
        cabling.longestMm = std::max(cabling.longestMm, d.lengthMm);
        if (d.reachExceeded) cabling.beyondReach += cables[i];
        cabling.cables[d.type ? known[*d.type].slug : "unassigned"] += cords[i];
        if (d.type) lay(known.cable(*d.type), cordMm, cords[i]);
        if (panels && !panels->trunk.empty()) {
            cabling.lengthMm += std::int64_t(d.lengthMm) * trunks[i];
            cabling.cables[panels->trunk] += trunks[i];
            lay(parts.cable(panels->trunk), d.lengthMm, trunks[i]);
        }
        plug(d.moduleFrom, fromModules[i], countFrom);
        plug(d.moduleTo, toModules[i], countTo);
    }
}

} // namespace hw::sizing
