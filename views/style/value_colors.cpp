// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/value_colors.h"

#include "views/style/kind_color.h"
#include "views/style/load_map.h"
#include "views/style/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hw::views {
namespace {

const Theme& themeOf(bool dark)
{
    static const Theme kDark = makeTheme(ThemeKind::Dark), kLight = makeTheme(ThemeKind::Light);
    return dark ? kDark : kLight;
}

std::uint32_t rgbOf(const QColor& color) { return color.rgb() & 0xFFFFFFu; }

/// As if its light were out.
QColor between(const QColor& dark, const QColor& lit, double share)
{
    const auto mix = [share](int a, int b) { return int(std::lround(a + (b - a) * share)); };
    return QColor(mix(dark.red(), lit.red()), mix(dark.green(), lit.green()), mix(dark.blue(), lit.blue()));
}

QColor toneColor(const Theme& t, const FieldCategory& category)
{
    switch (category.tone) {
    case Tone::Neutral: return t.server;
    case Tone::Note: return t.accent;
    case Tone::Warning: return t.warning;
    case Tone::Error: return t.error;
    case Tone::RackKind: return kindColor(t, RackKind(category.number));
    case Tone::Dim: return between(t.canvas, t.server, 0.22);
    }
    return t.server;
}

/// Classes of temperatures: from blue over green, what is recommended, to red, as in plots of air flow. Each class has an equal part of it.
std::uint32_t classMapRgb(const ValueField& field, double value, bool dark)
{
    static const std::array<QColor, 6> kMap{QColor(0x2F, 0x5F, 0xC4), QColor(0x2F, 0xA8, 0xB8), QColor(0xA6, 0xCB, 0x4E),
                                            QColor(0xF2, 0xC1, 0x36), QColor(0xE8, 0x72, 0x2E), QColor(0xA8, 0x16, 0x3E)};
    double from = field.low, place = 1;
    for (std::size_t i = 0; i < field.bands.size(); from = field.bands[i++].to)
        if (value <= field.bands[i].to) {
            place = (double(i) + std::clamp((value - from) / std::max(field.bands[i].to - from, 1e-9), 0.0, 1.0)) / double(field.bands.size());
            break;
        }
    const double at = place * double(kMap.size() - 1);
    const auto i = std::min(std::size_t(at), kMap.size() - 2);
    const QColor color = between(kMap[i], kMap[i + 1], at - double(i));
    return rgbOf(dark ? color : color.darker(108));
}

} // namespace

std::uint32_t noValueRgb(bool dark) { return rgbOf(themeOf(dark).borderStrong); }

std::uint32_t valueRgb(const ValueField& field, float value, bool dark)
{
    if (!known(value)) return noValueRgb(dark);
    if (!field.bands.empty()) return classMapRgb(field, double(value), dark);
    if (field.scale != FieldScale::Category) {
        const bool change = field.low < 0 && field.low == -field.high;
        return change ? changeMapRgb(mapPlace(field, value), dark) : loadMapRgb(mapPlace(field, value), dark);
    }
    const auto place = std::size_t(std::max(0.0f, value));
    return place < field.categories.size() ? rgbOf(toneColor(themeOf(dark), field.categories[place])) : noValueRgb(dark);
}

std::vector<std::uint32_t> valueColors(const ValueField& field, std::size_t size, bool dark)
{
    std::vector<std::uint32_t> colors(size, noValueRgb(dark));
    if (field.ids.empty()) {
        for (std::size_t id = 0; id < std::min(size, field.values.size()); ++id) colors[id] = valueRgb(field, field.values[id], dark);
        return colors;
    }
    for (std::size_t i = 0; i < field.ids.size() && field.ids[i] < size; ++i) colors[field.ids[i]] = valueRgb(field, field.values[i], dark);
    return colors;
}

} // namespace hw::views
