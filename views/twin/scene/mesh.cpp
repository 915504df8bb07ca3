// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/scene/mesh.h"

#include <algorithm>
#include <cstring>

namespace hw::views::twin {

void Aabb::add(Vec3 p)
{
    for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], p[i]);
        high[i] = std::max(high[i], p[i]);
    }
}

Aabb toMeters(const Box& box) { return {toMeters(box.low), toMeters(box.high)}; }

Rgba rgb(std::uint32_t hex, std::uint8_t alpha) { return {std::uint8_t(hex >> 16), std::uint8_t(hex >> 8), std::uint8_t(hex), alpha}; }

Rgba shade(Rgba c, float f)
{
    const auto scale = [f](std::uint8_t v) { return std::uint8_t(std::clamp(float(v) * f, 0.0f, 255.0f)); };
    return {scale(c.r), scale(c.g), scale(c.b), c.a};
}

Rgba mix(Rgba a, Rgba b, float t)
{
    const auto blend = [t](std::uint8_t x, std::uint8_t y) { return std::uint8_t(std::lround(float(x) + (float(y) - float(x)) * t)); };
    return {blend(a.r, b.r), blend(a.g, b.g), blend(a.b, b.b), blend(a.a, b.a)};
}

void Mesh::clear()
{
    positions.clear();
    colors.clear();
    places.clear();
    tints.clear();
}

void Mesh::reserve(std::size_t quads)
{
    positions.reserve(quads * 12);
    colors.reserve(quads * 16);
    places.reserve(quads * 16);
    if (tinted) tints.reserve(quads);
}

void Mesh::quad(const std::array<Vec3, 4>& corners, const std::array<Rgba, 4>& shades, bool edges)
{
    const float w = length(corners[1] - corners[0]), h = length(corners[3] - corners[0]);
    const float u[4] = {0, w, w, 0}, v[4] = {0, 0, h, h};
    for (int i = 0; i < 4; ++i) {
        positions.insert(positions.end(), corners[i].begin(), corners[i].end());
        colors.insert(colors.end(), {shades[i].r, shades[i].g, shades[i].b, shades[i].a});
        if (edges)
            places.insert(places.end(), {u[i], v[i], w, h});
        else
            places.insert(places.end(), {0.5f, 0.5f, 0.0f, 0.0f}); // no size: no edges
    }
    if (tinted) tints.emplace_back();
}

void Mesh::texturedQuad(const std::array<Vec3, 4>& corners, Rgba color, std::array<float, 4> uv)
{
    const float u[4] = {uv[0], uv[2], uv[2], uv[0]}, v[4] = {uv[1], uv[1], uv[3], uv[3]};
    for (int i = 0; i < 4; ++i) {
        positions.insert(positions.end(), corners[i].begin(), corners[i].end());
        colors.insert(colors.end(), {color.r, color.g, color.b, color.a});
        places.insert(places.end(), {u[i], v[i]});
    }
}

namespace {

/// The corners of a quad whose lower two are darker; the order is that of addFaces.
std::array<Rgba, 4> cornersOf(Rgba base, float light, float foot)
{
    const Rgba lit = shade(base, light), low = shade(lit, foot);
    return {low, low, lit, lit};
}

/// True when they differed.
bool put(std::uint8_t* colors, const Rgba* now, std::size_t vertices)
{
    if (std::memcmp(colors, now, 4 * vertices) == 0) return false;
    std::memcpy(colors, now, 4 * vertices);
    return true;
}

} // namespace

static_assert(sizeof(Rgba) == 4);

bool Mesh::recolor(const ThingColors& things)
{
    bool changed = false;
    for (std::size_t q = 0; q < tints.size(); ++q) {
        const FaceTint& t = tints[q];
        if (t.thing >= things.body.size()) continue;
        const Rgba base = t.top && t.thing < things.top.size() ? things.top[t.thing] : things.body[t.thing];
        changed |= put(colors.data() + 16 * q, cornersOf(base, t.light, t.foot).data(), 4);
    }
    return changed;
}

bool LineMesh::recolor(std::span<const Rgba> ofLines)
{
    bool changed = false;
    const std::size_t points = positions.size() / 3;
    for (std::size_t i = 0; i < std::min(starts.size(), ofLines.size()); ++i) {
        const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : points;
        for (std::size_t v = starts[i]; v < end; ++v) changed |= put(colors.data() + 4 * v, &ofLines[i], 1);
    }
    return changed;
}

float faceLight(Vec3 n)
{
    // Key lamp high in the south-west, a weaker one in the south-east, light from the sky and the floor.
    static const Vec3 key = normalized({-0.45f, -0.60f, 0.85f}), fill = normalized({0.75f, -0.35f, 0.40f});
    const float sky = 0.5f + 0.5f * n[2];
    return std::min(1.0f, 0.44f + 0.46f * std::max(0.0f, dot(n, key)) + 0.20f * std::max(0.0f, dot(n, fill)) + 0.16f * sky);
}

