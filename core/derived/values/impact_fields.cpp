// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/values/impact_fields.h"

#include <algorithm>

namespace hw {

namespace {

constexpr float kUntouched = 0, kLess = 1, kLost = kImpactLost, kFailed = kImpactFailed;

ValueField stateField(EntityKind entity, std::size_t count, const Text& title)
{
    ValueField field;
    field.entity = entity;
    field.values.assign(count, ValueField::kNone);
    field.scale = FieldScale::Category;
    field.title = title;
    field.categories = {{i18n("unaffected"), Tone::Neutral, 0, true},
                        {i18n("redundancy lost"), Tone::Warning, 0},
                        {i18n("lost"), Tone::Dim, 0},
                        {i18n("failed"), Tone::Error, 0}};
    field.high = double(kFailed);
    return field;
}

} // namespace

Text impactTitle(const impact::Model& model, std::span<const impact::Failing> failing)
{
    if (failing.empty()) return {};
    const std::string first = impact::nameOf(model, failing.front());
    return failing.size() == 1 ? i18n("Failure of {}", first)
                               : i18np(std::int64_t(failing.size()) - 1, "Failure of {1} and {0:L} more", "Failure of {1} and {0:L} more", first);
}

std::vector<ValueField> impactFields(const impact::Study& study, const impact::Effect& e, const Text& title)
{
    const impact::Model& m = study.model();
    const Snapshot& s = *m.s;
    ValueField racks = stateField(EntityKind::Rack, s.racks.nextId(), title), devices = stateField(EntityKind::Device, s.devices.nextId(), title),
               links = stateField(EntityKind::Link, s.links.nextId(), title);
    s.devices.forEach([&](DeviceId id) { devices.values[id.value] = study.isDown(id) ? kLost : kUntouched; });
    const auto raise = [&](DeviceId id, float state) { devices.values[id.value] = std::max(devices.values[id.value], state); };
    for (const auto* list : {&e.weakened, &e.switches})
        for (const DeviceId id : *list) raise(id, kLess);
    for (const std::uint32_t nic : e.nics) raise(m.nics[nic].device, kLess);
    for (const DeviceId id : e.hosts) raise(id, kLost);
    for (const auto* list : {&e.failed.devices, &e.tripped})
        for (const DeviceId id : *list) raise(id, kFailed);
    s.racks.forEach([&](RackId id) { racks.values[id.value] = kUntouched; });
    s.devices.forEach([&](DeviceId id) {
        const auto rack = s.devices.rack[id];
        if (!rack) return;
        const bool strip = s.tiers.kind[s.devices.tier[id]] == TierKind::Power; // what depends on it may have another
        racks.values[(*rack).value] =
            std::max(racks.values[(*rack).value], strip ? std::min(devices.values[id.value], kLess) : devices.values[id.value]);
    });
    for (const LinkId id : e.links) links.values[id.value] = kLost;
    std::vector<ValueField> fields;
    for (ValueField* field : {&racks, &devices, &links}) fields.push_back(std::move(*field));
    return fields;
}

} // namespace hw
