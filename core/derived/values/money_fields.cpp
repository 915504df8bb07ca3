// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/values/money_fields.h"

#include "core/derived/values/field_helpers.h"
#include "core/foundation/money/phases.h"

#include <algorithm>
#include <array>

namespace hw {

namespace {

using Colors = std::array<std::uint8_t, 6>;       ///< of the kinds of racks, taken in turn
constexpr Colors kFromFaint = {1, 5, 0, 2, 3, 4}; ///< what is planned is faint, what is live is green
constexpr Colors kToldApart = {2, 4, 3, 5, 0, 1};

void addCategories(ValueField& field, const std::vector<Text>& titles, const Colors& colors)
{
    for (std::size_t i = 0; i < titles.size(); ++i) field.categories.push_back({titles[i], Tone::RackKind, colors[i % colors.size()]});
    field.high = std::max(1.0, double(titles.size()) - 1);
}

} // namespace

std::vector<ValueField> stageFields(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    ValueField racks = emptyField(EntityKind::Rack, s.racks.nextId(), FieldScale::Category, TextId("Stage of rack and contents"), "");
    ValueField devices = emptyField(EntityKind::Device, s.devices.nextId(), FieldScale::Category, TextId("Stage"), "");
    std::vector<Text> titles;
    for (std::size_t i = 0; i < kWords<Stage>.size(); ++i) titles.push_back(stageText(Stage(i)));
    addCategories(racks, titles, kFromFaint), addCategories(devices, titles, kFromFaint);
    s.racks.forEach([&](RackId id) { racks.values[id.value] = float(s.racks.stage[id]); });
    s.devices.forEach([&](DeviceId id) {
        const float stage = devices.values[id.value] = float(s.devices.stage[id]);
        if (const auto rack = s.devices.rack[id]) racks.values[(*rack).value] = std::min(racks.values[(*rack).value], stage);
    });
    return both(std::move(racks), std::move(devices));
}

std::vector<ValueField> phaseFields(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    const PhaseIndex phases(s);
    ValueField racks = emptyField(EntityKind::Rack, s.racks.nextId(), FieldScale::Category, TextId("Phase"), "");
    ValueField devices = emptyField(EntityKind::Device, s.devices.nextId(), FieldScale::Category, TextId("Phase"), "");
    std::vector<Text> titles;
    for (const int number : phases.numbers()) titles.push_back(phaseText(s, number));
    addCategories(racks, titles, kToldApart), addCategories(devices, titles, kToldApart);
    const auto place = [&](int number) { return float(std::ranges::lower_bound(phases.numbers(), number) - phases.numbers().begin()); };
    s.racks.forEach([&](RackId id) { racks.values[id.value] = place(phases.of(id)); });
    s.devices.forEach([&](DeviceId id) { devices.values[id.value] = place(phases.of(id)); });
    return both(std::move(racks), std::move(devices));
}

} // namespace hw
