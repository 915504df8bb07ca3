// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/values/design_fields.h"

#include "core/derived/figures/rack_kind.h"
#include "core/derived/values/field_helpers.h"

#include <algorithm>

namespace hw {

namespace {

struct Pair {
    ValueField racks, devices;
    [[nodiscard]] std::vector<ValueField> list() { return both(std::move(racks), std::move(devices)); }
};

Pair pairOf(const Snapshot& s, FieldScale scale, TextId title, const std::string& unit)
{
    return {emptyField(EntityKind::Rack, s.racks.nextId(), scale, title, unit),
            emptyField(EntityKind::Device, s.devices.nextId(), scale, title, unit)};
}

/// Calls f(finding, racks, devices) with what every finding that counts names, each thing once.
template <class F>
void forFindings(const Snapshot& s, const CheckResult& check, F&& f)
{
    std::vector<RackId> racks;
    std::vector<DeviceId> devices;
    const auto once = [](auto& list, auto id) {
        if (std::ranges::find(list, id) == list.end()) list.push_back(id);
    };
    for (const Finding& finding : check.findings) {
        if (finding.waived) continue;
        racks.clear(), devices.clear();
        for (const EntityRef entity : finding.entities)
            for (const EntityRef e : ancestry(s, entity)) {
                if (e.kind == EntityKind::Rack && e.id < s.racks.nextId()) once(racks, RackId(e.id));
                if (e.kind == EntityKind::Device && e.id < s.devices.nextId()) once(devices, DeviceId(e.id));
            }
        f(finding, racks, devices);
    }
}

} // namespace

std::vector<ValueField> kindFields(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    Pair pair = pairOf(s, FieldScale::Category, TextId("Rack role"), "");
    pair.devices.title = TextId("Device role");
    for (std::size_t i = 0; i < kRackKinds; ++i) pair.racks.categories.push_back({rackKindText(RackKind(i)), Tone::RackKind, std::uint8_t(i)});
    pair.devices.categories = pair.racks.categories;
    pair.racks.high = pair.devices.high = double(kRackKinds - 1);
    const RackKinds& kinds = figures.get<RackKindsNode>();
    s.racks.forEach([&](RackId id) { pair.racks.values[id.value] = float(kinds.ofRack[id.value]); });
    s.devices.forEach([&](DeviceId id) { pair.devices.values[id.value] = float(kindOfDevice(s, id, kinds.main)); });
    return pair.list();
}

std::vector<ValueField> limitFields(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    const PowerBasis basis = powerBasisOf(s);
    Pair pair = pairOf(s, FieldScale::Share, TextId("Rack power / limit"), "%");
    pair.devices.title = TextId("Power / rack limit");
    pair.racks.source = pair.devices.source = basisOf(s);
    const auto share = [](Milliwatts load, Milliwatts limit) {
        return limit.count() > 0 ? float(double(load.count()) / double(limit.count())) : ValueField::kNone;
    };
    s.racks.forEach(
        [&](RackId id) { pair.racks.values[id.value] = share(figures.power->rack(id).at(basis), rackPowerLimit(s, *figures.parts, id)); });
    s.devices.forEach([&](DeviceId id) {
        if (const auto rack = s.devices.rack[id])
            pair.devices.values[id.value] = share(figures.power->device(id).at(basis), rackPowerLimit(s, *figures.parts, *rack));
    });
    return pair.list();
}

std::vector<ValueField> energyFields(const Figures& figures, Energy what)
{
    static constexpr TextId kTitles[] = {TextId("Power"), TextId("Heat to air"), TextId("Heat to liquid")};
    const Snapshot& s = *figures.snapshot;
    const auto basis = std::size_t(powerBasisOf(s));
    Pair pair = pairOf(s, FieldScale::Amount, kTitles[std::size_t(what)], "kW");
    pair.racks.source = pair.devices.source = basisOf(s);
    const auto kilowatts = [&](const Load& load) {
        Milliwatts power = load.power[basis];
        if (what == Energy::HeatToAir) power = Milliwatts(load.power[basis].count() - load.liquid[basis].count());
        if (what == Energy::HeatToLiquid) power = load.liquid[basis];
        return float(double(power.count()) * 1e-6);
    };
    s.racks.forEach([&](RackId id) { pair.racks.values[id.value] = kilowatts(figures.power->rack(id)); });
    s.devices.forEach([&](DeviceId id) { pair.devices.values[id.value] = kilowatts(figures.power->device(id)); });
    fitToValues(pair.racks);
    fitToValues(pair.devices);
    return pair.list();
}

std::vector<ValueField> severityFields(const Figures& figures, const CheckResult& check)
{
    const Snapshot& s = *figures.snapshot;
    Pair pair = pairOf(s, FieldScale::Category, TextId("Most severe finding"), "");
    pair.racks.categories = {{i18n("info"), Tone::Note, 0}, {i18n("warning"), Tone::Warning, 0}, {i18n("error"), Tone::Error, 0}};
    pair.devices.categories = pair.racks.categories;
    pair.racks.high = pair.devices.high = 2;
    const auto raise = [](float& now, Severity severity) {
        const auto grade = float(2 - int(severity)); // Error, Warning, Info
        if (!known(now) || grade > now) now = grade;
    };
    forFindings(s, check, [&](const Finding& finding, const std::vector<RackId>& racks, const std::vector<DeviceId>& devices) {
        for (const RackId id : racks) raise(pair.racks.values[id.value], finding.severity);
        for (const DeviceId id : devices) raise(pair.devices.values[id.value], finding.severity);
    });
    return pair.list();
}

std::vector<ValueField> findingCountFields(const Figures& figures, const CheckResult& check)
{
    const Snapshot& s = *figures.snapshot;
    Pair pair = pairOf(s, FieldScale::Amount, TextId("Findings"), "");
    const auto add = [](float& now) { now = known(now) ? now + 1 : 1; };
    forFindings(s, check, [&](const Finding&, const std::vector<RackId>& racks, const std::vector<DeviceId>& devices) {
        for (const RackId id : racks) add(pair.racks.values[id.value]);
        for (const DeviceId id : devices) add(pair.devices.values[id.value]);
    });
    fitToValues(pair.racks);
    fitToValues(pair.devices);
    return pair.list();
}

} // namespace hw
