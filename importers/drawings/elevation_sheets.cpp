// SPDX-License-Identifier: GPL-3.0-or-later
// Front and rear of each rack with its devices, at 1:20 of what blocks hold in mm.
#include "importers/drawings/sheets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace hw::drawings {

namespace {

constexpr double kScale = 20;
constexpr double kBetween = 5, kApart = 12, kAbove = 14; ///< mm of paper: front to rear, rack to rack, over a rack
constexpr double kRail = 450, kUnit = kRackUnitUm / 1000.0;

struct Cell {
    double width = 0, height = 0; ///< of front and rear side by side with what is around them
};

std::vector<RackId> racksOf(const Scene& scene)
{
    std::vector<RackId> racks;
    scene.s.racks.forEach([&](RackId id) {
        if (scene.shows(scene.s.rows.hall[scene.s.racks.row[id]])) racks.push_back(id);
    });
    std::ranges::stable_sort(racks, [&](RackId a, RackId b) {
        const auto key = [&](RackId id) { return std::pair(scene.s.racks.row[id], scene.s.racks.along[id]); };
        return key(a) < key(b);
    });
    return racks;
}

Cell largest(const Scene& scene, const std::vector<RackId>& racks)
{
    Cell cell{1, 1};
    for (const RackId id : racks) {
        const RackSpec& spec = scene.figures.parts->rack(scene.s.racks.type[id]);
        const double height = std::max<double>(spec.height.value.count(), kRackBaseMm + spec.heightU * kUnit);
        cell.width = std::max(cell.width, 2 * spec.width.value.count() / kScale + kBetween + kApart);
        cell.height = std::max(cell.height, height / kScale + kAbove);
    }
    return cell;
}

std::size_t perSheet(const Cell& cell, const SheetSet& set, std::size_t& columns)
{
    const At low = SheetFrame::low(set), high = SheetFrame::high(set);
    columns = std::max<std::size_t>(1, std::size_t((high.x - low.x) / cell.width));
    return columns * std::max<std::size_t>(1, std::size_t((high.y - low.y) / cell.height));
}

class Elevations {
public:
    Elevations(Scene& scene) : m(scene), m_layer(scene.layers[On::Elevation]), m_names(scene.layers[On::ElevationName]) {}

    void rack(DxfSpace& sheet, RackId id, At corner)
    {
        const Part& part = (*m.figures.parts)[m.s.racks.type[id]];
        const RackSpec& spec = m.figures.parts->rack(m.s.racks.type[id]);
        const double width = spec.width.value.count();
        const std::string frame = frameBlock(part.slug, spec);
        for (const bool rear : {false, true}) {
            const At at{corner.x + (rear ? width / kScale + kBetween : 0.0), corner.y};
            sheet.insert(m_layer, {frame, at, 0, 1 / kScale, {}});
            const std::string label = words(rear ? i18n("Rear") : i18n("Front"));
            sheet.write(m_names, {label, {at.x + width / kScale / 2, corner.y - 3.5}, 2, 0, Across::Middle, Upright::Base});
            for (const DeviceId device : m.figures.get<IndexNode>().devicesOfRack[id.value]) place(sheet, device, at, width, rear);
        }
        const double whole = 2 * width / kScale + kBetween;
        const std::string text =
            fmt::format("{}   {} U   {} kW", m.s.racks.name[id], spec.heightU, kilowatts(m.figures.power->rack(id).at(powerBasisOf(m.s))));
        sheet.write(m_names, {text,
                              {corner.x, corner.y + std::max<double>(spec.height.value.count(), kRackBaseMm + spec.heightU * kUnit) / kScale + 2},
                              fittingHeight(text, whole + kApart / 2, 3)});
    }

private:
    std::string frameBlock(const std::string& slug, const RackSpec& spec)
    {
        const std::string name = dxfName("ELEV-" + slug);
        if (!m_made.insert(name).second) return name;
        DxfSpace* block = m.file.block(name);
        if (!block) return name;
        const double width = spec.width.value.count(), top = kRackBaseMm + spec.heightU * kUnit,
                     height = std::max<double>(spec.height.value.count(), top), left = (width - kRail) / 2;
        block->rectangle("0", {0, 0}, {width, height});
        block->rectangle("0", {left, kRackBaseMm}, {left + kRail, top});
        for (int u = 1; u <= spec.heightU; ++u) {
            const double y = kRackBaseMm + (u - 1) * kUnit;
            block->line("0", {left - 12, y}, {left, y});
            if (u % 2 == 1) block->write("0", {fmt::format("{}", u), {left - 14, y + kUnit / 2}, 24, 0, Across::Right, Upright::Middle});
        }
        return name;
    }

