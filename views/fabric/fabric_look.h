// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/overlays/overlays.h"
#include "views/fabric/fabric_model.h"

#include <QColor>
#include <QString>

#include <optional>

namespace hw::views {

/// What the colors of boxes and bundles mean. Lane: the plane, or the rail where there are no planes. Values: those of
/// devices that the overlay of the other views has, of a box the highest.
enum class FabricColor { Lane, Rail, Network, Oversubscription, Load, Values };

/// How a network is shown: what a view remembers beside what is open.
struct FabricLook {
    FabricColor color = FabricColor::Lane;
    std::set<int> hiddenLanes;      ///< their boxes are faint and their bundles left out
    std::vector<char> selected;     ///< by member; empty = nothing
    std::vector<char> matches;      ///< by member: what the filter found; empty = no filter
    std::optional<FabricKey> focus; ///< where the keyboard is
    int hoverBox = -1, hoverBundle = -1;
    QString loadsOf;         ///< whose loads, for the legend
    bool loadsStale = false; ///< of an earlier state of the design
    std::shared_ptr<const OverlayValues> values;
    [[nodiscard]] const ValueField* field() const { return values ? values->of(EntityKind::Device) : nullptr; }
};

/// Planes and rails in colors that color-blind readers can tell apart (Okabe and Ito 2008); more than
/// eight are spread over the hues.
[[nodiscard]] QColor laneColor(int lane, int lanes);
/// 1:1 and below to 16:1 and above on the theme's map, by doublings.
[[nodiscard]] QColor oversubscriptionColor(double ratio);

/// Utilization 0 … 1 on the map that all views share; gray for nothing at all.
[[nodiscard]] QColor utilizationColor(double share);

[[nodiscard]] QColor boxColor(const FabricModel& model, const FabricBox& box, const FabricLook& look);
[[nodiscard]] QColor bundleColor(const FabricModel& model, const FabricBundle& bundle, const FabricLook& look);
/// The lane that a bundle belongs to: of whichever end has one.
[[nodiscard]] int laneOf(const FabricModel& model, const FabricBundle& bundle);
[[nodiscard]] inline bool hidden(const FabricLook& look, int lane) { return lane >= 0 && look.hiddenLanes.contains(lane); }

/// Color modes that a network has something to say in: rails beside planes, load with a result.
[[nodiscard]] std::vector<FabricColor> colorModes(const FabricIndex& index, bool loads, const OverlayValues* values = nullptr);
[[nodiscard]] QString colorName(const FabricIndex& index, FabricColor color, const OverlayValues* values = nullptr);

} // namespace hw::views
