// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derive/cable_reason.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hw {

namespace {

std::int32_t reachOn(const TransceiverSpec& module, const std::string& medium)
{
    const auto it = module.reach.find(medium);
    return it == module.reach.end() ? 0 : it->second.value.count();
}

std::string rateText(std::int64_t gbps) { return gbps >= 1000 ? fmt::format("{:.4g}T", double(gbps) / 1000) : fmt::format("{}G", gbps); }

/// "a 400G 400gbase-x-osfp socket", "a twin-port 2 x 400G socket (800gbase-x-osfp)".
std::string socketText(const Interface& socket)
{
    if (socket.perSocket() > 1) return fmt::format("a twin-port socket of 2 x {} ({})", rateText(socket.rate.count()), socket.twin);
    return fmt::format("a {} socket of {}", socket.slug, rateText(socket.rate.count()));
}

/// What the modules that go into such a socket are like, and which of it is wrong.
NoCable noModule(const Interface& socket, const CableEnd& end, std::span<const PartTypeId> modules, const ProjectParts& parts)
{
    const int whole = socket.rate.count() * socket.perSocket();
    bool shape = false, rate = false, lanes = false;
    std::set<std::int64_t> rates, laneRates;
    std::string shell;
    for (const PartTypeId id : modules) {
        const auto& module = parts.transceiver(id);
        if (shell.empty() && module.rate.count() == whole)
            if (const auto wrong = wrongShell(module, socket); !wrong.empty()) shell = parts[id].slug + " " + wrong;
        if (std::ranges::find(module.fits, socket.socketSlug()) == module.fits.end()) continue;
        shape = true;
        rates.insert(module.rate.count());
        if (module.rate.count() != whole) continue;
        rate = true;
        laneRates.insert(module.hostLane > 0 ? module.hostLane : module.rate.count() / module.lanes);
        lanes = lanes || fits(module, socket);
    }
    NoCable result{NoCable::Cause::Module, {}, {}};
    const std::string laneText = socket.lanes.empty() ? "" : fmt::format(" with lanes of {}G", fmt::join(socket.lanes, "G or "));
    if (!shape)
        result.what = fmt::format("no module of the project fits {}{}{}", socketText(socket), shell.empty() ? "" : ": ", shell);
    else if (!rate)
        result.what = fmt::format("no module of {} fits {}; those that fit have {}G", rateText(whole), socketText(socket), fmt::join(rates, "G, "));
    else if (!lanes)
        result.what = fmt::format("the modules of {} have lanes of {}G, and {} drives {}G", rateText(whole), fmt::join(laneRates, "G and "),
                                  socketText(socket), fmt::join(socket.lanes, "G or "));
    else
        result.what = fmt::format("no module for {} has {} connector{} for {} ports", socketText(socket), end.connectors,
                                  end.connectors == 1 ? "" : "s", end.ports * end.connectors);
    result.todo = fmt::format("add a module of {}{} for {} to 'parts', or choose a device with sockets that modules exist for", rateText(whole),
                              laneText, socket.socketSlug());
    return result;
}

std::string slugsOf(std::span<const PartTypeId> modules, const ProjectParts& parts)
{
    std::string text;
    for (std::size_t i = 0; i < modules.size() && i < 4; ++i) text += (i ? ", " : "") + parts[modules[i]].slug;
    return modules.size() > 4 ? text + ", …" : text;
}

std::string assemblyText(CableShape shape)
{
    const auto [few, many] = std::minmax(shape.from, shape.to);
    if (many == 1) return "a straight cable";
    return few == 1 ? fmt::format("a 1:{} breakout", many) : fmt::format("a {}:{} shuffle", few, many);
}

/// Modules for both ends are there; why do no two of them talk?
NoCable noPair(const CableClass& key, std::span<const PartTypeId> from, std::span<const PartTypeId> to, const ProjectParts& parts)
{
    const auto signals = [&](std::span<const PartTypeId> modules) {
        std::set<std::string> result;
        for (const PartTypeId id : modules) result.insert(parts.transceiver(id).signal);
        return result;
    };
    const auto a = signals(from), b = signals(to);
    const bool common = std::ranges::any_of(a, [&](const auto& s) { return b.contains(s); });
    NoCable result{NoCable::Cause::Pair, {}, {}};
    if (!common)
        result.what = fmt::format("no two modules understand each other: one end takes {} ({}), the other {} ({})", slugsOf(from, parts),
                                  fmt::join(a, ", "), slugsOf(to, parts), fmt::join(b, ", "));
    else
        result.what = fmt::format("no two modules have the same lanes for a port of {}: {} in {} ports and {} in {}", rateText(key.rateGbps),
                                  slugsOf(from, parts), key.from.ports * key.from.connectors, slugsOf(to, parts), key.to.ports * key.to.connectors);
    result.todo = "choose devices whose lanes have one rate, split the sockets so that a port has as many lanes at both ends, or add a module to "
                  "'parts' that does";
    return result;
}

} // namespace

std::int32_t reachOver(const CableSpec& cable, const TransceiverSpec& a, const TransceiverSpec& b)
{
    return std::min(reachOn(a, cable.medium), reachOn(b, cable.medium));
}

NoCable whyNoCable(const CableClass& key, const Interface& fromSocket, const Interface& toSocket, std::span<const PartTypeId> from,
                   std::span<const PartTypeId> to, std::span<const PartTypeId> cables, std::span<const PartTypeId> modules, const ProjectParts& parts)
{
    if (key.shape.from == 0)
        return {NoCable::Cause::Assembly,
                fmt::format("no assembly joins {} connectors of {} ports to {} of {} ports as these links do", key.from.jacks, key.from.ports,
                            key.to.jacks, key.to.ports),
                "number the ports so that all ports of a socket go to one socket (straight), to sockets that have no other (breakout), or n sockets "
                "to n sockets, each to each (shuffle); or do not split them"};
    if (from.empty()) return noModule(fromSocket, key.from, modules, parts);
    if (to.empty()) return noModule(toSocket, key.to, modules, parts);
    bool pair = false, assembly = false, connector = false;
    std::set<std::string> connectors;
    for (const PartTypeId a : from)
        for (const PartTypeId b : to) {
            const int portsFrom = key.from.ports * key.from.connectors, portsTo = key.to.ports * key.to.connectors;
            const auto ma = asOnePort(parts.transceiver(a), portsFrom), mb = asOnePort(parts.transceiver(b), portsTo);
            if (!interoperate(ma, portsFrom, mb, portsTo)) continue;
            pair = true;
            connectors.insert(ma.connector == mb.connector ? ma.connector : ma.connector + " to " + mb.connector);
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
    const std::string wanted = fmt::format("{} with {}", assemblyText(key.shape), fmt::join(connectors, " or "));
    if (!assembly || !connector)
        return {NoCable::Cause::Assembly,
                fmt::format("the modules need {}, and the project has none{}", wanted, assembly ? " with these connectors and fibres" : ""),
                "add such a cable to 'parts', or split the sockets otherwise"};
    return {NoCable::Cause::Reach, fmt::format("no module reaches anywhere over the medium of {}", wanted),
            "add a cable of a medium that both modules state a reach for"};
}

} // namespace hw
