// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/offered_parts.h"

#include "core/foundation/catalog/sockets.h"

#include <algorithm>
#include <set>

namespace hw {

std::vector<std::string> offeredParts(const PartTypes& types, const Catalog& catalog)
{
    std::set<std::string> sockets, connectors;
    bool stated = false;
    types.forEach([&](PartTypeId id) {
        const Part* found = catalog.find(types.slug[id]);
        if (!found) return; // the project's own
        const Part& part = *found;
        stated = stated || std::holds_alternative<TransceiverSpec>(part.spec) || std::holds_alternative<CableSpec>(part.spec);
        if (const auto* device = std::get_if<DeviceSpec>(&part.spec))
            for (const auto& interface : device->interfaces) sockets.insert({interface.slug, interface.socketSlug()});
    });
    if (stated) return {};
    const auto plugs = [&](const std::vector<std::string>& fits) {
        return std::ranges::any_of(fits, [&](const auto& slug) { return sockets.contains(slug); });
    };
    std::vector<std::string> offered;
    for (const auto& [slug, part] : catalog.parts(PartKind::Transceiver))
        if (const auto* module = std::get_if<TransceiverSpec>(&part->spec); module && plugs(module->fits)) {
            offered.push_back(slug);
            connectors.insert(module->connector);
            connectors.insert(asOnePort(*module, 1).connector);
        }
    for (const auto& [slug, part] : catalog.parts(PartKind::Cable))
        if (const auto* cable = std::get_if<CableSpec>(&part->spec);
            cable && cable->positions == 1 && cable->crosses && // trunks and straight cords come with the panels that want them
            (cable->fits.empty() ? connectors.contains(cable->connector) : plugs(cable->fits)))
            offered.push_back(slug);
    return offered;
}

} // namespace hw
