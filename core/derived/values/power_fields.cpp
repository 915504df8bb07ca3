// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/values/power_fields.h"

#include "core/derived/headroom/headroom.h"
#include "core/derived/headroom/supply.h"
#include "core/derived/values/field_helpers.h"

namespace hw {

namespace {

std::vector<ValueField> listOf(ValueField racks, ValueField devices)
{
    std::vector<ValueField> fields;
    fields.push_back(std::move(racks));
    fields.push_back(std::move(devices));
    return fields;
}

float kilowatts(std::int64_t mw) { return float(double(std::max<std::int64_t>(0, mw)) * 1e-6); }

/// What an element carries at worst, over what it can.
double worstShare(const PowerSupply& supply, const PowerChain& chain, const PowerWorst& worst, DeviceId id)
{
    const Milliwatts most = worst.through(id);
    const double load = double((most + chain.network[id.value].loss.at(most)).count());
    const double capacity = load + double(supply.spareMw[id.value]);
    return capacity > 0 ? load / capacity : 0;
}

ValueField spareOfRacks(const Figures& figures, std::string_view unit)
{
    const Snapshot& s = *figures.snapshot;
    const bool power = unit == "kW";
    ValueField racks = emptyField(EntityKind::Rack, s.racks.nextId(), FieldScale::Amount, power ? TextId("Spare power") : TextId("Spare rack units"),
                                  std::string(unit));
    const Headroom headroom = headroomOf(figures);
    s.racks.forEach([&](RackId id) {
        const RackSpare& spare = headroom.racks[id.value];
        if (!power)
            racks.values[id.value] = float(spare.units);
        else if (spare.power)
            racks.values[id.value] = kilowatts(spare.power->count());
    });
    if (power) racks.source = basisOf(s);
    return racks;
}

} // namespace

std::vector<ValueField> powerHeadroomFields(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    const PowerSupply supply = PowerSupply::of(figures, powerBasisOf(s));
    ValueField racks = emptyField(EntityKind::Rack, s.racks.nextId(), FieldScale::Amount, TextId("Worst-case feed headroom"), "kW");
    ValueField devices = emptyField(EntityKind::Device, s.devices.nextId(), FieldScale::Amount, TextId("Worst-case headroom"), "kW");
    racks.source = devices.source = basisOf(s);
    s.racks.forEach([&](RackId id) {
        if (const auto spare = supply.spareOfRackMw(id); spare < PowerSupply::kUnlimited) racks.values[id.value] = kilowatts(spare);
    });
    s.devices.forEach([&](DeviceId id) {
        if (const auto spare = supply.spareMw[id.value]; spare < PowerSupply::kUnlimited) devices.values[id.value] = kilowatts(spare);
    });
    fitToValues(racks);
    fitToValues(devices);
    return listOf(std::move(racks), std::move(devices));
}

std::vector<ValueField> powerWorstFields(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    const PowerBasis basis = powerBasisOf(s);
    const PowerSupply supply = PowerSupply::of(figures, basis);
    const PowerChain& chain = powerChain(figures, basis);
    const PowerWorst& worst = worstPower(figures, basis);
    ValueField racks = emptyField(EntityKind::Rack, s.racks.nextId(), FieldScale::Share, TextId("Most loaded feed, worst case"), "%");
    ValueField devices = emptyField(EntityKind::Device, s.devices.nextId(), FieldScale::Share, TextId("Worst-case load / capacity"), "%");
    racks.source = devices.source = basisOf(s);
    s.devices.forEach([&](DeviceId id) {
        if (supply.spareMw[id.value] < PowerSupply::kUnlimited) devices.values[id.value] = float(worstShare(supply, chain, worst, id));
    });
    s.racks.forEach([&](RackId id) {
        float& most = racks.values[id.value];
        for (const auto& part : supply.ofRack[id.value])
            if (const float share = devices.values[part.element.value]; known(share)) most = known(most) ? std::max(most, share) : share;
    });
    return listOf(std::move(racks), std::move(devices));
}

std::vector<ValueField> sideFields(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    const PowerFeeds& feeds = figures.get<PowerFeedsNode>();
    ValueField racks = emptyField(EntityKind::Rack, s.racks.nextId(), FieldScale::Category, TextId("Power feeds"), "");
    ValueField devices = emptyField(EntityKind::Device, s.devices.nextId(), FieldScale::Category, TextId("Power feed"), "");
    racks.categories = {{i18n("no feed"), Tone::Error, 0},
                        {i18n("feed A only"), Tone::Warning, 0},
                        {i18n("feed B only"), Tone::Warning, 0},
                        {i18n("A and B feeds"), Tone::Note, 0}};
    devices.categories = {{i18n("no feed, or several"), Tone::Neutral, 0}, {i18n("feed A"), Tone::RackKind, 0}, {i18n("feed B"), Tone::RackKind, 1}};
    racks.high = 3, devices.high = 2;
    std::vector<unsigned> sides(s.racks.nextId(), 0); // a bit per side
    std::vector<char> draws(s.racks.nextId(), 0);
    const auto bit = [](char side) { return side >= 'A' && side <= 'D' ? 1u << unsigned(side - 'A') : 0u; };
    s.devices.forEach([&](DeviceId id) {
        const bool element = s.tiers.kind[s.devices.tier[id]] == TierKind::Power;
        if (element) devices.values[id.value] = feeds.side(id) == 'A' ? 1.0f : feeds.side(id) == 'B' ? 2.0f : 0.0f;
        const auto rack = s.devices.rack[id];
        if (!rack || element) return;
        if (figures.power->device(id).at(powerBasisOf(s)).count() > 0) draws[(*rack).value] = 1;
        for (const PowerFeed& feed : feeds.of(id)) sides[(*rack).value] |= bit(feeds.side(feed.supplier));
    });
    s.racks.forEach([&](RackId id) {
        const unsigned on = sides[id.value];
        if (draws[id.value]) racks.values[id.value] = on == 0 ? 0.0f : on == 1 ? 1.0f : on == 2 ? 2.0f : 3.0f;
    });
    return listOf(std::move(racks), std::move(devices));
}

std::vector<ValueField> spareFields(const Figures& figures, std::string_view unit)
{
    const Snapshot& s = *figures.snapshot;
    std::vector<ValueField> fields;
    if (unit != "ports") {
        fields.push_back(spareOfRacks(figures, unit));
        fitToValues(fields.back());
        return fields;
    }
    const DesignIndex& index = figures.get<IndexNode>();
    ValueField racks = emptyField(EntityKind::Rack, s.racks.nextId(), FieldScale::Amount, TextId("Spare switch ports"), "");
    ValueField devices = emptyField(EntityKind::Device, s.devices.nextId(), FieldScale::Amount, TextId("Spare ports"), "");
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] != TierKind::Switch) return;
        float free = 0;
        for (const PortId port : index.portsOfDevice[id.value])
            free += s.ports.medium[port] == Medium::Data && s.ports.role[port] == PortRole::Down && !index.linkOf(port);
        devices.values[id.value] = free;
        if (const auto rack = s.devices.rack[id]) {
            float& sum = racks.values[(*rack).value];
            sum = known(sum) ? sum + free : free;
        }
    });
    fitToValues(racks);
    fitToValues(devices);
    return listOf(std::move(racks), std::move(devices));
}

} // namespace hw
