// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cable_choice.h"

#include "core/derived/cabling/cable_reason.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

namespace hw {

namespace {

constexpr std::int32_t kMeter = 1000;

std::int32_t nextMeter(std::int32_t mm) { return (mm + kMeter - 1) / kMeter * kMeter; }

constexpr auto kAnyCable = [](const auto&) { return true; };

} // namespace

CableShape CableShape::of(const CableEnd& from, const CableEnd& to, int parallel)
{
    const int a = from.ports, b = to.ports;
    for (int links = std::gcd(a, b); links >= std::max(parallel, 1); --links)
        if (a % links == 0 && b % links == 0 && b / links >= from.jacks && a / links >= to.jacks)
            return {std::uint8_t(b / links), std::uint8_t(a / links)};
    return {0, 0};
}

CableChoice::CableChoice(const PartTypes& table, const ProjectParts& parts, const FiberLoss& loss) : m_loss(loss), m_parts(parts)
{
    table.forEach([&](PartTypeId id) {
        if (table.kind[id] == PartKind::Cable)
            m_cables.push_back(id);
        else if (table.kind[id] == PartKind::Transceiver)
            m_modules.push_back(id);
    });
    const auto bySlug = [&](PartTypeId a, PartTypeId b) { return parts[a].slug < parts[b].slug; };
    std::sort(m_cables.begin(), m_cables.end(), bySlug);
    std::sort(m_modules.begin(), m_modules.end(), bySlug);
    learnCords();
}

std::uint32_t CableChoice::kindNumber(const Interface& interface)
{
    const auto same = [&](const Kind& kind) {
        const Interface& known = kind.interface;
        return known.slug == interface.slug && known.twin == interface.twin && known.rate == interface.rate && known.lanes == interface.lanes;
    };
    const auto it = std::find_if(m_kinds.begin(), m_kinds.end(), same);
    if (it != m_kinds.end()) return std::uint32_t(it - m_kinds.begin());
    m_kinds.push_back({interface});
    return std::uint32_t(m_kinds.size() - 1);
}

std::vector<PartTypeId> CableChoice::modulesFor(const CableEnd& end, bool strict) const
{
    if (end.module) return {*end.module};
    const Interface& interface = m_kinds[end.kind].interface;
    std::vector<PartTypeId> result;
    for (const PartTypeId id : m_modules) {
        const TransceiverSpec& module = m_parts.transceiver(id);
        const bool fit = strict ? fits(module, interface) && asOnePort(module, end.ports * end.connectors).connectors == end.connectors
                                : std::find(module.fits.begin(), module.fits.end(), interface.socketSlug()) != module.fits.end();
        if (fit) result.push_back(id);
    }
    return result;
}

/// A cable that brings its own ends: no transceivers, and none may have been chosen by hand. It fills its sockets.
void CableChoice::addDirect(Table& table, PartTypeId cableId, bool strict) const
{
    const CableClass& key = table.key;
    const CableSpec& cable = m_parts.cable(cableId);
    const auto plugs = [&](const CableEnd& end, std::size_t side) {
        const Interface& interface = m_kinds[end.kind].interface;
        if (end.connectors != 1 || interface.perSocket() != 1) return false;
        if (cable.fits.size() == 2 && cable.rate.value.count() > 0) return cable.fits[side] == interface.slug; // undivided end, other end
        return std::find(cable.fits.begin(), cable.fits.end(), interface.slug) != cable.fits.end();
    };
    const auto takes = [&](const CableEnd& trunk, const CableEnd& leg) { return plugs(trunk, 0) && plugs(leg, 1); };
    const std::int32_t whole = key.rateGbps * std::max(key.from.ports, key.to.ports);
    const auto [few, many] = std::minmax(key.shape.from, key.shape.to);
    const bool trunkFrom = key.shape.from <= key.shape.to && takes(key.from, key.to),
               trunkTo = key.shape.to <= key.shape.from && takes(key.to, key.from);
    const bool right =
        (trunkFrom || trunkTo) && (cable.rate.value.count() == 0 || cable.rate.value.count() == whole) && cable.trunks == few && cable.legs == many;
    if (key.from.module || key.to.module || (strict && !right)) return;
    table.options.push_back({cableId, {}, cable.reach.value.count(), cable.stocked, cable.priceFixed.value, cable.pricePerMeter.value, {}});
}

void CableChoice::addOptions(Table& table, bool strict) const
{
    const CableClass& key = table.key;
    if (strict && key.shape.from == 0) return;
    const auto from = modulesFor(key.from, strict), to = modulesFor(key.to, strict);
    const int portsFrom = key.from.ports * key.from.connectors, portsTo = key.to.ports * key.to.connectors;
    for (const PartTypeId cableId : m_cables) {
        if (key.type && !(key.type == cableId)) continue;
        const CableSpec& cable = m_parts.cable(cableId);
        if (!cable.fits.empty()) {
            if (key.panels == 0) addDirect(table, cableId, strict);
            continue;
        }
        if (strict && !suits(key, cableId)) continue;
        const bool trunkFrom = cable.trunks == key.shape.from && cable.legs == key.shape.to,
                   trunkTo = cable.trunks == key.shape.to && cable.legs == key.shape.from;
        if (strict && !trunkFrom && !trunkTo) continue;
        for (const PartTypeId a : from)
            for (const PartTypeId b : to) {
                const TransceiverSpec ma = asOnePort(m_parts.transceiver(a), portsFrom), mb = asOnePort(m_parts.transceiver(b), portsTo);
                const std::int32_t reach = withinLoss(key, cable, ma, mb, reachOver(cable, ma, mb));
                const bool mate = (trunkFrom && mates(cable, ma, mb)) || (trunkTo && mates(cable, mb, ma));
                if (reach == 0 || (strict && !(mate && interoperate(ma, portsFrom, mb, portsTo)))) continue;
                const auto share = [](const TransceiverSpec& module, const CableEnd& end) {
                    return module.price.value.count() * end.jacks / std::max(module.connectors, 1);
                };
                const Money modules(share(ma, key.from) + share(mb, key.to));
                table.options.push_back({cableId,
                                         {a, b},
                                         reach,
                                         key.panels > 0 ? std::vector<Millimeters>() : cable.stocked,
                                         cable.priceFixed.value + modules,
                                         cable.pricePerMeter.value,
                                         ma.signal});
            }
    }
}

std::uint32_t CableChoice::classNumber(const CableClass& key)
{
    const auto it = std::find_if(m_tables.begin(), m_tables.end(), [&](const Table& t) { return t.key == key; });
    if (it != m_tables.end()) return std::uint32_t(it - m_tables.begin());
    Table table;
    table.key = key;
    addOptions(table, true);
    if (table.options.empty()) {
        const auto from = modulesFor(key.from, true), to = modulesFor(key.to, true);
        table.reason = whyNoCable(key, m_kinds[key.from.kind].interface, m_kinds[key.to.kind].interface, from, to, m_cables, m_modules, m_parts);
        // What was chosen by hand is kept even where it does not go together; the rules say so.
        if (key.type || key.from.module || key.to.module) addOptions(table, false);
    }
    table.steps = stepsOf(table, kAnyCable);
    for (const Option& option : table.options) {
        const auto known = [&](const auto& entry) { return entry.first == option.modules; };
        if (std::none_of(table.byModules.begin(), table.byModules.end(), known))
            table.byModules.emplace_back(option.modules, stepsOf(table, [&](const Option& o) { return o.modules == option.modules; }));
    }
    m_tables.push_back(std::move(table));
    return std::uint32_t(m_tables.size() - 1);
}

template <class W>
CableChoice::Steps CableChoice::stepsOf(const Table& table, W&& wanted)
{
    Steps steps;
    for (const Option& option : table.options)
        if (wanted(option))
            for (const Millimeters length : option.stocked) steps.upTo.push_back(length.count());
    std::sort(steps.upTo.begin(), steps.upTo.end());
    steps.upTo.erase(std::unique(steps.upTo.begin(), steps.upTo.end()), steps.upTo.end());
    for (const std::int32_t length : steps.upTo) steps.decisions.push_back(evaluate(table, length, std::nullopt, wanted));
    return steps;
}

template <class W>
CableChoice::Decision CableChoice::evaluate(const Table& table, std::int32_t neededMm, std::optional<std::int32_t> fixedMm, W&& wanted,
                                            std::int64_t* costOf)
{
    // Smaller is better: reached and stocked, reached and cut to length, then by how far it reaches.
    using Rank = std::tuple<int, std::int32_t, std::int64_t>;
    std::optional<Rank> best;
    Decision result{table.key.type, table.key.from.module, table.key.to.module, fixedMm ? *fixedMm : nextMeter(neededMm), false};
    for (const Option& option : table.options) {
        if (!wanted(option)) continue;
        const auto stocked = std::lower_bound(option.stocked.begin(), option.stocked.end(), Millimeters(neededMm));
        const bool cut = !fixedMm && stocked == option.stocked.end();
        const std::int32_t length = fixedMm ? *fixedMm : cut ? nextMeter(neededMm) : stocked->count();
        const bool reached = length <= option.reachMm;
        const std::int64_t cost = option.fixed.count() + option.perMeter.count() * length / kMeter;
        const Rank rank{reached ? (cut ? 1 : 0) : 2, reached ? 0 : -option.reachMm, cost};
        if (best && !(rank < *best)) continue;
        best = rank;
        result = {option.type, option.modules.from, option.modules.to, length, !reached};
    }
    if (costOf) *costOf = best ? std::get<2>(*best) : 0;
    return result;
}

CableChoice::Decision CableChoice::lookUp(const Table& table, const Steps& steps, std::int32_t neededMm)
{
    const auto it = std::lower_bound(steps.upTo.begin(), steps.upTo.end(), neededMm);
    if (it == steps.upTo.end()) return evaluate(table, neededMm, std::nullopt, kAnyCable);
    return steps.decisions[std::size_t(it - steps.upTo.begin())];
}

CableChoice::Decision CableChoice::decide(std::uint32_t cableClass, std::int32_t neededMm) const
{
    return lookUp(m_tables[cableClass], m_tables[cableClass].steps, neededMm);
}

CableChoice::Decision CableChoice::decideFixed(std::uint32_t cableClass, std::int32_t lengthMm) const
{
    return evaluate(m_tables[cableClass], lengthMm, lengthMm, kAnyCable);
}

CableChoice::Decision CableChoice::withModules(const Table& table, const Modules& modules, const Wanted& wanted) const
{
    const auto same = [&](const Option& option) { return option.modules == modules; };
    const auto known = std::find_if(table.byModules.begin(), table.byModules.end(), [&](const auto& entry) { return entry.first == modules; });
    if (wanted.fixed) return evaluate(table, wanted.neededMm, wanted.neededMm, same);
    if (known == table.byModules.end() || known->second.upTo.empty() || wanted.neededMm > known->second.upTo.back())
        return evaluate(table, wanted.neededMm, std::nullopt, same);
    return lookUp(table, known->second, wanted.neededMm);
}

std::vector<CableChoice::Decision> CableChoice::together(std::span<const Wanted> cables) const
{
    std::int32_t longest = 0;
    bool alike = true;
    for (const Wanted& wanted : cables) {
        longest = std::max(longest, wanted.neededMm);
        alike = alike && wanted.cableClass == cables.front().cableClass;
    }
    if (!alike) return oneSignal(cables, longest);
    const Table& table = m_tables[cables.front().cableClass];
    const Decision widest = decide(cables.front().cableClass, longest);
    std::vector<Decision> result;
    for (const Wanted& wanted : cables) result.push_back(withModules(table, {widest.moduleFrom, widest.moduleTo}, wanted));
    return result;
}

/// Cables of several classes: the signal that most of them can use over the longest way, then the cheapest. With the
/// signal given, the cheapest module of a socket does not depend on the cable that asks.
std::vector<CableChoice::Decision> CableChoice::oneSignal(std::span<const Wanted> cables, std::int32_t longestMm) const
{
    std::set<std::string> signals;
    for (const Wanted& wanted : cables)
        for (const Option& option : m_tables[wanted.cableClass].options)
            if (!option.signal.empty()) signals.insert(option.signal);
    std::vector<Decision> best(cables.size());
    std::tuple<std::size_t, std::size_t, std::int64_t> least{std::numeric_limits<std::size_t>::max(), 0, 0};
    for (const auto& signal : signals) {
        const auto speaks = [&](const Option& option) { return option.signal == signal; };
        std::vector<Decision> decisions;
        std::tuple<std::size_t, std::size_t, std::int64_t> score{0, 0, 0};
        for (const Wanted& wanted : cables) {
            const Table& table = m_tables[wanted.cableClass];
            std::int64_t cost = 0;
            const Decision widest = evaluate(table, longestMm, std::nullopt, speaks, &cost);
            std::get<0>(score) += !widest.type;
            std::get<1>(score) += widest.reachExceeded;
            std::get<2>(score) += cost;
            decisions.push_back(widest.type ? withModules(table, {widest.moduleFrom, widest.moduleTo}, wanted) : widest);
            if (!widest.type) decisions.back().lengthMm = wanted.fixed ? wanted.neededMm : nextMeter(wanted.neededMm);
        }
        if (!(score < least)) continue;
        least = score;
        best = std::move(decisions);
    }
    return best;
}

} // namespace hw
