// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/geometry/placement.h"

namespace hw {

/// A place on a tray where a cable can change to another tray. Vertex of the routing graph.
struct TrayStop {
    std::uint32_t tray = 0;
    std::int32_t at = 0; ///< mm from the tray's first end
    Point point;
    friend bool operator==(const TrayStop&, const TrayStop&) = default;
};

/// Two stops on different trays and the way between them: straight down or up, then along x, then along y.
struct TrayJoint {
    std::uint32_t a = 0, b = 0; ///< stops, a < b
    std::int32_t lengthMm = 0;
    friend bool operator==(const TrayJoint&, const TrayJoint&) = default;
};

/// The trays of a campus that carry one medium, as a graph whose vertices are only the places where they meet.
/// In a hall a row tray meets the spine trays that it crosses, and of a plane of which it crosses none the nearest, so a row
/// that is moved anywhere stays connected; trays of one kind meet where they touch in plan. A duct's end meets the
/// spines of the hall that it lies in (of every hall of its building when it lies between them).
/// Trays of different fabric planes never meet, nor do those of different sides of power. Of power and coolant, trays of all rooms of a
/// building meet where they touch in plan, one above the other, too; and a duct belongs to no room, wherever it is drawn.
struct TrayGraph {
    std::vector<std::int32_t> lengthMm;   ///< by tray; 0 of one that does not carry the medium
    std::vector<std::int16_t> plane;      ///< by tray; of power its side: 0 = A, -1 = any
    std::vector<std::uint32_t> firstStop; ///< by tray, one entry more than trays
    std::vector<TrayStop> stops;          ///< ordered by (tray, at)
    std::vector<TrayJoint> joints;        ///< ordered by (a, b)
    friend bool operator==(const TrayGraph&, const TrayGraph&) = default;

    [[nodiscard]] static TrayGraph build(const Snapshot& snapshot, const Placement& placement, Medium medium = Medium::Data);
};

/// What a tray is for includes the medium.
[[nodiscard]] inline bool carriesMedium(Carries tray, Medium medium) { return tray == Carries::Any || int(tray) == int(medium) + 1; }
/// A tray of plane `tray` may carry a cable of plane `cable`; -1 stands for any plane on both sides.
[[nodiscard]] inline bool carries(std::int16_t tray, std::int16_t cable) { return tray < 0 || cable < 0 || tray == cable; }

[[nodiscard]] std::int32_t lineLengthMm(const TrayLine& line);
[[nodiscard]] Point pointOnLine(const TrayLine& line, std::int32_t lengthMm, std::int32_t atMm);
/// Where on the line the given point is nearest to it in plan, in mm from the line's first end.
[[nodiscard]] std::int32_t nearestOnLine(const TrayLine& line, std::int32_t lengthMm, Point point);
[[nodiscard]] std::int32_t manhattanMm(Point a, Point b);

} // namespace hw
