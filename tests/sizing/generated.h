// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/design/sizing/sizing.h"

#include <algorithm>
#include <cmath>

/// What a whole design has of that which `size` estimates, of one network where it is asked for one.
namespace hw::sizing {

struct Generated {
    std::int64_t racks = 0, halls = 0, cables = 0, lengthMm = 0, singleMode = 0, modules = 0;
    Milliwatts power;
};

inline bool isSingleMode(const TransceiverSpec& module)
{
    for (const auto& [medium, reach] : module.reach)
        if (medium.starts_with("smf")) return true;
    return false;
}

inline Generated generatedOf(const Figures& f, const std::string& network, PowerBasis basis)
{
    const Snapshot& s = *f.snapshot;
    Generated out;
    out.racks = std::int64_t(s.racks.size());
    s.halls.forEach(
        [&](HallId id) { out.halls += s.buildings.kind[s.halls.building[id]] == BuildingKind::Pod && s.halls.kind[id] == RoomKind::Hall; });
    s.cables.forEach([&](CableId id) {
        const auto links = f.cabling->linksOf(id);
        if (links.empty() || s.cables.medium[id] != Medium::Data) return;
        const auto own = s.ports.network[s.links.from[links.front()]];
        if (!own || s.networks.key[*own] != network) return;
        out.cables += !(*f.cabling)[id].partOf;
        if (!(*f.cabling)[id].partOf) out.lengthMm += (*f.cabling)[id].lengthMm;
        f.cabling->forModules(id, [&](DeviceId, PartTypeId module) {
            ++out.modules;
            out.singleMode += isSingleMode(f.parts->transceiver(module));
        });
    });
    s.devices.forEach([&](DeviceId id) {
        const TierKind kind = s.tiers.kind[s.devices.tier[id]];
        if (kind != TierKind::Power && kind != TierKind::Cooling) out.power += f.power->device(id).at(basis);
    });
    return out;
}

inline std::int64_t singleModeOf(const SizedDesign& design, const Catalog& catalog)
{
    std::int64_t sum = 0;
    for (const auto& [slug, n] : design.cabling.transceivers)
        if (isSingleMode(std::get<TransceiverSpec>(catalog.find(slug)->spec))) sum += n;
    return sum;
}

/// Share by which an estimate misses; a difference in something that is a thousandth of the whole says nothing.
inline double missed(std::int64_t estimate, std::int64_t made, std::int64_t whole = 0)
{
    return std::abs(double(estimate - made)) / std::max({double(made), 0.001 * double(whole), 1.0});
}

} // namespace hw::sizing
