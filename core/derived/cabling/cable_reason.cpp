// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cable_reason.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace hw {

namespace {

std::int32_t reachOn(const TransceiverSpec& module, const std::string& medium)
{
    const auto it = module.reach.find(medium);
    return it == module.reach.end() ? 0 : it->second.value.count();
}

/// "a 400G 400gbase-x-osfp socket", "a twin-port 2 x 400G socket (800gbase-x-osfp)".
Text socketText(const Interface& socket)
{
    if (socket.perSocket() > 1) return i18n("a twin-port cage of 2 x {} ({})", rateText(socket.rate.count()), socket.twin);
    return i18n("a {} cage of {}", socket.slug, rateText(socket.rate.count()));
}

/// "A or B or C".
Text oneOf(const std::vector<Text>& items)
{
    Text out;
    for (const Text& item : items) out = out.empty() ? item : i18n("{} or {}", out, item);
    return out;
}

/// "A and B and C".
Text allOf(const std::vector<Text>& items)
{
    Text out;
    for (const Text& item : items) out = out.empty() ? item : i18n("{} and {}", out, item);
    return out;
}

/// "100G", "200G".
template <class Numbers>
std::vector<Text> gigabits(const Numbers& numbers)
{
    std::vector<Text> out;
    for (const auto number : numbers) out.push_back(verbatim(fmt::format("{}G", number)));
    return out;
}

/// What the modules that go into such a socket are like, and which of it is wrong.
NoCableReason noModule(const Interface& socket, const CableEnd& end, std::span<const PartTypeId> modules, const ProjectParts& parts)
{
    const int whole = socket.rate.count() * socket.perSocket();
    bool shape = false, rate = false, lanes = false;
    std::set<std::int64_t> rates, laneRates;
    Text shell;
    for (const PartTypeId id : modules) {
        const auto& module = parts.transceiver(id);
        if (shell.empty() && module.rate.count() == whole)
            if (const auto wrong = wrongShell(module, socket); !wrong.empty()) shell = i18n("{} {}", parts[id].slug, wrong);
        if (std::ranges::find(module.fits, socket.socketSlug()) == module.fits.end()) continue;
        shape = true;
        rates.insert(module.rate.count());
        if (module.rate.count() != whole) continue;
        rate = true;
        laneRates.insert(module.hostLane > 0 ? module.hostLane : module.rate.count() / module.lanes);
        lanes = lanes || fits(module, socket);
    }
    NoCableReason result{NoCableReason::Cause::Module, {}, {}};
    if (!shape && shell.empty())
        result.what = i18n("no module in the project fits {}", socketText(socket));
    else if (!shape)
        result.what = i18n("no module in the project fits {}: {}", socketText(socket), shell);
    else if (!rate)
        result.what = i18n("no {} module fits {}; the modules that fit run at {}", rateText(whole), socketText(socket), listed(gigabits(rates)));
    else if (!lanes)
        result.what = i18n("the {} modules have lanes of {}, but {} drives {}", rateText(whole), allOf(gigabits(laneRates)), socketText(socket),
                           oneOf(gigabits(socket.lanes)));
    else
        result.what = i18np(end.connectors, "no module for {1} has {0} connector for {2} ports", "no module for {1} has {0} connectors for {2} ports",
                            socketText(socket), end.ports * end.connectors);
    if (socket.lanes.empty())
        result.todo =
            i18n("add a {} module for {} to 'parts', or choose a device with cages for which modules exist", rateText(whole), socket.socketSlug());
    else
        result.todo = i18n("add a {} module with lanes of {} for {} to 'parts', or choose a device with cages for which modules exist",
                           rateText(whole), oneOf(gigabits(socket.lanes)), socket.socketSlug());
    return result;
}

Text slugsOf(std::span<const PartTypeId> modules, const ProjectParts& parts)
{
    std::vector<Text> slugs;
    for (std::size_t i = 0; i < modules.size() && i < 4; ++i) slugs.push_back(verbatim(parts[modules[i]].slug));
    if (modules.size() > 4) slugs.push_back(verbatim("…"));
    return listed(std::move(slugs));
}

Text assemblyText(CableShape shape)
{
    const auto [few, many] = std::minmax(shape.from, shape.to);
    if (many == 1) return i18n("a straight cable");
    return few == 1 ? i18n("a 1:{} breakout", many) : i18n("a {}:{} shuffle", few, many);
}

/// Modules for both ends are there; why do no two of them talk?
NoCableReason noPair(const CableClass& key, std::span<const PartTypeId> from, std::span<const PartTypeId> to, const ProjectParts& parts)
{
    const auto signals = [&](std::span<const PartTypeId> modules) {
        std::set<std::string> result;
        for (const PartTypeId id : modules) result.insert(parts.transceiver(id).signal);
        return result;
    };
    const auto a = signals(from), b = signals(to);
    const bool common = std::ranges::any_of(a, [&](const auto& s) { return b.contains(s); });
    NoCableReason result{NoCableReason::Cause::Pair, {}, {}};
    if (!common)
        result.what = i18n("no compatible pair of modules: one end takes {} ({}), the other {} ({})", slugsOf(from, parts), listedNames(a),
                           slugsOf(to, parts), listedNames(b));
    else
        result.what = i18n("no pair of modules has matching lanes for a {} port: {} in {} ports and {} in {}", rateText(key.rateGbps),
                           slugsOf(from, parts), key.from.ports * key.from.connectors, slugsOf(to, parts), key.to.ports * key.to.connectors);
    result.todo = i18n("choose devices with the same lane rate, break out the cages so that a port has the same number of "
                       "lanes at both ends, or add a suitable module to 'parts'");
    return result;
}

} // namespace

