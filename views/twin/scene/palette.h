// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/rack_kind.h"
#include "core/operations/overlays/overlays.h"
#include "views/twin/scene/mesh.h"

#include <memory>

namespace hw::views::twin {

/// Colors of one theme. Restrained: the floor and servers recede, network racks and loads stand out.
struct Palette {
    Rgba skyTop, skyHorizon, ground, groundLine, slab, slabLine, wall, wallTop, coldAisle, hotAisle;
    std::array<Rgba, kRackKinds> rackTop, rackBody;
    Rgba rackFront, post, tray, bundle, facility, shadow;
    Rgba selection, hover, hot;
    Rgba text, textHalo, panel, panelText, panelMuted, panelLine;
    [[nodiscard]] static const Palette& of(bool dark);
};

/// Utilization 0 … 1 on the map that all views share (see views/style/load_map.h); the gray of trays for nothing at all.
[[nodiscard]] Rgba utilizationColor(double utilization, bool dark);
/// Colors of racks by id from an overlay's values, gray where it says nothing of one, and after them of devices by id, clear where it says nothing
/// of one; null without an overlay, for kinds.
[[nodiscard]] std::shared_ptr<const std::vector<Rgba>> valueColors(const OverlayValues* overlay, std::size_t racks, std::size_t devices, bool dark);
/// Muted version of a network's color for bundles and cables without loads.
[[nodiscard]] Rgba cableColor(std::uint32_t networkRgb, bool dark);

} // namespace hw::views::twin
