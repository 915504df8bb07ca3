// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/functions.h"
#include "core/derived/topology/rack_units.h"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

namespace hw::rules {

namespace {

/// A device's place in its rack.
struct Slot {
    RackId rack;
    DeviceId device;
    Mounted at;
};

std::vector<Slot> occupiedSlots(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<Slot> slots;
    slots.reserve(s.devices.size());
    s.devices.forEach([&](DeviceId d) {
        const auto rack = s.devices.rack[d];
        if (!rack || s.devices.u[d] == 0) return; // zero-U places beside the rails
        slots.push_back({*rack, d, mounted(s, input.parts(), d)});
    });
    std::ranges::sort(slots, {}, [](const Slot& slot) { return std::tuple(slot.rack, slot.at.low, slot.at.high, slot.device); });
    return slots;
}

std::string unitRange(const Slot& slot)
{
    const int first = slot.at.low / 2 + 1, last = (slot.at.high + 1) / 2;
    return first == last ? fmt::format("U{}", first) : fmt::format("U{}–U{}", first, last);
}

} // namespace

namespace {

/// Two devices that share units of a rack, from one side or with one of them through it; or from both sides, deeper together than the rack.
void meet(const RuleInput& input, const Slot& below, const Slot& slot, std::vector<Finding>& out)
{
    const Snapshot& s = input.snapshot();
    const std::string a = input.name(ref(below.device)), b = input.name(ref(slot.device)), rack = input.name(ref(slot.rack));
    const auto report = [&](Text message) {
        out.push_back({.message = std::move(message),
                       .entities = {ref(below.device), ref(slot.device), ref(slot.rack)},
                       .id = findingId("S1", {input.subject(ref(below.device)), input.subject(ref(slot.device))})});
    };
    if (overlap(below.at, slot.at)) return report(i18n("{} ({}) and {} ({}) overlap in {}", a, unitRange(below), b, unitRange(slot), rack));
    const RackSpec& spec = input.parts().rack(s.racks.type[slot.rack]);
    if (touchBack(below.at, slot.at, spec))
        report(i18n("{} and {} are back to back in {} of {}: {} and {} deep, rack depth {}", a, b, unitRange(slot), rack,
                    lengthText(below.at.depthMm), lengthText(slot.at.depthMm), lengthText(spec.depth.value.count())));
}

} // namespace

std::vector<Finding> rackUnits(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const auto slots = occupiedSlots(input);
    std::vector<Finding> out;
    std::array<const Slot*, 2> tallest{}; // from the front and from behind: of the slots so far in this rack, the one that ends highest
    for (const Slot& slot : slots) {
        const int heightU = input.parts().rack(s.racks.type[slot.rack]).heightU;
        if (slot.at.low < 0 || slot.at.high > 2 * heightU)
            out.push_back({.message = i18n("{} occupies {} of {}, which has {} units", input.name(ref(slot.device)), unitRange(slot),
                                           input.name(ref(slot.rack)), heightU),
                           .entities = {ref(slot.device), ref(slot.rack)},
                           .id = findingId("S1", {input.subject(ref(slot.device))})});
        for (const Slot*& below : tallest) {
            if (below && below->rack != slot.rack) below = nullptr;
            if (below && below->at.high > slot.at.low) meet(input, *below, slot, out);
        }
        if (const Slot*& own = tallest[slot.at.rear]; !own || slot.at.high > own->at.high) own = &slot;
    }
    return out;
}

std::vector<Finding> rackWeight(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<std::int64_t> grams(s.racks.nextId());
    s.devices.forEach([&](DeviceId d) {
        if (const auto rack = s.devices.rack[d]) grams[(*rack).value] += input.parts().device(s.devices.type[d]).weight.value.count();
    });
    const double warn = input.threshold(kWeightMargin) / 100.0;
    std::vector<Finding> out;
    s.racks.forEach([&](RackId rack) {
        const auto limit = input.parts().rack(s.racks.type[rack]).maxWeight.value.count();
        const auto load = grams[rack.value];
        if (limit <= 0 || double(load) <= warn * double(limit)) return;
        out.push_back({.severity = load > limit ? Severity::Error : Severity::Warning,
                       .message = i18n("{} carries {:L} kg, rating {:L} kg", input.name(ref(rack)), load / 1000, limit / 1000),
                       .entities = {ref(rack)},
                       .id = findingId("S2", {input.subject(ref(rack))})});
    });
    return out;
}

std::vector<Finding> rackPower(const RuleInput& input)
{
    std::vector<Finding> out;
    input.snapshot().racks.forEach([&](RackId rack) {
        const Milliwatts limit = rackPowerLimit(input.snapshot(), input.parts(), rack);
        const Milliwatts load = input.figures.power->rack(rack).at(input.basis);
        if (limit.count() == 0 || load <= limit) return;
        out.push_back({.message = i18n("{} draws {} ({} basis), limit {}", input.name(ref(rack)), powerText(load), powerBasisName(input.basis),
                                       powerText(limit)),
                       .entities = {ref(rack)},
                       .id = findingId("P14", {input.subject(ref(rack))})});
    });
    return out;
}

} // namespace hw::rules
