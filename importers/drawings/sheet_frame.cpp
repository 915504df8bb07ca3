// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/drawings/sheets.h"

#include <cmath>

#include <fmt/format.h>

namespace hw::drawings {

namespace {

constexpr double kLeft = 20, kMargin = 10;             ///< ISO 5457
constexpr double kTitleWidth = 180, kTitleHeight = 45; ///< ISO 7200
constexpr double kStrip = kMargin + kTitleHeight + 3;  ///< below the drawing

} // namespace

SheetFrame::SheetFrame(Scene& scene, const SheetSet& set, const std::string& number, const std::string& title, const std::string& scale)
    : m_set(set), m_space(scene.file.sheet(number + " " + title, set.paper.width, set.paper.height)), m_layer(scene.layers[On::Sheet])
{
    const double right = set.paper.width - kMargin, top = set.paper.height - kMargin;
    m_space.polyline(m_layer, {{kLeft, kMargin}, {right, kMargin}, {right, top}, {kLeft, top}}, true, 0.7);
    const double x = right - kTitleWidth, y = kMargin;
    m_space.rectangle(m_layer, {x, y}, {right, y + kTitleHeight});
    for (const double line : {15.0, 30.0}) m_space.line(m_layer, {x, y + line}, {right, y + line});
    for (const double line : {45.0, 90.0, 135.0}) m_space.line(m_layer, {x + line, y}, {x + line, y + 15});
    const auto field = [&](double fx, double fy, double width, const Text& label, const std::string& value, double height) {
        m_space.write(m_layer, {words(label), {x + fx + 2, y + fy + 11}, 2});
        m_space.write(m_layer, {value, {x + fx + 2, y + fy + 3}, fittingHeight(value, width - 4, height)});
    };
    field(0, 30, kTitleWidth, i18n("Project"), set.project, 5);
    field(0, 15, kTitleWidth, i18n("Drawing"), title, 5);
    field(0, 0, 45, i18n("Sheet"), number, 4);
    field(45, 0, 45, i18n("Scale"), scale.empty() ? std::string("-") : fmt::format("{} ({})", scale, set.paper.name), 4);
    field(90, 0, 45, i18n("Date"), set.date, 4);
    field(135, 0, 45, i18n("Revision"), set.revision, 4);
}

At SheetFrame::low(const SheetSet&) { return {kLeft + 3, kStrip}; }
At SheetFrame::high(const SheetSet& set) { return {set.paper.width - kMargin - 3, set.paper.height - kMargin - 3}; }

void SheetFrame::scaleBar(std::int64_t scale)
{
    // Four pieces of a round length, about 25 mm each.
    double piece = 0.1; // m
    for (int i = 0; piece * 1000 / double(scale) < 15; ++i) piece *= i % 3 == 1 ? 2.5 : 2;
    const double wide = piece * 1000 / double(scale), x = kLeft + 10, y = kMargin + 12;
    for (int i = 0; i < 4; ++i) {
        const At low{x + i * wide, y}, high{x + (i + 1) * wide, y + 3};
        m_space.rectangle(m_layer, low, high);
        if (i % 2 == 0) m_space.filled(m_layer, low, high);
    }
    for (int i = 0; i <= 4; ++i)
        m_space.write(m_layer, {fmt::format("{:g}", piece * i), {x + i * wide, y + 5}, 2.5, 0, Across::Middle, Upright::Base});
    m_space.write(m_layer, {"m", {x + 4 * wide + 6, y}, 2.5});
    const At middle{x + 4 * wide + 35, kMargin + 20};
    const double turn = m_set.north * 3.14159265358979323846 / 180, c = std::cos(turn), s = std::sin(turn);
    const auto at = [&](double ahead, double aside) { return At{middle.x + c * ahead - s * aside, middle.y + s * ahead + c * aside}; };
    m_space.circle(m_layer, middle, 9);
    m_space.triangle(m_layer, at(13, 0), at(-8, 4), at(-5, 0));
    m_space.polyline(m_layer, {at(13, 0), at(-5, 0), at(-8, -4)}, true);
    m_space.write(m_layer, {"N", at(17, 0), 4, 0, Across::Middle, Upright::Middle});
}

} // namespace hw::drawings
