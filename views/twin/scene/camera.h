// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/twin/layers.h"
#include "views/twin/scene/mesh.h"

#include <optional>

namespace hw::views::twin {

inline constexpr double kFieldOfView = 32; ///< vertical, degrees: a calm, nearly architectural perspective

struct Ray {
    Vec3 origin{}, direction{};
};
/// Distances along a ray at which it enters a box; nothing when it misses. Starts inside count as 0.
[[nodiscard]] std::optional<float> hit(const Ray& ray, const Aabb& box);

/// A camera over a picture of `width` x `height` (any unit; y runs down): rays out and points in.
struct CameraFrame {
    Vec3 eye{}, right{}, up{}, forward{};
    float width = 1, height = 1, scale = 1; ///< scale: pixels per meter at one meter's distance
    float nearest = 0;                      ///< depth from which things are drawn

    [[nodiscard]] static CameraFrame of(const TwinCamera& camera, float width, float height);
    [[nodiscard]] Ray ray(float x, float y) const;
    struct Projected {
        float x = 0, y = 0, depth = 0;
    }; ///< depth: meters along the view
    /// Nothing for points behind the camera.
    [[nodiscard]] std::optional<Projected> project(Vec3 point) const;
    /// False when the box is certainly outside the picture.
    [[nodiscard]] bool mayShow(const Aabb& box) const;
};

/// The camera with the given angles that shows the whole box with a margin.
[[nodiscard]] TwinCamera fit(const Aabb& box, double azimuth, double elevation, float aspect, float margin = 1.06f);
/// Turned around a point of the campus; never below the floor.
[[nodiscard]] TwinCamera orbited(TwinCamera camera, Vec3 pivot, double azimuthBy, double elevationBy);
/// Nearer to (factor < 1) or farther from a point, which stays where it is in the picture.
[[nodiscard]] TwinCamera zoomed(TwinCamera camera, Vec3 toward, double factor);
[[nodiscard]] TwinCamera moved(TwinCamera camera, Vec3 by);
/// The same view with the focus at the given distance along it (so that pans and zooms fit what is seen).
[[nodiscard]] TwinCamera focusedAt(TwinCamera camera, double distance);
/// A flight from a to b, t in 0 … 1, eased, on the shorter way round.
[[nodiscard]] TwinCamera between(const TwinCamera& a, const TwinCamera& b, double t);

} // namespace hw::views::twin
