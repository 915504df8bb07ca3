// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/scene/camera.h"

#include <algorithm>
#include <numbers>

namespace hw::views::twin {

namespace {

constexpr double kRadians = std::numbers::pi / 180;
constexpr double kLowestEye = 0.35; ///< meters above the floor
constexpr double kNearest = 0.4, kFarthest = 4000;
constexpr double kCutRange = 9; ///< from farther away nothing is looked through

struct Axes {
    std::array<double, 3> back, up;
};

Axes axesOf(const TwinCamera& c)
{
    const double a = c.azimuth * kRadians, e = c.elevation * kRadians;
    return {{std::sin(a) * std::cos(e), -std::cos(a) * std::cos(e), std::sin(e)},
            {-std::sin(a) * std::sin(e), std::cos(a) * std::sin(e), std::cos(e)}};
}

std::array<double, 3> eyeOf(const TwinCamera& c)
{
    const auto back = axesOf(c).back;
    return {c.focus[0] + back[0] * c.distance, c.focus[1] + back[1] * c.distance, c.focus[2] + back[2] * c.distance};
}

TwinCamera withEye(TwinCamera c, const std::array<double, 3>& eye)
{
    const auto back = axesOf(c).back;
    for (int i = 0; i < 3; ++i) c.focus[i] = eye[i] - back[i] * c.distance;
    return c;
}

TwinCamera aboveFloor(TwinCamera c)
{
    const double z = eyeOf(c)[2];
    if (z < kLowestEye) c.focus[2] += kLowestEye - z;
    return c;
}

} // namespace

std::optional<float> hit(const Ray& ray, const Aabb& box)
{
    float enter = 0, leave = std::numeric_limits<float>::max();
    for (int i = 0; i < 3; ++i) {
        if (std::abs(ray.direction[i]) < 1e-9f) {
            if (ray.origin[i] < box.low[i] || ray.origin[i] > box.high[i]) return std::nullopt;
            continue;
        }
        float t1 = (box.low[i] - ray.origin[i]) / ray.direction[i], t2 = (box.high[i] - ray.origin[i]) / ray.direction[i];
        if (t1 > t2) std::swap(t1, t2);
        enter = std::max(enter, t1);
        leave = std::min(leave, t2);
        if (enter > leave) return std::nullopt;
    }
    return enter;
}

CameraFrame CameraFrame::of(const TwinCamera& camera, float width, float height)
{
    const Axes axes = axesOf(camera);
    const auto eye = eyeOf(camera);
    CameraFrame f;
    for (int i = 0; i < 3; ++i) {
        f.eye[i] = float(eye[i]);
        f.forward[i] = -float(axes.back[i]);
        f.up[i] = float(axes.up[i]);
    }
    f.right = cross(f.forward, f.up);
    f.nearest = float(camera.cut * camera.distance);
    f.width = std::max(1.0f, width);
    f.height = std::max(1.0f, height);
    f.scale = f.height / float(2 * std::tan(kFieldOfView / 2 * kRadians));
    return f;
}

Ray CameraFrame::ray(float x, float y) const
{
    return {eye, normalized(forward + right * ((x - width / 2) / scale) + up * ((height / 2 - y) / scale))};
}

std::optional<CameraFrame::Projected> CameraFrame::project(Vec3 point) const
{
    const Vec3 v = point - eye;
    const float depth = dot(v, forward);
    if (depth < 0.05f) return std::nullopt;
    return Projected{width / 2 + dot(v, right) * scale / depth, height / 2 - dot(v, up) * scale / depth, depth};
}

bool CameraFrame::mayShow(const Aabb& box) const
{
    const Vec3 v = box.center() - eye;
    const float radius = length(box.size()) / 2, depth = dot(v, forward);
    if (depth < -radius) return false;
    const float sideways = radius * 1.5f + std::max(0.0f, depth) * width / 2 / scale;
    const float upwards = radius * 1.5f + std::max(0.0f, depth) * height / 2 / scale;
    return std::abs(dot(v, right)) < sideways && std::abs(dot(v, up)) < upwards;
}

TwinCamera fit(const Aabb& box, double azimuth, double elevation, float aspect, float margin)
{
    TwinCamera camera{azimuth, elevation, 1, {}, 0};
    if (box.empty()) return camera;
    const Vec3 center = box.center();
    camera.focus = {center[0], center[1], center[2]};
    // Every corner must lie inside both pairs of the picture's planes; the picture is then centered again.
    for (int round = 0; round < 6; ++round) {
        const CameraFrame frame = CameraFrame::of(camera, aspect, 1);
        const float tanY = 0.5f / frame.scale, tanX = tanY * aspect;
        const Vec3 focus{float(camera.focus[0]), float(camera.focus[1]), float(camera.focus[2])};
        float left = 1e9f, right = -1e9f, low = 1e9f, high = -1e9f, distance = 0;
        for (int i = 0; i < 8; ++i) {
            const Vec3 corner{i & 1 ? box.high[0] : box.low[0], i & 2 ? box.high[1] : box.low[1], i & 4 ? box.high[2] : box.low[2]};
            const Vec3 v = corner - focus;
            const float depth = dot(v, frame.forward);
            distance =
                std::max({distance, std::abs(dot(v, frame.right)) / tanX * margin - depth, std::abs(dot(v, frame.up)) / tanY * margin - depth});
            const float z = std::max(0.1f, depth + float(camera.distance));
            left = std::min(left, dot(v, frame.right) / z), right = std::max(right, dot(v, frame.right) / z);
            low = std::min(low, dot(v, frame.up) / z), high = std::max(high, dot(v, frame.up) / z);
        }
        camera.distance = std::clamp(double(distance), 1.2, kFarthest);
        if (round == 0) continue; // the first distance was a guess
        const Vec3 shift = frame.right * ((left + right) / 2 * float(camera.distance)) + frame.up * ((low + high) / 2 * float(camera.distance));
        for (int i = 0; i < 3; ++i) camera.focus[i] += shift[i] * 0.8f;
    }
    return aboveFloor(camera);
}

TwinCamera orbited(TwinCamera camera, Vec3 pivot, double azimuthBy, double elevationBy)
{
    const auto eye = eyeOf(camera);
    const Axes before = axesOf(camera);
    TwinCamera after = camera;
    after.azimuth += azimuthBy;
    after.elevation = std::clamp(after.elevation + elevationBy, 1.0, 90.0);
    const Axes now = axesOf(after);
    // The eye keeps its place relative to the pivot in the camera's own axes.
    const std::array<double, 3> v{eye[0] - pivot[0], eye[1] - pivot[1], eye[2] - pivot[2]};
    const auto dot3 = [](const auto& a, const auto& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
    const auto rightOf = [](const Axes& x) {
        return std::array<double, 3>{x.up[1] * x.back[2] - x.up[2] * x.back[1], x.up[2] * x.back[0] - x.up[0] * x.back[2],
                                     x.up[0] * x.back[1] - x.up[1] * x.back[0]};
    };
    const double r = dot3(v, rightOf(before)), u = dot3(v, before.up), b = dot3(v, before.back);
    const auto right = rightOf(now);
    std::array<double, 3> moved;
    for (int i = 0; i < 3; ++i) moved[i] = pivot[i] + right[i] * r + now.up[i] * u + now.back[i] * b;
    return aboveFloor(withEye(after, moved));
}

TwinCamera zoomed(TwinCamera camera, Vec3 toward, double factor)
{
    const double distance = std::clamp(camera.distance * factor, kNearest, kFarthest);
    factor = distance / camera.distance;
    auto eye = eyeOf(camera);
    for (int i = 0; i < 3; ++i) eye[i] = toward[i] + (eye[i] - toward[i]) * factor;
    camera.distance = distance;
    if (distance > kCutRange) camera.cut = 0;
    return aboveFloor(withEye(camera, eye));
}

TwinCamera moved(TwinCamera camera, Vec3 by)
{
    for (int i = 0; i < 3; ++i) camera.focus[i] += by[i];
    return aboveFloor(camera);
}

TwinCamera focusedAt(TwinCamera camera, double distance)
{
    const auto eye = eyeOf(camera);
    camera.distance = std::clamp(distance, kNearest, kFarthest);
    return withEye(camera, eye);
}

TwinCamera between(const TwinCamera& a, const TwinCamera& b, double t)
{
    if (t >= 1) return b;
    const double s = t * t * (3 - 2 * t);
    TwinCamera c;
    c.azimuth = a.azimuth + std::remainder(b.azimuth - a.azimuth, 360.0) * s;
    c.elevation = a.elevation + (b.elevation - a.elevation) * s;
    c.distance = a.distance * std::pow(b.distance / a.distance, s);
    c.cut = a.cut + (b.cut - a.cut) * s;
    // The focus arrives as fast as the distance shrinks, so that the target stays in the picture.
    const double k = std::abs(b.distance - a.distance) > 1e-6 ? (c.distance - a.distance) / (b.distance - a.distance) : s;
    const double f = b.distance < a.distance ? std::max(k, s) : s;
    for (int i = 0; i < 3; ++i) c.focus[i] = a.focus[i] + (b.focus[i] - a.focus[i]) * f;
    return aboveFloor(c);
}

} // namespace hw::views::twin
