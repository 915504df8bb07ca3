// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/asbuilt/work_order.h"

#include "core/foundation/model/places.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace hw::asbuilt {

Text actionText(WorkStep::Do what)
{
    switch (what) {
    case WorkStep::Do::Connect: return i18n("connect");
    case WorkStep::Do::Unplug: return i18n("unplug");
    case WorkStep::Do::Move: return i18n("move the connector");
    case WorkStep::Do::Reseat: return i18n("clean and reseat");
    case WorkStep::Do::SetSpeed: return i18n("set the port speed");
    }
    return {};
}

std::string_view actionWord(WorkStep::Do what)
{
    switch (what) {
    case WorkStep::Do::Connect: return "connect";
    case WorkStep::Do::Unplug: return "unplug";
    case WorkStep::Do::Move: return "move";
    case WorkStep::Do::Reseat: return "re-seat";
    case WorkStep::Do::SetSpeed: return "set-rate";
    }
    return {};
}

FloorPlace floorPlace(const Snapshot& s, Maybe<DeviceId> device)
{
    FloorPlace place;
    if (!device) return place;
    if (const auto rack = s.devices.rack[*device]) {
        place.rack = s.racks.name[*rack];
        place.u = s.devices.u[*device];
    }
    if (const auto row = rowOf(s, *device)) place.row = s.rows.name[*row];
    if (const auto hall = hallOf(s, *device)) place.hall = s.halls.name[*hall];
    return place;
}

std::vector<RackStep> stepsByRack(const Snapshot& s, const Comparison& c)
{
    std::vector<RackStep> steps;
    for (std::size_t i = 0; i < c.differences.size(); ++i)
        for (const WorkStep& step : c.differences[i].work) steps.push_back({i, &step, floorPlace(s, step.device), floorPlace(s, step.to)});
    std::ranges::stable_sort(steps, [](const RackStep& a, const RackStep& b) {
        const auto key = [](const RackStep& x) { return std::tuple(x.at.hall.empty(), x.at.hall, x.at.row, x.at.rack, -x.at.u, x.step->deviceName); };
        return key(a) < key(b);
    });
    return steps;
}

PlainTable workTable(const Figures& figures, const Comparison& comparison)
{
    using Cell = PlainTable::Cell;
    PlainTable table{words(i18n("Work orders")),
                     {{"hall", 14},   {"row", 14},      {"rack", 16},         {"u", 6},        {"device", 28},
                      {"port", 12},   {"do", 10},       {"to_device", 28},    {"to_port", 12}, {"to_hall", 14},
                      {"to_row", 14}, {"to_rack", 16},  {"to_u", 6},          {"label", 48},   {"kind", 16},
                      {"rank", 7},    {"gpus_lost", 9}, {"gpus_degraded", 9}, {"what", 80},    {"id", 60}},
                     comparison.differences.size() * 2,
                     {}};
    table.each = [&figures, &comparison](const PlainTable::Take& take) -> Result<void> {
        const auto unit = [](int u) { return u >= 0 ? Cell(double(u)) : Cell(); };
        for (const RackStep& one : stepsByRack(*figures.snapshot, comparison)) {
            const Difference& d = comparison.differences[one.difference];
            const WorkStep& step = *one.step;
            const std::array<Cell, 20> row{one.at.hall,
                                           one.at.row,
                                           one.at.rack,
                                           unit(one.at.u),
                                           step.deviceName,
                                           step.port,
                                           std::string(actionWord(step.what)),
                                           step.toDevice,
                                           step.toPort,
                                           one.to.hall,
                                           one.to.row,
                                           one.to.rack,
                                           unit(one.to.u),
                                           step.label,
                                           std::string(wordOf(d.kind)),
                                           double(one.difference + 1),
                                           double(d.cost.gpusLost.active),
                                           double(d.cost.gpusDegraded.active),
                                           words(d.message),
                                           d.id};
            if (auto done = take(row); !done) return done;
        }
        return {};
    };
    return table;
}

std::string workSheet(const Figures& figures, const Comparison& c)
{
    std::string out;
    const RackStep* before = nullptr;
    const auto steps = stepsByRack(*figures.snapshot, c);
    const auto placeText = [](const FloorPlace& p) { return p.rack.empty() ? p.hall : fmt::format("{} / {} / {} U{}", p.hall, p.row, p.rack, p.u); };
    for (const RackStep& one : steps) {
        const auto& at = one.at;
        if (!before || std::tie(before->at.hall, before->at.row, before->at.rack) != std::tie(at.hall, at.row, at.rack)) {
            if (before) out += "\f";
            out += words(at.hall.empty() ? i18n("Location unknown")
                                         : i18n("Hall {}, row {}, rack {}", at.hall, at.row, at.rack.empty() ? "–" : at.rack)) +
                   "\n\n";
        }
        before = &one;
        const WorkStep& s = *one.step;
        out += fmt::format("[ ] {} {}:{} → {}:{}", words(actionText(s.what)), s.deviceName, s.port, s.toDevice, s.toPort);
        out += "\n    ";
        if (at.u >= 0) out += words(i18n("at U{}", at.u)) + ", ";
        out += words(i18n("far end: {}", placeText(one.to).empty() ? "–" : placeText(one.to))) + "\n";
        if (!s.label.empty()) out += "    " + words(i18n("label: {}", s.label)) + "\n";
        out += "    " + words(i18n("reason (rank {}): {}", std::int64_t(one.difference + 1), c.differences[one.difference].message)) + "\n\n";
    }
    if (steps.empty()) out = words(i18n("No work required.")) + "\n";
    return out;
}

} // namespace hw::asbuilt