namespace {

/// The eight corners of a box: bit 0 = x, bit 1 = y, bit 2 = z.
using Corners = std::array<Vec3, 8>;

void addFaces(Mesh& mesh, const Corners& c, const BoxLook& look)
{
    struct Face {
        int i[4];
        bool side;
    };
    static constexpr Face kFaces[] = {{{4, 5, 7, 6}, false}, {{0, 1, 5, 4}, true}, {{1, 3, 7, 5}, true},
                                      {{3, 2, 6, 7}, true},  {{2, 0, 4, 6}, true}, {{2, 3, 1, 0}, false}};
    for (int f = 0; f < (look.bottom ? 6 : 5); ++f) {
        if (!look.ends && (f == 2 || f == 4)) continue;
        const auto& face = kFaces[f];
        const std::array<Vec3, 4> quad{c[face.i[0]], c[face.i[1]], c[face.i[2]], c[face.i[3]]};
        const Vec3 normal = normalized(cross(quad[1] - quad[0], quad[3] - quad[0]));
        const Rgba base = f == 0 && look.top.a ? look.top : look.color;
        const float light = faceLight(normal), foot = face.side ? look.footShade : 1.0f;
        mesh.quad(quad, cornersOf(base, light, foot), look.edges);
        if (mesh.tinted) mesh.tints.back() = {look.thing, light, foot, f == 0};
    }
}

} // namespace

void addBox(Mesh& mesh, const Aabb& b, const BoxLook& look)
{
    Corners c;
    for (int i = 0; i < 8; ++i) c[i] = {i & 1 ? b.high[0] : b.low[0], i & 2 ? b.high[1] : b.low[1], i & 4 ? b.high[2] : b.low[2]};
    addFaces(mesh, c, look);
}

void addBeam(Mesh& mesh, Vec3 a, Vec3 b, float width, float height, const BoxLook& look)
{
    const Vec3 along = normalized(b - a);
    if (length(along) == 0) return;
    const Vec3 up0 = std::abs(along[2]) > 0.9f ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    const Vec3 side = normalized(cross(up0, along)) * (width / 2), up = normalized(cross(along, side)) * (height / 2);
    Corners c;
    for (int i = 0; i < 8; ++i) {
        const Vec3 end = i & 1 ? b : a;
        c[i] = end + side * (i & 2 ? 1.0f : -1.0f) + up * (i & 4 ? 1.0f : -1.0f);
    }
    addFaces(mesh, c, look);
}

void addContactShadow(Mesh& mesh, const Aabb& box, float z, float width, std::uint8_t alpha)
{
    const Rgba dark{0, 0, 0, alpha}, clear{0, 0, 0, 0};
    const Vec3 in[4] = {{box.low[0], box.low[1], z}, {box.high[0], box.low[1], z}, {box.high[0], box.high[1], z}, {box.low[0], box.high[1], z}};
    const Vec3 out[4] = {{box.low[0] - width, box.low[1] - width, z},
                         {box.high[0] + width, box.low[1] - width, z},
                         {box.high[0] + width, box.high[1] + width, z},
                         {box.low[0] - width, box.high[1] + width, z}};
    for (int i = 0; i < 4; ++i) {
        const int j = (i + 1) % 4;
        const bool alongX = i % 2 == 0; // the rim along this side, then the corner at its end
        Vec3 a = in[i], b = in[j];
        a[alongX ? 1 : 0] = b[alongX ? 1 : 0] = out[i][alongX ? 1 : 0];
        mesh.quad({a, b, in[j], in[i]}, {clear, clear, dark, dark}, false);
        Vec3 c = in[j];
        c[alongX ? 0 : 1] = out[j][alongX ? 0 : 1];
        mesh.quad({in[j], b, out[j], c}, {dark, clear, clear, clear}, false);
    }
}

void LineMesh::clear()
{
    positions.clear();
    colors.clear();
    starts.clear();
    things.clear();
    seconds.clear();
}

void LineMesh::line(const std::vector<Vec3>& points, Rgba c, std::uint32_t thing)
{
    if (points.size() < 2) return;
    starts.push_back(std::uint32_t(positions.size() / 3));
    things.push_back(thing);
    for (const Vec3& p : points) {
        positions.insert(positions.end(), p.begin(), p.end());
        colors.insert(colors.end(), {c.r, c.g, c.b, c.a});
    }
}

void LineMesh::boxEdges(const Aabb& b, Rgba c)
{
    const auto corner = [&](int i) { return Vec3{i & 1 ? b.high[0] : b.low[0], i & 2 ? b.high[1] : b.low[1], i & 4 ? b.high[2] : b.low[2]}; };
    line({corner(0), corner(1), corner(3), corner(2), corner(0)}, c);
    line({corner(4), corner(5), corner(7), corner(6), corner(4)}, c);
    for (int i = 0; i < 4; ++i) line({corner(i), corner(i + 4)}, c);
}

} // namespace hw::views::twin
