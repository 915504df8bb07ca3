// SPDX-License-Identifier: GPL-3.0-or-later
// D7: things that are to come before what holds them.
#include "core/derived/rules/functions.h"
#include "core/derived/rules/groups.h"
#include "core/foundation/money/phases.h"

namespace hw::rules {

namespace {

class Early {
public:
    explicit Early(const RuleInput& input) : m_input(input), m_s(input.snapshot()), m_phases(m_s), m_groups(input, "D7") {}

    std::vector<Finding> run()
    {
        if (m_phases.single()) return {};
        m_s.halls.forEach([&](HallId id) { look(id, m_s.halls.phase[id], ref(m_s.halls.building[id]), m_phases.of(m_s.halls.building[id])); });
        m_s.rows.forEach([&](RowId id) { look(id, m_s.rows.phase[id], ref(m_s.rows.hall[id]), m_phases.of(m_s.rows.hall[id])); });
        m_s.racks.forEach([&](RackId id) { look(id, m_s.racks.phase[id], ref(m_s.racks.row[id]), m_phases.of(m_s.racks.row[id])); });
        m_s.devices.forEach([&](DeviceId id) {
            const auto phase = m_s.devices.phase[id];
            if (const auto rack = m_s.devices.rack[id])
                look(id, phase, ref(*rack), m_phases.of(*rack));
            else if (const auto row = m_s.devices.row[id])
                look(id, phase, ref(*row), m_phases.of(*row));
            else if (const auto hall = m_s.devices.hall[id])
                look(id, phase, ref(*hall), m_phases.of(*hall));
        });
        return m_groups.findings();
    }

private:
    template <class IdT>
    void look(IdT id, Maybe<PhaseId> own, EntityRef holder, int held)
    {
        if (!own || m_s.phases.number[*own] >= held) return;
        const int wanted = m_s.phases.number[*own];
        m_groups.add(m_input.subject(holder), ref(id), Severity::Warning, held - wanted, [&] {
            return i18n("{} is scheduled for {}, but {}, which contains it, for {}: the later phase applies", m_input.name(ref(id)),
                        phaseText(m_s, wanted), m_input.name(holder), phaseText(m_s, held));
        });
    }

    const RuleInput& m_input;
    const Snapshot& m_s;
    PhaseIndex m_phases;
    Groups m_groups;
};

} // namespace

std::vector<Finding> earlyThings(const RuleInput& input) { return Early(input).run(); }

} // namespace hw::rules
