// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/geometry/placement.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace hw::views::twin {

using Vec3 = std::array<float, 3>;
inline Vec3 operator+(Vec3 a, Vec3 b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec3 operator-(Vec3 a, Vec3 b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec3 operator*(Vec3 a, float k) { return {a[0] * k, a[1] * k, a[2] * k}; }
inline float dot(Vec3 a, Vec3 b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec3 cross(Vec3 a, Vec3 b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
inline float length(Vec3 a) { return std::sqrt(dot(a, a)); }
inline Vec3 normalized(Vec3 a)
{
    const float l = length(a);
    return l > 0 ? a * (1 / l) : a;
}
inline Vec3 toMeters(Point p) { return {float(p.x) * 1e-3f, float(p.y) * 1e-3f, float(p.z) * 1e-3f}; }

/// A box along the campus' axes in meters. The default one is empty.
struct Aabb {
    Vec3 low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
    static constexpr float kFar = std::numeric_limits<float>::max();
    [[nodiscard]] bool empty() const { return low[0] > high[0]; }
    [[nodiscard]] Vec3 center() const { return (low + high) * 0.5f; }
    [[nodiscard]] Vec3 size() const { return high - low; }
    void add(Vec3 p);
    void add(const Aabb& other)
    {
        if (!other.empty()) {
            add(other.low);
            add(other.high);
        }
    }
    [[nodiscard]] Aabb grown(float by) const { return {low - Vec3{by, by, by}, high + Vec3{by, by, by}}; }
    friend bool operator==(const Aabb&, const Aabb&) = default;
};
[[nodiscard]] Aabb toMeters(const Box& box);

struct Rgba {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;
    friend bool operator==(Rgba, Rgba) = default;
};
[[nodiscard]] Rgba rgb(std::uint32_t hex, std::uint8_t alpha = 255); ///< 0xRRGGBB
[[nodiscard]] Rgba shade(Rgba color, float factor);                  ///< multiplies red, green and blue
[[nodiscard]] Rgba mix(Rgba a, Rgba b, float t);

inline constexpr std::uint32_t kNoThing = 0xFFFFFFFFu;

/// How a face's color follows from that of the thing it belongs to: so that other colors need no other geometry.
struct FaceTint {
    std::uint32_t thing = kNoThing; ///< a rack or section by number; kNoThing: the color stays
    float light = 1, foot = 1;      ///< on the face; on its lower two corners, times that
    bool top = false;               ///< takes the thing's top color
    friend bool operator==(const FaceTint&, const FaceTint&) = default;
};

/// Colors of things by number.
struct ThingColors {
    std::vector<Rgba> body, top; ///< no tops: as the bodies
};

/// Quadrilaterals as the GL takes them: four vertices each, light and ambient shade in their colors.
/// `place` is where a vertex lies on its face in meters and how large the face is (u, v, width, height);
/// the shader draws the face's edges from it, one pixel wide at any distance. A mesh of textured quads
/// has two texture coordinates per vertex there instead.
struct Mesh {
    std::vector<float> positions;     ///< 3 per vertex, meters
    std::vector<std::uint8_t> colors; ///< 4 per vertex
    std::vector<float> places;        ///< 4 (textured: 2) per vertex
    std::vector<FaceTint> tints;      ///< 1 per quad where `tinted`
    bool tinted = false;
    friend bool operator==(const Mesh&, const Mesh&) = default;
    [[nodiscard]] std::size_t quads() const { return positions.size() / 12; }
    void clear();
    void reserve(std::size_t quads);
    /// Corners counter-clockwise as seen from outside, colors for each.
    void quad(const std::array<Vec3, 4>& corners, const std::array<Rgba, 4>& colors, bool edges = true);
    void quad(const std::array<Vec3, 4>& corners, Rgba color, bool edges = true) { quad(corners, {color, color, color, color}, edges); }
    /// `uv`: texture coordinates of the first and third corner.
    void texturedQuad(const std::array<Vec3, 4>& corners, Rgba color, std::array<float, 4> uv);
    /// Gives the tinted faces of known things these colors, bit for bit as a mesh built with them; true when any changed.
    bool recolor(const ThingColors& things);
};

/// How a box is drawn. The faces' light is that of two fixed lamps and the sky (see faceLight).
struct BoxLook {
    Rgba color{200, 200, 200, 255};
    Rgba top{0, 0, 0, 0}; ///< alpha 0: as `color`
    float footShade = 1;  ///< light at the lower edge of the sides, for standing things
    bool bottom = false;  ///< things that can be seen from below
    bool edges = true;
    bool ends = true; ///< of a beam; bundles go on where they end
    std::uint32_t thing = kNoThing;
};
/// Light on a face with this outward normal, 0 … 1.
[[nodiscard]] float faceLight(Vec3 normal);
void addBox(Mesh& mesh, const Aabb& box, const BoxLook& look);
/// A beam of width x height around the line from a to b, which may run in any direction.
void addBeam(Mesh& mesh, Vec3 a, Vec3 b, float width, float height, const BoxLook& look);
/// A soft dark rim on the floor around a footprint, `width` meters wide.
void addContactShadow(Mesh& mesh, const Aabb& box, float z, float width, std::uint8_t alpha);

/// Polylines with a color per vertex.
struct LineMesh {
    std::vector<float> positions;
    std::vector<std::uint8_t> colors;  ///< 4 per vertex
    std::vector<std::uint32_t> starts; ///< first vertex of each line
    std::vector<std::uint32_t> things; ///< the cable of each line, or kNoThing
    std::vector<float> seconds;        ///< 1 per vertex of streamlines: since their start; else none
    friend bool operator==(const LineMesh&, const LineMesh&) = default;
    [[nodiscard]] std::size_t lines() const { return starts.size(); }
    void clear();
    void line(const std::vector<Vec3>& points, Rgba color, std::uint32_t thing = kNoThing);
    void boxEdges(const Aabb& box, Rgba color);
    /// One color for each line; true when any changed.
    bool recolor(std::span<const Rgba> ofLines);
};

} // namespace hw::views::twin
