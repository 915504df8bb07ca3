// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/fabric/fabric_look.h"

#include <QStringList>

namespace hw::views {

/// What hovering tells: a title and lines of two columns.
struct FabricCard {
    QString title;
    std::vector<std::pair<QString, QString>> lines;
};

[[nodiscard]] QString columnTitle(const FabricIndex& index, int column);        ///< "Pod 3", "Segments 1–16", "Whole network"
[[nodiscard]] QString laneTitle(const FabricIndex& index, int lane);            ///< "Plane 2", "Rail 5"
[[nodiscard]] QString tierTitle(const FabricIndex& index, int layer);           ///< its label, else its name
[[nodiscard]] QString boxTitle(const FabricModel& model, const FabricBox& box); ///< as short as it is clear under its header
[[nodiscard]] QString boxPath(const FabricModel& model, const FabricBox& box);  ///< "ToR · Pod 1 · Segment 3 · Plane 2", or a device's name
[[nodiscard]] QString partTitle(const FabricIndex& index, const FabricIndex::Part& part); ///< of one step of a path
[[nodiscard]] QString devicesText(const FabricIndex& index, int layer, std::int64_t devices, std::int64_t backup);
[[nodiscard]] QString ratioText(const FabricIndex::Sums& sums); ///< "1.067 : 1", with backup hosts in brackets; empty without uplinks

/// Why a network shows nothing: a scale-up domain inside a server or rack has no cables.
[[nodiscard]] QString emptyText(const FabricIndex& index);

/// Lines between two rows: "14,400 × 400G", one per rate.
[[nodiscard]] QStringList linksBetween(const FabricIndex& index, int lowerRow, int upperRow);

[[nodiscard]] FabricCard boxCard(const FabricModel& model, int box);
[[nodiscard]] FabricCard bundleCard(const FabricModel& model, int bundle);
[[nodiscard]] FabricCard portCard(const FabricModel& model, PortId port);
/// A cell of the matrix: both sides with what they are, and what joins them.
[[nodiscard]] FabricCard matrixCard(const std::pair<QString, QString>& row, const std::pair<QString, QString>& column, const FabricBundle& cell);
[[nodiscard]] FabricCard columnCard(const FabricModel& model, int column);

} // namespace hw::views
