// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/scene/palette.h"

#include "core/output/scene/colors.h"
#include "views/style/load_map.h"
#include "views/style/value_colors.h"

namespace hw::views::twin {

namespace {

Palette light()
{
    Palette p;
    p.skyTop = rgb(0xC9D6E3);
    p.skyHorizon = rgb(0xF3F5F7);
    p.ground = rgb(0xE3E7EA);
    p.groundLine = rgb(0xD0D7DC);
    p.slab = rgb(0xEDEFF1);
    p.slabLine = rgb(0xDADFE3);
    p.wall = rgb(0xE9EDF0);
    p.wallTop = rgb(scene::kStructureRgb);
    p.coldAisle = rgb(scene::kColdRgb, 34);
    p.hotAisle = rgb(scene::kHotRgb, 40);
    for (std::size_t i = 0; i < kRackKinds; ++i) p.rackBody[i] = rgb(scene::kRackRgb[i]);
    p.rackTop = {rgb(0xC3C9CF), rgb(0xD6DBDF), rgb(0x3E86C6), rgb(0x7462BD), rgb(0x62A587), rgb(0xD6D3CC), rgb(0xDADEE2)};
    p.rackFront = rgb(0x3B444C);
    p.post = rgb(0x59636C);
    p.tray = rgb(scene::kTrayRgb);
    p.bundle = rgb(0x5F7F9E);
    p.facility = rgb(scene::kFacilityRgb);
    p.shadow = rgb(0x10202C, 80);
    p.selection = rgb(0x1769D6); // the accent of the window, as in the plan
    p.hover = rgb(0x24303A);
    p.hot = rgb(0x101820);
    p.text = rgb(0x24303A);
    p.textHalo = rgb(0xFFFFFF, 210);
    p.panel = rgb(0xFFFFFF, 225);
    p.panelText = rgb(0x24303A);
    p.panelMuted = rgb(0x66737E);
    p.panelLine = rgb(0xC5CDD4);
    return p;
}

Palette darkTheme()
{
    Palette p;
    p.skyTop = rgb(0x12171D);
    p.skyHorizon = rgb(0x2A323B);
    p.ground = rgb(0x20272E);
    p.groundLine = rgb(0x333D46);
    p.slab = rgb(0x353E47);
    p.slabLine = rgb(0x414C56);
    p.wall = rgb(0x3F4953);
    p.wallTop = rgb(0x7A8894);
    p.coldAisle = rgb(0x4A90D9, 44);
    p.hotAisle = rgb(0xE0724A, 44);
    p.rackBody = {rgb(0x6D7780), rgb(0x515B65), rgb(0x2F77B5), rgb(0x6655AE), rgb(0x4B8F70), rgb(0x857E70), rgb(0x59636C)};
    p.rackTop = {rgb(0x8B959E), rgb(0x67727C), rgb(0x4596DB), rgb(0x8673D6), rgb(0x5FB08A), rgb(0x9D9586), rgb(0x6A757F)};
    p.rackFront = rgb(0x1D2329);
    p.post = rgb(0x39424A);
    p.tray = rgb(0x67727C);
    p.bundle = rgb(0x7FA3C4);
    p.facility = rgb(0x6F6C66);
    p.shadow = rgb(0x000000, 150);
    p.selection = rgb(0x4F9DFF);
    p.hover = rgb(0xE6EBEF);
    p.hot = rgb(0xFFFFFF);
    p.text = rgb(0xE6EBEF);
    p.textHalo = rgb(0x10151A, 210);
    p.panel = rgb(0x1B2127, 225);
    p.panelText = rgb(0xE6EBEF);
    p.panelMuted = rgb(0x9AA7B2);
    p.panelLine = rgb(0x46525D);
    return p;
}

} // namespace

const Palette& Palette::of(bool dark)
{
    static const Palette kLight = light(), kDark = darkTheme();
    return dark ? kDark : kLight;
}

Rgba utilizationColor(double utilization, bool dark)
{
    return utilization <= 0 ? shade(Palette::of(dark).tray, 0.9f) : rgb(loadMapRgb(utilization, dark));
}

std::shared_ptr<const std::vector<Rgba>> valueColors(const OverlayValues* overlay, std::size_t racks, std::size_t devices, bool dark)
{
    if (!overlay) return nullptr;
    const ValueField* field = overlay->of(EntityKind::Rack);
    auto colors = std::make_shared<std::vector<Rgba>>();
    colors->reserve(racks + devices);
    for (const std::uint32_t hex : field ? views::valueColors(*field, racks, dark) : std::vector(racks, noValueRgb(dark)))
        colors->push_back(rgb(hex));
    colors->resize(racks + devices, Rgba{0, 0, 0, 0});
    const ValueField* own = overlay->of(EntityKind::Device);
    const auto put = [&](std::uint32_t id, float value) {
        if (id < devices && known(value)) (*colors)[racks + id] = rgb(valueRgb(*own, value, dark));
    };
    for (std::size_t i = 0; own && i < own->values.size(); ++i) put(own->ids.empty() ? std::uint32_t(i) : own->ids[i], own->values[i]);
    return colors;
}

Rgba cableColor(std::uint32_t networkRgb, bool dark)
{
    if (networkRgb == 0) return Palette::of(dark).bundle;
    return mix(rgb(networkRgb), dark ? rgb(0x9AA7B2) : rgb(0x5F6B75), 0.30f);
}

} // namespace hw::views::twin