std::int32_t reachOver(const CableSpec& cable, const TransceiverSpec& a, const TransceiverSpec& b)
{
    return std::min(reachOn(a, cable.medium), reachOn(b, cable.medium));
}

NoCableReason whyNoCable(const CableClass& key, const Interface& fromSocket, const Interface& toSocket, std::span<const PartTypeId> from,
                         std::span<const PartTypeId> to, std::span<const PartTypeId> cables, std::span<const PartTypeId> modules,
                         const ProjectParts& parts)
{
    if (key.shape.from == 0)
        return {NoCableReason::Cause::Assembly,
                i18n("no cable assembly connects {} connectors of {} ports to {} of {} ports as these links require", key.from.jacks, key.from.ports,
                     key.to.jacks, key.to.ports),
                i18n("number the ports so that all ports of a cage connect to one cage (straight), to cages with no other "
                     "connections (breakout), or n cages to n cages in a full mesh (shuffle); or omit the breakout")};
    if (from.empty()) return noModule(fromSocket, key.from, modules, parts);
    if (to.empty()) return noModule(toSocket, key.to, modules, parts);
    bool pair = false, assembly = false, connector = false;
    std::set<std::pair<std::string, std::string>> connectors; // the second empty where both ends are alike
    for (const PartTypeId a : from)
        for (const PartTypeId b : to) {
            const int portsFrom = key.from.ports * key.from.connectors, portsTo = key.to.ports * key.to.connectors;
            const auto ma = asOnePort(parts.transceiver(a), portsFrom), mb = asOnePort(parts.transceiver(b), portsTo);
            if (!interoperate(ma, portsFrom, mb, portsTo)) continue;
            pair = true;
            connectors.emplace(ma.connector, ma.connector == mb.connector ? std::string() : mb.connector);
            for (const PartTypeId id : cables) {
                const auto& cable = parts.cable(id);
                const bool trunkFrom = cable.trunks == key.shape.from && cable.legs == key.shape.to,
                           trunkTo = cable.trunks == key.shape.to && cable.legs == key.shape.from;
                if (!cable.fits.empty() || (!trunkFrom && !trunkTo)) continue;
                assembly = true;
                connector = connector || (trunkFrom && mates(cable, ma, mb)) || (trunkTo && mates(cable, mb, ma));
            }
        }
    if (!pair) return noPair(key, from, to, parts);
    std::vector<Text> ends;
    for (const auto& [one, other] : connectors) ends.push_back(other.empty() ? verbatim(one) : i18n("{} to {}", one, other));
    const Text wanted = i18n("{} with {}", assemblyText(key.shape), oneOf(ends));
    if (!assembly || !connector)
        return {NoCableReason::Cause::Assembly,
                assembly ? i18n("the modules need {}, but the project has no cable with these connectors and fibers", wanted)
                         : i18n("the modules need {}, but the project has no such cable", wanted),
                i18n("add such a cable to 'parts', or change the breakout")};
    return {NoCableReason::Cause::Reach, i18n("no module specifies a reach over the medium of {}", wanted),
            i18n("add a cable of a medium for which both modules specify a reach")};
}

} // namespace hw
