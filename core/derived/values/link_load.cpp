// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/values/link_load.h"

#include <algorithm>

namespace hw {

namespace {

ValueField loadField(EntityKind entity, std::size_t size, TextId title, const LinkLoads& loads)
{
    ValueField f;
    f.entity = entity;
    f.values.assign(size, -1.0f); // "none" while the most is looked for
    f.scale = FieldScale::Share;
    f.title = title;
    f.unit = "%";
    f.timeS = loads.timeS;
    f.source = verbatim(loads.source);
    f.stale = loads.stale;
    return f;
}

void raise(float& most, float value) { most = std::max(most, value); }

} // namespace

std::shared_ptr<const LinkPlaces> LinkPlaces::of(const Snapshot& s)
{
    auto places = std::make_shared<LinkPlaces>();
    places->low.assign(s.links.nextId(), kNone);
    places->high = places->low;
    s.links.forEach([&](LinkId id) {
        places->low[id.value] = s.ports.device[s.links.from[id]].value;
        places->high[id.value] = s.ports.device[s.links.to[id]].value;
    });
    places->rack.assign(s.devices.nextId(), kNone);
    s.devices.forEach([&](DeviceId id) {
        if (const auto rack = s.devices.rack[id]) places->rack[id.value] = (*rack).value;
    });
    places->racks = s.racks.nextId();
    return places;
}

LoadFields loadFields(const LinkPlaces& places, const LinkLoads& loads)
{
    LoadFields f{loadField(EntityKind::Link, places.low.size(), TextId("Link utilization"), loads),
                 loadField(EntityKind::Device, places.rack.size(), TextId("Utilization of busiest link"), loads),
                 loadField(EntityKind::Rack, places.racks, TextId("Utilization of busiest link"), loads)};
    const std::size_t links = std::min(places.low.size(), std::min(loads.loadGbps.size(), loads.capacityGbps.size()) / 2);
    for (std::size_t link = 0; link < links; ++link) {
        if (places.low[link] == LinkPlaces::kNone) continue;
        float most = -1;
        for (std::size_t directed = 2 * link; directed < 2 * link + 2; ++directed)
            if (loads.capacityGbps[directed] > 0) raise(most, loads.loadGbps[directed] / loads.capacityGbps[directed]);
        f.links.values[link] = most;
        raise(f.devices.values[places.low[link]], most);
        raise(f.devices.values[places.high[link]], most);
    }
    for (std::size_t device = 0; device < places.rack.size(); ++device)
        if (places.rack[device] != LinkPlaces::kNone) raise(f.racks.values[places.rack[device]], f.devices.values[device]);
    for (ValueField* field : {&f.links, &f.devices, &f.racks})
        for (float& value : field->values)
            if (value < 0) value = ValueField::kNone;
    return f;
}

} // namespace hw
