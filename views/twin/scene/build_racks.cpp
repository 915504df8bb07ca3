// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/scene/build.h"

#include <algorithm>

namespace hw::views::twin {

namespace {

constexpr float kRecess = 0.04f; ///< of the rack's inside behind its posts
constexpr float kProud = 0.012f; ///< device fronts before the posts

FaceFrame faceOf(const Aabb& box, int facing)
{
    const Vec3 s = box.size();
    switch (((facing % 360) + 360) % 360) {
    case 0: return {{box.high[0], box.low[1], box.low[2]}, {0, 1, 0}, {1, 0, 0}, s[1], s[0]};
    case 90: return {{box.high[0], box.high[1], box.low[2]}, {-1, 0, 0}, {0, 1, 0}, s[0], s[1]};
    case 180: return {{box.low[0], box.high[1], box.low[2]}, {0, -1, 0}, {-1, 0, 0}, s[1], s[0]};
    }
    return {{box.low[0], box.low[1], box.low[2]}, {1, 0, 0}, {0, -1, 0}, s[0], s[1]};
}

/// The rack's body without the recess at its front.
Aabb bodyOf(const SceneFacts::Rack& rack)
{
    Aabb body = rack.box;
    const FaceFrame front = frontOf(rack);
    for (int i = 0; i < 2; ++i) {
        if (front.out[i] > 0.5f) body.high[i] -= kRecess;
        if (front.out[i] < -0.5f) body.low[i] += kRecess;
    }
    return body;
}

std::array<Vec3, 4> faceQuad(const FaceFrame& f, float x0, float x1, float z0, float z1, float forward)
{
    return {f.at(x0, z0, forward), f.at(x1, z0, forward), f.at(x1, z1, forward), f.at(x0, z1, forward)};
}

struct DeviceFace {
    float x0, x1, z0, z1;
};

DeviceFace faceOfDevice(const Figures& f, const FaceFrame& frame, DeviceId id)
{
    const Aabb box = toMeters(f.placement->device(*f.snapshot, *f.parts, id));
    const float width = std::min(kMountWidth, frame.width - 0.02f), x0 = (frame.width - width) / 2;
    return {x0, x0 + width, box.low[2] + 0.002f, std::max(box.low[2] + 0.02f, box.high[2] - 0.002f)};
}

} // namespace

Vec3 FaceFrame::at(float x, float z, float forward) const
{
    return {origin[0] + right[0] * x + out[0] * forward, origin[1] + right[1] * x + out[1] * forward, origin[2] + z};
}

FaceFrame frontOf(const SceneFacts::Rack& rack) { return faceOf(rack.box, rack.facing); }
FaceFrame rearOf(const SceneFacts::Rack& rack) { return faceOf(rack.box, rack.facing + 180); }

std::array<float, 4> frontCell(FrontKind kind)
{
    // Columns and rows of the texture in 1/1024, each with a rim of 4 against bleeding.
    struct Cell {
        int left, bottom, width, height;
    };
    static constexpr Cell kCells[kFrontKinds] = {{0, 640, 512, 384}, {512, 928, 512, 96},  {512, 736, 512, 192}, {512, 640, 512, 96},
                                                 {0, 448, 512, 192}, {512, 448, 512, 192}, {0, 64, 512, 384}};
    const Cell& c = kCells[std::size_t(kind)];
    return {float(c.left + 4) / 1024, float(c.bottom + 4) / 1024, float(c.left + c.width - 4) / 1024, float(c.bottom + c.height - 4) / 1024};
}

FrontKind frontKindOf(const Figures& f, DeviceId id)
{
    const Snapshot& s = *f.snapshot;
    const DeviceSpec& spec = f.parts->device(s.devices.type[id]);
    switch (s.tiers.kind[s.devices.tier[id]]) {
    case TierKind::Switch: return spec.halfUnits >= 6 ? FrontKind::SwitchTall : FrontKind::SwitchFlat;
    case TierKind::Server: return spec.accelerators > 0 && spec.halfUnits >= 8 ? FrontKind::GpuServer : FrontKind::Server;
    case TierKind::Power:
    case TierKind::Cooling: return FrontKind::Facility;
    case TierKind::Other: break;
    }
    return FrontKind::Storage;
}

bool isZeroU(const Figures& f, DeviceId id) { return f.parts->device(f.snapshot->devices.type[id]).halfUnits == 0; }

ThingColors rackColors(const SceneFacts& facts, const Palette& palette, const std::vector<Rgba>* given)
{
    ThingColors colors;
    for (std::size_t i = 0; i < facts.racks().size(); ++i) {
        const auto kind = std::size_t(facts.racks()[i].kind);
        const bool own = given && i < given->size();
        colors.body.push_back(own ? shade((*given)[i], 0.82f) : palette.rackBody[kind]);
        colors.top.push_back(own ? (*given)[i] : palette.rackTop[kind]);
    }
    for (const DeviceId id : facts.freeDevices()) { // after the racks, in their order
        const std::size_t i = facts.racks().size() + id.value;
        const bool own = given && i < given->size() && (*given)[i].a > 0;
        colors.body.push_back(own ? (*given)[i] : palette.facility);
        colors.top.push_back(colors.body.back());
    }
    return colors;
}

std::vector<Mesh> buildRacks(const Figures& f, const SceneFacts& facts, const Palette& palette, const std::vector<Rgba>* given)
{
    const ThingColors colors = rackColors(facts, palette, given);
    std::vector<Mesh> meshes(facts.buildings().size() + 1);
    for (Mesh& mesh : meshes) mesh.tinted = true;
    for (std::size_t i = 0; i < facts.racks().size(); ++i) {
        const auto& rack = facts.racks()[i];
        if (!rack.alive) continue;
        Mesh& mesh = meshes[std::min<std::size_t>(rack.building, meshes.size() - 1)];
        const Aabb body = bodyOf(rack);
        addBox(mesh, body, {.color = colors.body[i], .top = colors.top[i], .footShade = 0.72f, .thing = std::uint32_t(i)});
        // The dark inside, a hair before the body's own front.
        const FaceFrame front = frontOf(rack);
        const Rgba dark = shade(palette.rackFront, 0.55f + 0.45f * faceLight(front.out)), foot = shade(dark, 0.75f);
        mesh.quad(faceQuad(front, 0, front.width, 0, body.size()[2], -kRecess + 0.006f), {foot, foot, dark, dark});
    }
    auto thing = std::uint32_t(facts.racks().size());
    for (const DeviceId id : facts.freeDevices()) {
        const Aabb box = toMeters(f.placement->device(*f.snapshot, *f.parts, id));
        Mesh& mesh = meshes[std::min<std::size_t>(facts.buildingAt(box.center()), meshes.size() - 1)];
        addBox(mesh, box, {.color = colors.body[thing], .footShade = 0.75f, .thing = thing});
        ++thing;
    }
    return meshes;
}

std::vector<Mesh> buildFronts(const Figures& f, const SceneFacts& facts)
{
    std::vector<Mesh> meshes(facts.buildings().size() + 1);
    for (std::uint32_t i = 0; i < facts.racks().size(); ++i) {
        const auto& rack = facts.racks()[i];
        if (!rack.alive) continue;
        Mesh& mesh = meshes[std::min<std::size_t>(rack.building, meshes.size() - 1)];
        const FaceFrame front = frontOf(rack);
        const Rgba light = shade({255, 255, 255, 255}, 0.35f + 0.65f * faceLight(front.out));
        for (const DeviceId id : facts.devicesOf(RackId(i))) {
            if (isZeroU(f, id)) continue;
            const DeviceFace d = faceOfDevice(f, front, id);
            mesh.texturedQuad(faceQuad(front, d.x0, d.x1, d.z0, d.z1, -0.004f), light, frontCell(frontKindOf(f, id)));
        }
    }
    return meshes;
}

namespace {

void addPosts(Mesh& mesh, const FaceFrame& face, float height, Rgba color)
{
    const float post = std::max(0.01f, (face.width - kMountWidth) / 2 - 0.004f);
    const BoxLook look{.color = color, .footShade = 0.8f, .bottom = true};
    const auto slab = [&](float x0, float x1, float z0, float z1) {
        Aabb box;
        box.add(face.at(x0, z0, -kRecess));
        box.add(face.at(x1, z1, -0.002f));
        addBox(mesh, box, look);
    };
    slab(0, post, 0, height);
    slab(face.width - post, face.width, 0, height);
    slab(post, face.width - post, 0, float(kRackBaseMm) * 1e-3f - 0.005f);
    slab(post, face.width - post, height - 0.03f, height);
}

/// The n-th power strip at the rear, left and right in turn.
void addStrip(Mesh& mesh, const FaceFrame& rear, float height, int n, Rgba color)
{
    const float inset = 0.012f + 0.06f * float(n / 2), x = n % 2 ? rear.width - inset - 0.05f : inset;
    Aabb box;
    box.add(rear.at(x, 0.15f, 0.001f));
    box.add(rear.at(x + 0.05f, height - 0.2f, 0.03f));
    addBox(mesh, box, {.color = color, .bottom = true});
}

/// The rear of a low device shows one of the texture's two rows of fans, so that they stay round.
std::array<float, 4> rearCell(float height)
{
    auto uv = frontCell(FrontKind::Rear);
    if (height < 0.25f) uv[1] = (uv[1] + uv[3]) / 2;
    return uv;
}

} // namespace

NearMeshes buildNear(const Figures& f, const SceneFacts& facts, std::span<const RackId> racks, const Palette& palette)
{
    NearMeshes near;
    for (const RackId id : racks) {
        const auto& rack = facts.racks()[id.value];
        const FaceFrame front = frontOf(rack), rear = rearOf(rack);
        addPosts(near.boxes, front, rack.box.size()[2], palette.post);
        for (const SceneFacts::Tap& tap : facts.tapsOf(id)) addBox(near.boxes, tapBox(f, tap), {.color = palette.post, .bottom = true});
        int strips = 0;
        for (const DeviceId device : facts.devicesOf(id)) {
            ++near.devices;
            if (isZeroU(f, device)) {
                addStrip(near.boxes, rear, rack.box.size()[2], strips++, palette.post);
                continue;
            }
            const DeviceFace d = faceOfDevice(f, front, device);
            Aabb body;
            body.add(front.at(d.x0, d.z0, -kRecess));
            body.add(front.at(d.x1, d.z1, kProud));
            addBox(near.boxes, body, {.color = palette.rackFront, .bottom = true});
            const auto light = [](const FaceFrame& face) { return shade({255, 255, 255, 255}, 0.35f + 0.65f * faceLight(face.out)); };
            near.fronts.texturedQuad(faceQuad(front, d.x0, d.x1, d.z0, d.z1, kProud + 0.002f), light(front), frontCell(frontKindOf(f, device)));
            near.fronts.texturedQuad(faceQuad(rear, d.x0, d.x1, d.z0, d.z1, 0.006f), light(rear), rearCell(d.z1 - d.z0));
        }
    }
    return near;
}

} // namespace hw::views::twin
