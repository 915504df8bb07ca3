// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/phase_section.h"

#include "core/derived/installed/plant_phases.h"
#include "core/design/template/bound_sets.h"
#include "core/design/template/failure.h"
#include "core/foundation/money/phases.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw {

namespace {

constexpr int kMostPhases = 1000;

/// SectionNumbers of the phases of a design's things; 0: nothing is said, so it comes with what holds it.
struct SectionNumbers {
    std::vector<int> buildings, halls, rows, racks, devices;
};

void lower(int& number, int other) { number = number == 0 ? other : std::min(number, other); }

/// A holder comes with the first of what is in it.
void spread(const Snapshot& s, SectionNumbers& n)
{
    s.devices.forEach([&](DeviceId id) {
        const int number = n.devices[id.value];
        if (number == 0) return;
        const auto rack = s.devices.rack[id];
        const auto row = s.devices.row[id];
        const auto hall = s.devices.hall[id];
        if (rack)
            lower(n.racks[(*rack).value], number);
        else if (row)
            lower(n.rows[(*row).value], number);
        else if (hall)
            lower(n.halls[(*hall).value], number);
    });
    s.racks.forEach([&](RackId id) {
        if (n.racks[id.value]) lower(n.rows[s.racks.row[id].value], n.racks[id.value]);
    });
    s.rows.forEach([&](RowId id) {
        if (n.rows[id.value]) lower(n.halls[s.rows.hall[id].value], n.rows[id.value]);
    });
    s.halls.forEach([&](HallId id) {
        if (n.halls[id.value]) lower(n.buildings[s.halls.building[id].value], n.halls[id.value]);
    });
}

/// Makes the phases that are needed and tells them apart by number.
class Phasing {
public:
    Phasing(Snapshot& s, const PhasesSpec& spec) : m_s(s), m_spec(spec) {}

    /// Sets what comes later than what holds it; `held`: the number of that.
    template <class Table, class Held>
    void set(Table& table, std::vector<int>& numbers, Held&& held)
    {
        table.forEach([&](auto id) {
            const int before = std::max(1, held(id));
            int& number = numbers[id.value];
            if (number > before)
                table.phase.set(id, phase(number));
            else
                number = before;
        });
    }
    /// Also of phases that nothing is in.
    void declare()
    {
        for (std::size_t i = 0; i < std::max(m_spec.names.size(), m_spec.dates.size()); ++i) (void)phase(int(i) + 1);
    }

    PhaseId phase(int number)
    {
        const auto [found, fresh] = m_ids.try_emplace(number, PhaseId());
        if (!fresh) return found->second;
        const PhaseId id = found->second = m_s.phases.insert();
        const auto at = std::size_t(number - 1);
        m_s.phases.key.set(id, fmt::format("phase.{}", number));
        m_s.phases.name.set(id, at < m_spec.names.size() ? m_spec.names[at] : fmt::format("phase-{}", number));
        m_s.phases.number.set(id, number);
        if (at < m_spec.dates.size()) m_s.phases.date.set(id, m_spec.dates[at]);
        return id;
    }

private:
    Snapshot& m_s;
    const PhasesSpec& m_spec;
    std::map<int, PhaseId> m_ids;
};

std::vector<int> numbersOfDevices(const Snapshot& s, const PhasesSpec& spec, Scope& constants)
{
    const std::vector<std::string> names{"pod", "segment", "rail", "plane", "index"};
    bound::Variables variables(constants, names);
    const Expression number(*spec.number, variables.scope());
    std::vector<int> numbers(s.devices.nextId(), 0);
    s.devices.forEach([&](DeviceId id) {
        if (s.devices.pod[id] < 0) return;
        const TierKind kind = s.tiers.kind[s.devices.tier[id]];
        if (kind == TierKind::Power || kind == TierKind::Cooling) return; // comes with its loads, or with its rack or row
        const double values[] = {double(s.devices.pod[id]), double(s.devices.segment[id]), double(s.devices.rail[id]), double(s.devices.plane[id]),
                                 double(s.devices.index[id])};
        for (std::size_t i = 0; i < names.size(); ++i) variables.slot(i) = values[i];
        const std::int64_t is = number.whole();
        if (is < 1 || is > kMostPhases)
            throw refusal(spec.number->where, i18n("{} would be in phase {}", s.devices.name[id], is), i18n("specify {} to {}", 1, kMostPhases));
        numbers[id.value] = int(is);
    });
    return numbers;
}

/// Power and cooling come with what they supply.
void assignPlant(Snapshot& s, Phasing& phasing)
{
    const auto numbers = plantPhases(std::make_shared<const Snapshot>(s));
    if (!numbers) throw TemplateFailure{numbers.error()};
    const PhaseIndex before(s);
    s.devices.forEach([&](DeviceId id) {
        if (const int number = (*numbers)[id.value]; number > before.of(id)) s.devices.phase.set(id, phasing.phase(number));
    });
}

} // namespace

void assignPhases(Snapshot& s, const PhasesSpec& spec, Scope& constants)
{
    if (!spec.number) return;
    SectionNumbers n{std::vector<int>(s.buildings.nextId()), std::vector<int>(s.halls.nextId()), std::vector<int>(s.rows.nextId()),
                     std::vector<int>(s.racks.nextId()), numbersOfDevices(s, spec, constants)};
    spread(s, n);
    Phasing phasing(s, spec);
    phasing.declare();
    phasing.set(s.buildings, n.buildings, [](BuildingId) { return 1; });
    phasing.set(s.halls, n.halls, [&](HallId id) { return n.buildings[s.halls.building[id].value]; });
    phasing.set(s.rows, n.rows, [&](RowId id) { return n.halls[s.rows.hall[id].value]; });
    phasing.set(s.racks, n.racks, [&](RackId id) { return n.rows[s.racks.row[id].value]; });
    phasing.set(s.devices, n.devices, [&](DeviceId id) {
        const auto rack = s.devices.rack[id];
        const auto row = s.devices.row[id];
        const auto hall = s.devices.hall[id];
        return rack ? n.racks[(*rack).value] : row ? n.rows[(*row).value] : hall ? n.halls[(*hall).value] : 1;
    });
    if (!PhaseIndex(s).single()) assignPlant(s, phasing);
}

} // namespace hw
