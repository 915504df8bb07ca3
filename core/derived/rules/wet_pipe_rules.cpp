// SPDX-License-Identifier: GPL-3.0-or-later
// C14: what a leak of an overhead pipe would drip on. Liquid-cooled cabinets have leak sensors (C11).
#include "core/derived/rules/wet_pipe_rules.h"

#include "core/derived/cooling/chain.h"
#include "core/derived/figures/tray_load.h"
#include "core/derived/rules/groups.h"
#include "core/foundation/model/places.h"

#include <algorithm>
#include <set>

namespace hw::rules {

namespace {

enum class Beneath : std::uint8_t { Rack, Power, Tray };

struct Placed {
    Box box;
    EntityRef who;
    Beneath what = Beneath::Rack; ///< of what lies below
};
using ByHall = std::map<std::uint32_t, std::vector<Placed>>;

/// True where the plans of both overlap and one is wholly over the other.
bool over(const Box& pipe, const Box& thing)
{
    return pipe.low.z >= thing.high.z && std::min(pipe.high.x, thing.high.x) > std::max(pipe.low.x, thing.low.x) &&
           std::min(pipe.high.y, thing.high.y) > std::max(pipe.low.y, thing.low.y);
}

class WetPipes {
public:
    explicit WetPipes(const RuleInput& input)
        : m_input(input), m_s(input.snapshot()), m_chain(input.figures.get<CoolingChainNode>()), m_loads(input.figures.get<TrayLoadNode>())
    {
        addTrays();
        addDevices();
        addRacks();
    }

    [[nodiscard]] std::vector<Finding> findings() const
    {
        Groups groups(m_input, "C14");
        for (const auto& [hall, pipes] : m_pipes) {
            const auto below = m_below.find(hall);
            if (below == m_below.end()) continue;
            for (const Placed& pipe : pipes)
                for (const Beneath what : {Beneath::Rack, Beneath::Power, Beneath::Tray}) report(groups, HallId(hall), pipe, below->second, what);
        }
        return groups.findings();
    }

private:
    /// In a hall; runs at an angle to the axes are left out, as the boxes around them are larger than they are.
    void addTrays()
    {
        m_s.trays.forEach([&](TrayId id) {
            const auto row = m_s.trays.row[id];
            const auto hall = row ? Maybe<HallId>(m_s.rows.hall[*row]) : m_s.trays.hall[id];
            const TrayLine& line = m_input.figures.placement->tray(id);
            const bool alongX = line.a.y == line.b.y;
            if (!hall || (!alongX && line.a.x != line.b.x)) return;
            const TraySpec& spec = m_input.parts().tray(m_s.trays.type[id]);
            const std::int32_t half = spec.width.value.count() * std::max<std::int32_t>(1, m_s.trays.count[id]) / 2;
            Box box{{std::min(line.a.x, line.b.x), std::min(line.a.y, line.b.y), std::min(line.a.z, line.b.z)},
                    {std::max(line.a.x, line.b.x), std::max(line.a.y, line.b.y), std::max(line.a.z, line.b.z) + spec.height.value.count()}};
            (alongX ? box.low.y : box.low.x) -= half, (alongX ? box.high.y : box.high.x) += half;
            const auto carries = [&](Medium medium) { return m_loads[id.value].of[std::size_t(medium)].cables > 0; };
            if (m_s.trays.carries[id] == Carries::Coolant || carries(Medium::Coolant)) m_pipes[(*hall).value].push_back({box, ref(id)});
            if (carries(Medium::Power))
                m_below[(*hall).value].push_back({box, ref(id), Beneath::Power});
            else if (carries(Medium::Data))
                m_below[(*hall).value].push_back({box, ref(id), Beneath::Tray});
        });
    }

    void addDevices()
    {
        m_s.devices.forEach([&](DeviceId id) {
            if (m_s.devices.rack[id]) return;
            const auto hall = hallOf(m_s, id);
            const bool header = m_input.parts().device(m_s.devices.type[id]).cooling.element == CoolingElement::Header;
            const bool power = m_s.tiers.kind[m_s.devices.tier[id]] == TierKind::Power;
            if (!hall || !(header || power)) return;
            (header ? m_pipes : m_below)[(*hall).value].push_back(
                {m_input.figures.placement->device(m_s, m_input.parts(), id), ref(id), Beneath::Power});
        });
    }

    void addRacks()
    {
        std::set<RackId> liquid;
        for (const CooledLoad& taker : m_chain.takers)
            if (taker.rack) liquid.insert(*taker.rack);
        std::set<RackId> filled;
        m_s.devices.forEach([&](DeviceId id) {
            if (const auto rack = m_s.devices.rack[id]) filled.insert(*rack);
        });
        for (const RackId id : filled)
            if (!liquid.contains(id))
                m_below[m_s.rows.hall[m_s.racks.row[id]].value].push_back({m_input.figures.placement->rack(id), ref(id), Beneath::Rack});
    }

    void report(Groups& groups, HallId hall, const Placed& pipe, const std::vector<Placed>& below, Beneath what) const
    {
        std::size_t count = 0;
        const Placed* first = nullptr;
        for (const Placed& thing : below)
            if (thing.what == what && thing.who != pipe.who && over(pipe.box, thing.box) && ++count == 1) first = &thing;
        if (!first) return;
        static constexpr const char* kKeys[] = {"racks", "power", "trays"};
        const std::string group = m_input.subject(ref(hall)) + '|' + kKeys[std::size_t(what)];
        groups.add(group, pipe.who, Severity::Warning, double(count), [&] {
            groups.also(group, {first->who});
            const std::string at = m_input.name(pipe.who), under = m_input.name(first->who);
            switch (what) {
            case Beneath::Rack:
                return i18np(
                    count,
                    "{1}: coolant pipe above {0:L} air-cooled rack ({2}); move it, or install a drip tray and leak detection and waive the finding",
                    "{1}: coolant pipe above {0:L} air-cooled racks (for example {2}); move it, or install a drip tray and leak detection and waive "
                    "the finding",
                    at, under);
            case Beneath::Power:
                return i18np(count,
                             "{1}: coolant pipe above {0:L} item of power equipment ({2}); move it, or install a drip tray and leak detection and "
                             "waive the finding",
                             "{1}: coolant pipe above {0:L} items of power equipment (for example {2}); move it, or install a drip tray and leak "
                             "detection and waive the finding",
                             at, under);
            case Beneath::Tray: break;
            }
            return i18np(
                count,
                "{1}: coolant pipe above {0:L} cable tray ({2}); move it below, or install a drip tray and leak detection and waive the finding",
                "{1}: coolant pipe above {0:L} cable trays (for example {2}); move it below, or install a drip tray and leak detection and waive the "
                "finding",
                at, under);
        });
    }

    const RuleInput& m_input;
    const Snapshot& m_s;
    const CoolingChain& m_chain;
    const std::vector<TrayLoad>& m_loads;
    ByHall m_pipes, m_below;
};

} // namespace

std::vector<Finding> wetPipes(const RuleInput& input)
{
    const auto& units = input.figures.get<CoolingChainNode>();
    if (units.loops.empty() && units.takers.empty()) return {};
    return WetPipes(input).findings();
}

} // namespace hw::rules
