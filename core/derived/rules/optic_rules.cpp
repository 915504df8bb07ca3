// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cable_ends.h"
#include "core/derived/rules/functions.h"

#include <algorithm>
#include <map>

namespace hw::rules {

namespace {

struct Modules {
    std::uint32_t from, to, cable;
    auto operator<=>(const Modules&) const = default;
};

/// Why two modules and a cable do not work together; empty when they do.
Text fault(const ProjectParts& parts, const Cabling::Cable& cable, int splitFrom, int splitTo)
{
    const auto a = asOnePort(parts.transceiver(*cable.moduleFrom), splitFrom), b = asOnePort(parts.transceiver(*cable.moduleTo), splitTo);
    const std::string &from = parts[*cable.moduleFrom].slug, &to = parts[*cable.moduleTo].slug;
    if (!interoperate(a, splitFrom, b, splitTo)) return i18n("{} and {} are not interoperable", from, to);
    if (!cable.type) return {};
    const CableSpec& cord = parts.cable(*cable.type);
    const bool connectors =
        (a.connector == cord.connector && b.connector == cord.legConnector) || (b.connector == cord.connector && a.connector == cord.legConnector);
    if (!connectors && cord.legs == 1 && cord.trunks == 1) return {}; // rule N7 says which ends do not meet
    if (!mates(cord, a, b) && !mates(cord, b, a))
        return i18n("{} and {} do not match the connectors and fibers of {}", from, to, parts[*cable.type].slug);
    return {};
}

const Interface* interfaceOf(const RuleInput& input, CageId cage)
{
    const Snapshot& s = input.snapshot();
    const auto& interfaces = input.parts().device(s.devices.type[s.cages.device[cage]]).interfaces;
    const std::size_t number = s.cages.number[cage];
    return number < interfaces.size() ? &interfaces[number] : nullptr;
}

/// Logical ports that the module at this port serves.
int portsOnModule(const RuleInput& input, PortId port)
{
    const Snapshot& s = input.snapshot();
    const CageId cage = s.ports.cage[port];
    const auto* interface = interfaceOf(input, cage);
    return std::max<int>(1, s.cages.split[cage]) * (interface ? interface->perSocket() : 1);
}

/// Two cables of a twin-port socket that were given different modules.
void mixedSockets(const RuleInput& input, std::vector<Finding>& out)
{
    const Snapshot& s = input.snapshot();
    const Sockets sockets(s, input.parts());
    std::vector<Maybe<PartTypeId>> moduleOf(sockets.size());
    std::vector<char> told(sockets.size(), 0);
    s.links.forEach([&](LinkId link) {
        const auto cable = s.links.cable[link];
        if (!cable || s.cables.medium[*cable] != Medium::Data) return;
        for (const bool lower : {true, false}) {
            const PortId port = lower ? s.links.from[link] : s.links.to[link];
            const auto module = input.figures.cabling->moduleAt(link, *cable, lower);
            if (!module) continue;
            const auto socket = sockets.of(s.ports.cage[port]);
            if (!moduleOf[socket]) moduleOf[socket] = module;
            if (moduleOf[socket] == module || std::exchange(told[socket], 1)) continue;
            out.push_back({.message = i18n("the cage of {} would hold two modules, {} and {}; choose one for both of its connectors",
                                           input.name(ref(port)), input.parts()[*moduleOf[socket]].slug, input.parts()[*module].slug),
                           .entities = {ref(port), ref(*cable)},
                           .id = findingId("N3", {"socket", input.subject(ref(port))})});
        }
    });
}

} // namespace

/// Only what was chosen by hand can fail here; one finding per set of parts.
std::vector<Finding> opticPairs(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::map<Modules, std::pair<Text, std::vector<EntityRef>>> faults;
    std::map<std::tuple<Modules, int, int>, Text> known;
    s.cables.forEach([&](CableId id) {
        const auto& cable = (*input.figures.cabling)[id];
        const auto links = input.figures.cabling->linksOf(id);
        if (!cable.moduleFrom || !cable.moduleTo || links.empty()) return;
        const auto split = [&](bool lower) {
            return portsOnModule(input,
                                 lower != input.figures.cabling->isFlipped(links.front()) ? s.links.from[links.front()] : s.links.to[links.front()]);
        };
        const int from = split(true), to = split(false);
        const Modules set{(*cable.moduleFrom).value, (*cable.moduleTo).value, cable.type ? (*cable.type).value : 0xFFFFFFFFu};
        const auto [verdict, isNew] = known.try_emplace({set, from, to});
        if (isNew) verdict->second = fault(input.parts(), cable, from, to);
        if (verdict->second.empty()) return;
        auto& [text, entities] = faults[set];
        text = verdict->second;
        entities.push_back(ref(id));
    });
    std::vector<Finding> out;
    mixedSockets(input, out);
    std::ranges::move(withoutCable(input, "N3", NoCableReason::Cause::Pair), std::back_inserter(out));
    for (auto& [set, found] : faults) {
        auto& [text, entities] = found;
        const auto slug = [&](std::uint32_t type) { return type == 0xFFFFFFFFu ? std::string("none") : input.parts()[PartTypeId(type)].slug; };
        const std::string id = findingId("N3", {slug(set.from), slug(set.to), slug(set.cable)}) + cablesMark(input, entities);
        out.push_back(
            {.message = i18np(entities.size(), "{1} ({0:L} cable)", "{1} ({0:L} cables)", text), .entities = std::move(entities), .id = id});
    }
    return out;
}

/// Modules that were put by hand into sockets that they do not go into, and sockets that nothing goes into.
std::vector<Finding> socketFit(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<Finding> out = withoutCable(input, "N4", NoCableReason::Cause::Module);
    s.cages.forEach([&](CageId cage) {
        const auto module = s.cages.module[cage];
        const auto* interface = module ? interfaceOf(input, cage) : nullptr;
        if (!interface || fits(input.parts().transceiver(*module), *interface)) return;
        const DeviceId device = s.cages.device[cage];
        const auto shell = wrongShell(input.parts().transceiver(*module), *interface);
        const Text remedy = shell.empty() ? i18n("choose a module with that form factor, rate and lane rate") : i18n("it {}", shell);
        out.push_back({.message = i18n("{} does not fit into {}:{}, a {} cage of {}G; {}", input.parts()[*module].slug, input.name(ref(device)),
                                       interface->name, interface->socketSlug(), interface->rate.count() * interface->perSocket(), remedy),
                       .entities = {ref(device), ref(cage)},
                       .id = findingId("N4", {input.subject(ref(device)) + ':' + interface->name})});
    });
    return out;
}

} // namespace hw::rules
