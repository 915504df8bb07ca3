// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/estimate.h"

#include "core/derived/cabling/cable_choice.h"

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

/// What cables of a rule turn out to be.
struct Chosen {
    CableChoice::Decision decision;
    std::int64_t samples = 0;  ///< cables
    std::int64_t perCable = 1; ///< cables of the rule that one assembly is in place of
};

class Outcomes {
public:
    void add(const CableChoice::Decision& decision, std::int64_t perCable, std::int64_t samples)
    {
        const auto same = std::find_if(m_all.begin(), m_all.end(), [&](const Chosen& c) {
            return c.decision.type == decision.type && c.decision.moduleFrom == decision.moduleFrom && c.decision.moduleTo == decision.moduleTo &&
                   c.decision.lengthMm == decision.lengthMm && c.decision.reachExceeded == decision.reachExceeded && c.perCable == perCable;
        });
        if (same == m_all.end())
            m_all.push_back({decision, samples, perCable});
        else
            same->samples += samples;
    }
    std::vector<Chosen> take() { return std::move(m_all); }

private:
    std::vector<Chosen> m_all;
};

/// The copper that all cables of a socket could be, by CableIndex's conditions.
std::uint32_t copperOf(CableChoice& choice, const CableClass& key, const LengthModel::Sockets& socket)
{
    const CableEnd &trunk = socket.trunkFrom ? key.from : key.to, &leg = socket.trunkFrom ? key.to : key.from;
    const std::size_t cables = socket.ways.size(), perCable = socket.trunkFrom ? key.shape.to : key.shape.from;
    const bool full = socket.legs > 0 && cables > 1 && trunk.connectors == cables && trunk.jacks == 1;
    const bool straight = socket.legs == 1 && leg.connectors == cables;
    const bool broken = std::size_t(socket.legs) == cables * perCable && leg.connectors == 1;
    return full && (straight || broken) ? choice.copperNumber(key, socket.trunkFrom, socket.legs) : CableChoice::kNone;
}

/// Chooses for the cables of sockets together, as Cabling does: modules that all of them can use, or one assembly of copper.
std::vector<Chosen> chooseSockets(CableChoice& choice, std::uint32_t number, const std::vector<LengthModel::Sockets>& sockets, double slack)
{
    Outcomes outcomes;
    const CableClass key = choice.keyOf(number);
    for (const auto& socket : sockets) {
        std::vector<CableChoice::Wanted> wanted;
        for (const auto way : socket.ways) wanted.push_back({number, std::int32_t(std::ceil(double(way) * slack)), false});
        const auto decisions = choice.together(wanted);
        const auto copper = copperOf(choice, key, socket);
        const auto instead = copper == CableChoice::kNone ? std::nullopt : choice.copperInstead(copper, wanted, decisions);
        if (instead) outcomes.add(*instead, std::int64_t(wanted.size()), std::int64_t(wanted.size()));
        if (!instead)
            for (const auto& decision : decisions) outcomes.add(decision, 1, 1);
    }
    return outcomes.take();
}

std::vector<Chosen> chooseAll(const TemplateCount& count, std::size_t ruleNumber, const CableParts& parts, const LengthModel& lengths,
                              double slackPercent)
{
    const auto& rule = count.rules[ruleNumber];
    CableChoice choice(parts.table(), parts.parts(), {});
    const auto &from = count.tiers[rule.from].ports[rule.fromGroup], &to = count.tiers[rule.to].ports[rule.toGroup];
    CableClass key;
    key.from = endOf(from, rule.fromJacks, rule.cables, choice);
    key.to = endOf(to, rule.toJacks, rule.cables, choice);
    key.shape = CableShape::of(key.from, key.to, 1);
    key.rateGbps = rule.rate.count();
    const auto number = choice.classNumber(key);
    const double slack = 1.0 + slackPercent / 100.0;
    if (const auto& sockets = lengths.sockets(ruleNumber); !sockets.empty()) return chooseSockets(choice, number, sockets, slack);
    Outcomes outcomes;
    for (const auto way : lengths.sample(ruleNumber)) outcomes.add(choice.decide(number, std::int32_t(std::ceil(double(way) * slack))), 1, 1);
    return outcomes.take();
}

} // namespace

Result<std::shared_ptr<const CableLibrary>> readCableLibrary(const Catalog& catalog)
{
    auto library = std::make_shared<CableLibrary>();
    auto wanted = catalog.parts(PartKind::Transceiver);
    wanted.merge(catalog.parts(PartKind::Cable));
    for (const auto& [slug, part] : wanted) {
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
    for (const auto& [slug, part] : catalog.parts(PartKind::Rack)) {
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
    const auto chosen = chooseAll(count, number, parts, lengths, slackPercent);
    if (chosen.empty()) {
        cabling.cables["unassigned"] += rule.cables;
        return;
    }
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
        pay(Money((cable.pricePerMeter.value.count() * lengthMm + 500) / 1000) * pieces, cable.pricePerMeter);
    };
    const auto cords = panels ? shareOut(panels->cords, weights) : cables, trunks = panels ? shareOut(panels->trunks, weights) : cables;
    if (panels) pay(panels->panelPrice.value * panels->panels, panels->panelPrice);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const auto& d = chosen[i].decision;
        const std::int32_t cordMm = panels ? kCordMm : d.lengthMm;
        const std::int64_t bought = panels ? cords[i] : (cables[i] + chosen[i].perCable - 1) / chosen[i].perCable;
        cabling.lengthMm += std::int64_t(cordMm) * bought;
        cabling.longestMm = std::max(cabling.longestMm, d.lengthMm);
        if (d.reachExceeded) cabling.beyondReach += cables[i];
        cabling.cables[d.type ? known[*d.type].slug : "unassigned"] += bought;
        if (d.type) lay(known.cable(*d.type), cordMm, bought);
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