    void place(DxfSpace& sheet, DeviceId id, At at, double rackWidth, bool rear)
    {
        const Part& part = (*m.figures.parts)[m.s.devices.type[id]];
        const DeviceSpec& spec = m.figures.parts->device(m.s.devices.type[id]);
        const Face face = m.s.devices.face[id];
        const int u = m.s.devices.u[id];
        const bool beside = face == Face::Left || face == Face::Right || u <= 0 || spec.halfUnits <= 0;
        if (beside ? !rear : (face == Face::Rear) != rear && !spec.fullDepth) return; // a zero-U unit is mounted in the rear
        const RackSpec& rack = m.figures.parts->rack(m.s.racks.type[*m.s.devices.rack[id]]);
        const double strip = std::max(20.0, (rackWidth - kRail) / 2 - 20);
        const double width = beside ? strip : kRail, height = beside ? rack.heightU * kUnit * 0.9 : spec.halfUnits * kUnit / 2;
        // Seen from behind, what is on the left is on the right.
        const bool right = (face == Face::Left) == rear;
        const double x = !beside ? (rackWidth - kRail) / 2 : right ? rackWidth - strip - 10 : 10;
        const double y = beside ? kRackBaseMm + rack.heightU * kUnit * 0.05 : kRackBaseMm + (u - 1) * kUnit;
        const std::string block = dxfName(fmt::format("DEV-{}{}", part.slug, beside ? fmt::format("-{:.0f}x{:.0f}", width, height) : std::string()));
        if (m_made.insert(block).second)
            if (DxfSpace* made = m.file.block(block)) {
                made->rectangle("0", {0, 0}, {width, height});
                for (const char* tag : {"NAME", "U", "TYPE"})
                    made->define(
                        "0", {tag, tag, {tag, {width / 2, height / 2}, 24, 0, Across::Middle, Upright::Middle}, std::string_view(tag) != "NAME", {}});
            }
        Insertion in{block, {at.x + x / kScale, at.y + y / kScale}, 0, 1 / kScale, {}};
        const std::string& name = m.s.devices.name[id];
        const At middle{in.at.x + width / kScale / 2, in.at.y + height / kScale / 2};
        const double room = std::max(width, height) / kScale * 0.95, most = std::min(width, height) / kScale * 0.6;
        const double angle = height > width * 2 ? 90 : 0;
        const auto add = [&](const char* tag, const std::string& text, bool hidden) {
            in.attributes.push_back(
                {tag,
                 {},
                 {text, middle, std::max(0.5, std::min(2.0, fittingHeightOf(text, angle > 0 ? room : width / kScale * 0.95, most))), angle,
                  Across::Middle, Upright::Middle},
                 hidden,
                 m_names});
        };
        add("NAME", name, false);
        add("U", beside ? std::string("0") : fmt::format("{}", u), true);
        add("TYPE", part.slug, true);
        sheet.insert(m_layer, in);
    }

    /// In mm of paper, where a letter may be small.
    static double fittingHeightOf(std::string_view text, double room, double most) { return fittingHeight(text, room * 100, most * 100) / 100; }

    Scene& m;
    const std::string& m_layer;
    const std::string& m_names;
    std::set<std::string> m_made;
};

} // namespace

std::size_t elevationSheets(const Scene& scene, const SheetSet& set)
{
    const auto racks = racksOf(scene);
    std::size_t columns = 1;
    const std::size_t most = perSheet(largest(scene, racks), set, columns);
    return (racks.size() + most - 1) / most;
}

Result<void> addElevationSheets(Scene& scene, const SheetSet& set, const Progress& progress)
{
    const auto racks = racksOf(scene);
    const Cell cell = largest(scene, racks);
    std::size_t columns = 1, number = 0;
    const std::size_t most = perSheet(cell, set, columns);
    const At low = SheetFrame::low(set), high = SheetFrame::high(set);
    Elevations elevations(scene);
    for (std::size_t first = 0; first < racks.size(); first += most) {
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, scene.s.setting("project.name"), i18n("stopped"));
        SheetFrame frame(scene, set, fmt::format("E-{:02}", ++number), words(i18n("Rack elevations")), fmt::format("1:{:.0f}", kScale));
        for (std::size_t i = first; i < std::min(racks.size(), first + most); ++i) {
            const std::size_t column = (i - first) % columns, row = (i - first) / columns;
            elevations.rack(frame.space(), racks[i], {low.x + 3 + double(column) * cell.width, high.y - double(row + 1) * cell.height + 5});
        }
    }
    return {};
}

} // namespace hw::drawings
