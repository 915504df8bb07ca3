// SPDX-License-Identifier: GPL-3.0-or-later
// C18 to C21: findings from the simulated air of a hall.
#include "core/derived/rules/air_rules.h"
#include "core/derived/rules/functions.h"
#include "simulation/air/hall.h"

#include <algorithm>

namespace hw::sim::air {

namespace {

/// Racks for which `value` is beyond a limit, the worst first.
template <class Value>
std::vector<const RackAir*> racksBeyond(const HallAir& air, double limit, Value value)
{
    std::vector<const RackAir*> out;
    for (const RackAir& rack : air.racks)
        if (value(rack) > limit) out.push_back(&rack);
    std::ranges::stable_sort(out, std::ranges::greater(), [&](const RackAir* rack) { return value(*rack); });
    return out;
}

class Finder {
public:
    Finder(const Figures& figures, const HallAir& air) : m_figures(figures), m_air(air), m_input{figures, powerBasisOf(*figures.snapshot), m_none} {}

    std::vector<Finding> run()
    {
        const HallPlan& h = m_air.hall;
        if (!m_air.certificate.settled)
            m_out.push_back(
                {.severity = Severity::Info,
                 .message = i18n("{}: not settled after {} steps (inlets swing by up to {:.2f} K); temperatures are means of the last steps", h.name,
                                 m_air.certificate.steps, m_air.certificate.swingK),
                 .entities = {ref(h.hall)}});
        inlets();
        starved();
        slow();
        exhaust();
        units();
        for (Finding& f : m_out)
            if (!f.rule.empty()) f.entities.push_back(ref(h.hall));
        markWaived(m_out, *m_figures.snapshot);
        return std::move(m_out);
    }

private:
    [[nodiscard]] std::string name(const RackAir& rack) const { return m_figures.snapshot->racks.name[rack.rack]; }

    /// `what`: marks one of several findings of a rule.
    void add(const char* rule, Severity severity, Text message, const std::vector<const RackAir*>& racks, const char* what = "")
    {
        Finding f{.rule = rule, .severity = severity, .message = std::move(message)};
        for (const RackAir* rack : racks) f.entities.push_back(ref(rack->rack));
        const std::string hall = m_input.subject(ref(m_air.hall.hall));
        f.id = *what ? findingId(rule, {hall, what}) : findingId(rule, {hall});
        m_out.push_back(std::move(f));
    }

    void inlets()
    {
        const HallPlan& h = m_air.hall;
        const double recommended = m_input.threshold(rules::kInletRecommended);
        const auto warmest = [](const RackAir& rack) { return rack.inletMaxC; };
        const auto over = racksBeyond(m_air, h.limitC, warmest);
        auto warm = racksBeyond(m_air, recommended, warmest);
        if (!over.empty())
            add("C18", Severity::Error,
                i18np(over.size(), "{1}: inlet air above {2:g} °C at {0:L} rack, up to {3:.1f} °C at {4}; improve containment or airflow there",
                      "{1}: inlet air above {2:g} °C at {0:L} racks, up to {3:.1f} °C at {4}; improve containment or airflow there", h.name, h.limitC,
                      over.front()->inletMaxC, name(*over.front())),
                over, "allowable"); // no text
        std::erase_if(warm, [&](const RackAir* rack) { return rack->inletMaxC > h.limitC; });
        if (!warm.empty())
            add("C18", Severity::Warning,
                i18np(warm.size(), "{1}: inlet air above the recommended {2:g} °C at {0:L} rack, up to {3:.1f} °C at {4}",
                      "{1}: inlet air above the recommended {2:g} °C at {0:L} racks, up to {3:.1f} °C at {4}", h.name, recommended,
                      warm.front()->inletMaxC, name(*warm.front())),
                warm, "recommended"); // no text
    }

    void starved()
    {
        const double most = m_input.threshold(rules::kStarvedPa);
        const auto racks = racksBeyond(m_air, most, [](const RackAir& rack) { return -rack.frontPa; });
        if (racks.empty()) return;
        add("C19", Severity::Warning,
            i18np(racks.size(),
                  "{1}: pressure at the front of {0:L} rack more than {2:g} Pa below its rear, up to {3:.1f} Pa at {4}; its fans may move less air",
                  "{1}: pressure at the fronts of {0:L} racks more than {2:g} Pa below their rears, up to {3:.1f} Pa at {4}; their fans may move "
                  "less air",
                  m_air.hall.name, most, -racks.front()->frontPa, name(*racks.front())),
            racks);
    }

    /// With fan curves: racks whose air gets warmer than planned, as they move less of it.
    void slow()
    {
        constexpr double kShort = 0.1;
        const auto racks = racksBeyond(m_air, kShort, [](const RackAir& rack) { return rack.ratedM3s > 0 ? 1 - rack.m3s / rack.ratedM3s : 0.0; });
        if (racks.empty()) return;
        const RackAir& worst = *racks.front();
        add("C19", Severity::Warning,
            i18np(racks.size(), "{1}: {0:L} rack moves less than 90 % of its airflow, {2:.0f} % at {3}; supply more air to its aisle",
                  "{1}: {0:L} racks move less than 90 % of their airflow, {2:.0f} % at {3}; supply more air to their aisles", m_air.hall.name,
                  100 * worst.m3s / worst.ratedM3s, name(worst)),
            racks, "flow"); // no text
    }

    void exhaust()
    {
        const double least = m_input.threshold(rules::kLeastCapture);
        const auto racks = racksBeyond(m_air, 1 - least / 100, [](const RackAir& rack) { return 1 - rack.captureIndex; });
        if (racks.empty()) return;
        add("C20", Severity::Warning,
            i18np(racks.size(), "{1}: capture index below {2:g} % at {0:L} rack, {3:.0f} % at {4}; block the path of exhaust air to its front",
                  "{1}: capture index below {2:g} % at {0:L} racks, {3:.0f} % at {4}; block the path of exhaust air to their fronts", m_air.hall.name,
                  least, racks.front()->captureIndex * 100, name(*racks.front())),
            racks);
    }

    void units()
    {
        const HallPlan& h = m_air.hall;
        if (h.shortM3s > 0.01)
            add("C21", Severity::Warning,
                i18n("{}: fans move {:.1f} m³/s less than needed ({:.1f} m³/s); add air units", h.name, h.shortM3s, h.supplyM3s + h.shortM3s), {},
                "airflow"); // no text
        std::vector<const UnitAir*> full;
        for (const UnitAir& unit : m_air.units)
            if (!unit.failed && unit.supplyC > h.supplyC + 0.05) full.push_back(&unit);
        if (full.empty()) return;
        std::ranges::stable_sort(full, std::ranges::greater(), &UnitAir::supplyC);
        add("C21", Severity::Warning,
            i18np(full.size(), "{1}: {0:L} air unit is at its capacity and supplies up to {2:.1f} °C instead of {3:g} °C; add air units",
                  "{1}: {0:L} air units are at their capacity and supply up to {2:.1f} °C instead of {3:g} °C; add air units", h.name,
                  full.front()->supplyC, h.supplyC),
            {}, "capacity"); // no text
        for (const UnitAir* unit : full) m_out.back().entities.push_back(ref(unit->device));
    }

    const Figures& m_figures;
    const HallAir& m_air;
    Progress m_none;
    RuleInput m_input;
    std::vector<Finding> m_out;
};

} // namespace

std::vector<Finding> hallFindings(const Figures& figures, const HallAir& air) { return Finder(figures, air).run(); }

} // namespace hw::sim::air
