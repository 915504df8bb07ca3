// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/overlays/live_index.h"

#include <algorithm>
#include <cstdint>

namespace hw {

namespace {

using bindings::Measure;

constexpr auto kMeasureCount = std::size_t(Measure::Retransmits) + 1;

bool isPhase(const std::string& element) { return element.size() == 2 && element[0] == 'l' && element[1] >= '1' && element[1] <= '3'; }

/// Whether the value of a part says something about the whole.
bool counts(const bindings::Point& point)
{
    if (point.element.ends_with("setpoint")) return false;
    if (point.element.empty()) return true;
    switch (point.measure) {
    case Measure::ActivePower:
    case Measure::ApparentPower:
    case Measure::Current: return isPhase(point.element);
    case Measure::SupplyTemperature:
    case Measure::ReturnTemperature:
    case Measure::Flow:
    case Measure::DifferentialPressure:
    case Measure::Pressure:
    case Measure::Heat: return point.element == "secondary";
    default: return true;
    }
}

/// Values that come together one after the other.
struct Summed {
    double sum = 0, most = 0;
    std::uint32_t known = 0, unknown = 0;
    void add(float value)
    {
        if (!hw::known(value)) {
            ++unknown;
            return;
        }
        sum += double(value);
        most = known == 0 ? double(value) : std::max(most, double(value));
        ++known;
    }
    [[nodiscard]] float value(Together together) const
    {
        if (known == 0 || (together == Together::Sum && unknown > 0)) return ValueField::kNone;
        return float(together == Together::Sum ? sum : together == Together::Mean ? sum / known : most);
    }
};

struct Parts {
    std::vector<float> own;
    std::vector<Summed> parts;
    explicit Parts(std::size_t size) : own(size, ValueField::kNone), parts(size) {}
    void add(const LiveIndex::Entry& entry, float value)
    {
        if (entry.entity.id >= own.size()) return;
        if (entry.own)
            own[entry.entity.id] = value;
        else
            parts[entry.entity.id].add(value);
    }
    [[nodiscard]] bool measured(std::size_t id) const { return known(own[id]) || parts[id].known + parts[id].unknown > 0; }
    [[nodiscard]] float value(std::size_t id, Together together) const { return known(own[id]) ? own[id] : parts[id].value(together); }
};

} // namespace

LiveIndexPtr LiveIndex::of(const bindings::BoundPtr& bound)
{
    auto index = std::make_shared<LiveIndex>();
    index->m_bound = bound;
    index->m_entries.resize(kMeasureCount);
    if (!bound) return index;
    for (std::size_t i = 0; i < bound->points.size(); ++i) {
        const bindings::Point& point = bound->points[i];
        if (counts(point)) index->m_entries[std::size_t(point.measure)].push_back({bindings::PointNo(i), point.entity, point.element.empty()});
    }
    return index;
}

std::span<const LiveIndex::Entry> LiveIndex::of(Measure measure) const
{
    return std::size_t(measure) < m_entries.size() ? std::span<const Entry>(m_entries[std::size_t(measure)]) : std::span<const Entry>();
}

Measured measuredOf(const Snapshot& s, const LiveIndex& index, const monitoring::Frame& frame, Measure measure, Together together)
{
    Parts racks(s.racks.nextId()), devices(s.devices.nextId());
    std::vector<char> has(s.devices.nextId(), 0); // measured at all, even where nothing is known just now
    for (const LiveIndex::Entry& entry : index.of(measure)) {
        const float value = entry.point < frame.values.size() ? frame.values[entry.point] : ValueField::kNone;
        if (entry.entity.kind == EntityKind::Rack) racks.add(entry, value);
        if (entry.entity.kind != EntityKind::Device) continue;
        devices.add(entry, value);
        if (entry.entity.id < has.size()) has[entry.entity.id] = 1;
    }
    Measured out;
    out.devices.assign(s.devices.nextId(), ValueField::kNone);
    std::vector<Summed> strips(s.racks.nextId()), others(s.racks.nextId());
    s.devices.forEach([&](DeviceId id) {
        if (!has[id.value]) return;
        const float value = out.devices[id.value] = devices.value(id.value, together);
        const auto rack = s.devices.rack[id];
        if (!rack) return;
        const bool strip = s.tiers.kind[s.devices.tier[id]] == TierKind::Power;
        (strip ? strips : others)[(*rack).value].add(value);
    });
    out.racks.assign(s.racks.nextId(), ValueField::kNone);
    s.racks.forEach([&](RackId id) {
        const Summed& of = strips[id.value].known + strips[id.value].unknown > 0 ? strips[id.value] : others[id.value];
        out.racks[id.value] = racks.measured(id.value) ? racks.value(id.value, together) : of.value(together);
    });
    return out;
}

} // namespace hw
