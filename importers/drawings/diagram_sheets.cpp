// SPDX-License-Identifier: GPL-3.0-or-later
// The one-line diagrams, as the window lays them out.
#include "importers/drawings/sheets.h"

#include "core/derived/oneline/one_line_layout.h"
#include "core/foundation/base/text.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::drawings {

namespace {

std::string powerWords(Milliwatts power)
{
    const double watts = toWatts(power);
    return watts >= 1e6   ? fmt::format("{:.2f} MW", watts / 1e6)
           : watts >= 1e3 ? fmt::format("{:.1f} kW", watts / 1e3)
                          : fmt::format("{:.0f} W", watts);
}

} // namespace

void addDiagramSheet(Scene& scene, const SheetSet& set, Medium medium)
{
    const bool cooling = medium == Medium::Coolant;
    const OneLinePtr line = cooling ? OneLine::makeCooling(scene.figures) : OneLine::make(scene.figures, powerBasisOf(scene.s));
    if (!line || line->elements.empty()) return;
    const At low = SheetFrame::low(set), high = SheetFrame::high(set);
    const double width = high.x - low.x, height = high.y - low.y;
    const auto model = OneLineModel::make(line, OneLineOpen::readable(*line));
    const auto layout = OneLineLayout::make(*model, width / height);
    if (layout.width <= 0 || layout.height <= 0) return;
    const double scale = std::min({width / layout.width, height / layout.height, 0.5});
    const std::string& layer = scene.layers[cooling ? On::CoolingDiagram : On::OneLine];
    SheetFrame frame(scene, set, cooling ? "D-02" : "D-01", words(cooling ? i18n("Cooling loops") : i18n("One-line diagram")), {});
    DxfSpace& sheet = frame.space();
    const double left = low.x + (width - layout.width * scale) / 2, top = high.y - (height - layout.height * scale) / 2;
    const auto at = [&](double x, double y) { return At{left + x * scale, top - y * scale}; };
    for (const OneLineLayout::Line& way : layout.lines) {
        std::vector<At> corners;
        for (const auto& corner : way.corners) corners.push_back(at(corner.x, corner.y));
        sheet.polyline(layer, corners, false);
    }
    for (std::size_t i = 0; i < layout.boxes.size() && i < model->boxes.size(); ++i) {
        const OneLineLayout::Place& place = layout.boxes[i];
        const OneLineBox& box = model->boxes[i];
        sheet.rectangle(layer, at(place.x, place.y + OneLineLayout::kBoxHeight), at(place.x + OneLineLayout::kBoxWidth, place.y));
        std::vector<std::string> texts{words(model->title(box)), model->part(box), words(model->place(box))};
        if (box.side != 0) texts[0] += fmt::format(" {}", box.side);
        texts.push_back(box.capacity.count() > 0 ? fmt::format("{} / {}", powerWords(box.load), powerWords(box.capacity)) : powerWords(box.load));
        if (box.share > 0) texts.push_back(words(i18n("worst case {:.0f} %", box.share * 100)));
        double y = place.y + 14;
        for (const std::string& text : texts) {
            if (text.empty()) continue;
            const double most = 9 * scale;
            sheet.write(layer, {text, at(place.x + OneLineLayout::kBoxWidth / 2, y),
                                fittingHeight(text, OneLineLayout::kBoxWidth * scale * 95, most * 100) / 100, 0, Across::Middle, Upright::Base});
            y += 14;
        }
    }
}

} // namespace hw::drawings
