// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/values/host_fields.h"

namespace hw {

std::vector<ValueField> hostFields(const Snapshot& s, std::span<const DeviceId> hosts, const Text& title)
{
    constexpr float kOther = 0, kOwn = 1;
    const auto field = [&](EntityKind kind, std::size_t count) {
        ValueField made;
        made.entity = kind;
        made.values.assign(count, ValueField::kNone);
        made.scale = FieldScale::Category;
        made.title = title;
        made.categories = {{i18n("other"), Tone::Neutral, 0, true}, {i18n("used"), Tone::Note, 0}};
        made.high = double(kOwn);
        return made;
    };
    ValueField racks = field(EntityKind::Rack, s.racks.nextId()), devices = field(EntityKind::Device, s.devices.nextId()),
               links = field(EntityKind::Link, s.links.nextId());
    s.racks.forEach([&](RackId id) { racks.values[id.value] = kOther; });
    s.devices.forEach([&](DeviceId id) { devices.values[id.value] = kOther; });
    for (const DeviceId id : hosts) {
        if (!s.devices.contains(id)) continue;
        devices.values[id.value] = kOwn;
        if (const auto rack = s.devices.rack[id]) racks.values[(*rack).value] = kOwn;
    }
    s.links.forEach([&](LinkId id) {
        for (const PortId port : {s.links.from[id], s.links.to[id]})
            if (devices.values[s.ports.device[port].value] == kOwn) links.values[id.value] = kOwn;
    });
    std::vector<ValueField> fields;
    for (ValueField* one : {&racks, &devices, &links}) fields.push_back(std::move(*one));
    return fields;
}

} // namespace hw
