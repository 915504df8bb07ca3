// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/scene/picking.h"

#include "views/twin/scene/build.h"

#include <algorithm>

namespace hw::views::twin {

namespace {

/// The device of a rack whose U range holds the height of the hit; the rack where there is none.
EntityRef deviceAt(const Figures& f, const SceneFacts& facts, RackId rack, float z)
{
    for (const DeviceId id : facts.devicesOf(rack)) {
        if (isZeroU(f, id)) continue;
        const Aabb box = toMeters(f.placement->device(*f.snapshot, *f.parts, id));
        if (z >= box.low[2] && z <= box.high[2]) return ref(id);
    }
    return ref(rack);
}

bool onSide(const SceneFacts::Rack& rack, Vec3 point)
{
    const Vec3 out = frontOf(rack).out;
    const int axis = std::abs(out[0]) > 0.5f ? 0 : 1;
    return std::min(std::abs(point[axis] - rack.box.low[axis]), std::abs(point[axis] - rack.box.high[axis])) < 0.002f;
}

/// Distance of a point to a segment in the plane.
float distanceTo(float px, float py, const CameraFrame::Projected& a, const CameraFrame::Projected& b)
{
    const float dx = b.x - a.x, dy = b.y - a.y, l2 = dx * dx + dy * dy;
    const float t = l2 > 0 ? std::clamp(((px - a.x) * dx + (py - a.y) * dy) / l2, 0.0f, 1.0f) : 0;
    return std::hypot(px - a.x - t * dx, py - a.y - t * dy);
}

std::optional<CableId> cableAt(const Figures& f, const SceneFacts& facts, const CameraFrame& frame, float x, float y, float nearerThan,
                               std::span<const CableId> cables)
{
    std::optional<CableId> best;
    float bestPixels = 4;
    for (const CableId cable : cables) {
        std::optional<CameraFrame::Projected> last;
        for (const Vec3& point : cablePath(f, facts, cable)) {
            const auto now = frame.project(point);
            if (now && last && std::min(now->depth, last->depth) < nearerThan + 0.3f) {
                const float pixels = distanceTo(x, y, *last, *now);
                if (pixels < bestPixels) bestPixels = pixels, best = cable;
            }
            last = now;
        }
    }
    return best;
}

} // namespace

Pick pickAt(const Figures& f, const SceneFacts& facts, const CameraFrame& frame, float x, float y, const PickOptions& options)
{
    const Ray ray = frame.ray(x, y);
    const float start = frame.nearest / std::max(0.1f, dot(ray.direction, frame.forward));
    float nearest = std::numeric_limits<float>::max();
    Pick pick;
    const auto offer = [&](const Aabb& box, EntityRef entity) {
        if (const auto t = hit(ray, box); t && *t<nearest&& * t> start) {
            nearest = *t;
            pick.entity = entity;
            return true;
        }
        return false;
    };
    Maybe<RackId> rack;
    if (options.racks)
        for (std::uint32_t i = 0; i < facts.racks().size(); ++i)
            if (facts.racks()[i].alive && offer(facts.racks()[i].box, ref(RackId(i)))) rack = RackId(i);
    if (options.racks)
        for (const DeviceId id : facts.freeDevices())
            if (offer(toMeters(f.placement->device(*f.snapshot, *f.parts, id)), ref(id))) rack = {};
    if (options.racks && options.devices)
        for (std::uint32_t i = 0; i < facts.racks().size(); ++i)
            if (facts.racks()[i].alive && length(facts.racks()[i].box.center() - ray.origin) < options.deviceRange)
                for (const SceneFacts::Tap& tap : facts.tapsOf(RackId(i)))
                    if (offer(tapBox(f, tap), ref(tap.link))) rack = {};
    if (options.sections)
        for (std::uint32_t i = 0; i < facts.sections().size(); ++i)
            if (const auto tray = facts.sections()[i].tray; tray && offer(bundleBox(facts, i), ref(*tray))) rack = {};
    if (nearest < std::numeric_limits<float>::max()) {
        pick.point = ray.origin + ray.direction * nearest;
        pick.solid = true;
        if (rack && options.devices && nearest < options.deviceRange && onSide(facts.racks()[(*rack).value], pick.point))
            pick.entity = deviceAt(f, facts, *rack, pick.point[2]);
    } else if (ray.direction[2] < -1e-4f) {
        const float t = -ray.origin[2] / ray.direction[2];
        if (t < 5000) {
            pick.point = ray.origin + ray.direction * t;
            pick.solid = true;
        }
    }
    const float depth = pick.solid ? dot(pick.point - ray.origin, frame.forward) : 1e6f;
    if (const auto cable = cableAt(f, facts, frame, x, y, depth, options.cables)) pick.entity = ref(*cable);
    return pick;
}

} // namespace hw::views::twin
