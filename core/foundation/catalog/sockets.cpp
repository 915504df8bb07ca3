// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/sockets.h"

#include "core/foundation/catalog/slugs.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {

namespace {

constexpr std::string_view kFlatTop = "-rhs";

/// The socket's slug for modules of the other shell.
std::string otherShell(const std::string& slug)
{
    return slug.ends_with(kFlatTop) ? slug.substr(0, slug.size() - kFlatTop.size()) : slug + std::string(kFlatTop);
}

} // namespace

SocketRules SocketRules::of(const Catalog& catalog, const std::vector<std::string>& slugs)
{
    std::vector<const TransceiverSpec*> named, all;
    bool stated = false;
    for (const auto& slug : slugs) {
        const Part* part = catalog.find(slug);
        if (!part) continue;
        if (const auto* module = std::get_if<TransceiverSpec>(&part->spec)) named.push_back(module);
        stated = stated || !named.empty() || std::holds_alternative<CableSpec>(part->spec);
    }
    if (stated) return SocketRules(std::move(named));
    for (const auto& [slug, part] : catalog.parts(PartKind::Transceiver))
        if (const auto* module = std::get_if<TransceiverSpec>(&part->spec)) all.push_back(module);
    return SocketRules(std::move(all));
}

SocketRules SocketRules::of(const PartTypes& table, const ProjectParts& parts)
{
    std::vector<const TransceiverSpec*> modules;
    table.forEach([&](PartTypeId id) {
        if (table.kind[id] == PartKind::Transceiver) modules.push_back(&parts.transceiver(id));
    });
    return SocketRules(std::move(modules));
}

int SocketRules::connectors(const Interface& interface, int split, const Interface& peer, int peerSplit) const
{
    if (split <= 1 || interface.perSocket() > 1) return 1; // each interface of a twin-port socket has one of its own
    const auto goes = [](const TransceiverSpec& module, const Interface& into, int ports) {
        return fits(module, into) && ports * into.perSocket() % module.connectors == 0;
    };
    const TransceiverSpec *best = nullptr, *other = nullptr;
    for (const auto* own : m_modules) {
        if (!goes(*own, interface, split)) continue;
        for (const auto* far : m_modules) {
            if (!goes(*far, peer, peerSplit) || !interoperate(*own, split, *far, peerSplit * peer.perSocket())) continue;
            const int connectors = own->connectors + far->connectors, most = best ? best->connectors + other->connectors : 0;
            if (connectors > most || (connectors == most && own->signal < best->signal)) best = own, other = far;
        }
    }
    return best ? best->connectors : 1;
}

std::string coolantPortName(const DeviceSpec& device, bool feeds, std::size_t number)
{
    std::size_t left = number;
    for (const CoolantPort& port : device.cooling.ports)
        if (port.feeds == feeds && left-- == 0) return port.name;
    return fmt::format("coolant-{}{}", feeds ? "out-" : "", number + 1);
}

std::string rateText(std::int64_t gbps) { return gbps >= 1000 ? fmt::format("{:.4g}T", double(gbps) / 1000) : fmt::format("{}G", gbps); }

TransceiverSpec asOnePort(const TransceiverSpec& module, int ports)
{
    TransceiverSpec seen = module;
    if (ports != 1 || module.connectors != 2 || std::ranges::find(module.splits, 1) == module.splits.end()) return seen;
    seen.fibers = 2 * fibersOf(module);
    seen.connector = "2x-" + module.connector;
    seen.connectors = 1;
    return seen;
}

Text wrongShell(const TransceiverSpec& module, const Interface& socket)
{
    const auto takes = [&](const std::string& slug) { return std::ranges::find(module.fits, slug) != module.fits.end(); };
    if (takes(socket.socketSlug()) || !takes(otherShell(socket.socketSlug()))) return {};
    return socket.socketSlug().ends_with(kFlatTop)
               ? i18n("has an integrated heat sink with fins (IHS), but the cage's riding heat sink (RHS) needs a flat "
                      "top; use the flat-top variant")
               : i18n("has a flat top for a riding heat sink (RHS), but the cage has none; use the variant with fins (IHS)");
}

bool takesCable(const Interface& interface) { return !catalog::isUncabled(interface.slug); }

} // namespace hw
