// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/build/design_builder.h"
#include "core/design/template/bound_parts.h"
#include "core/design/template/port_groups.h"

#include <unordered_map>

namespace hw {

/// Rows by member of a set.
using MemberRows = std::vector<std::uint32_t>;
inline constexpr std::uint32_t kNoRow = 0xFFFFFFFFu; ///< of a member that is left out

/// A tier whose devices and ports are made.
struct MadeTier {
    std::unique_ptr<bound::Tier> bound; ///< null: its network is left out, and it with it
    TierId id;
    MemberRows devices;
    std::vector<PortGroupLayout> groups;
    std::vector<std::uint32_t> firstPort; ///< by member
};

/// A template bound to one choice of parameters, and what there is so far of the design that it makes.
struct GenerationContext {
    GenerationContext(const TemplateSpec& spec, const Catalog& catalog, const Progress& progress);
    void step(double fraction, TextId what) const; ///< reports; throws when a stop is requested
    [[nodiscard]] const Part& part(const ExpressionText& slug) const;
    /// Copied into the design at its first use.
    PartTypeId use(const ExpressionText& slug) { return builder.partType(part(slug)); }

    const TemplateSpec& spec;
    const Catalog& catalog;
    const Progress& progress;
    bound::Constants constants;
    std::optional<bound::Networks> networks;
    std::optional<bound::Places> places;
    std::shared_ptr<Snapshot> out;
    DesignBuilder builder;                                  ///< of `out`
    std::unordered_map<const bound::Set*, MemberRows> rows; ///< of places
    std::map<std::string, MadeTier> tiers;
    bool laidOut = false; ///< no building of the template is there: the engine makes the places
};

[[nodiscard]] constexpr bool isQuarterTurn(std::int64_t degrees) { return degrees % 90 == 0 && degrees >= 0 && degrees < 360; }

/// Calls make(parentRow) → row for every member of a set that is there, with its coordinates set; `parent`: rows of the
/// parent set, null without one.
template <class F>
[[nodiscard]] MemberRows makeMembers(bound::Set& set, const MemberRows* parent, F&& make)
{
    MemberRows rows(std::size_t(set.size()), kNoRow);
    for (std::size_t member = 0; member < rows.size(); ++member) {
        const std::uint32_t parentRow = parent ? (*parent)[member / set.perParent()] : kNoRow;
        if (parent && parentRow == kNoRow) continue;
        set.assignHere(member);
        if (set.presentInParent()) rows[member] = make(parentRow);
    }
    return rows;
}

/// Turns a template and parameter values into a snapshot. Used once, on any thread.
class Generator {
public:
    Generator(const TemplateSpec& spec, const ParameterValues& values, const Catalog& catalog, const Progress& progress);
    /// `places`: with rooms, racks and power; without, devices are not placed where the template has no places of its own. Throws TemplateFailure.
    [[nodiscard]] std::shared_ptr<Snapshot> run(bool places = true);
    /// Buildings, halls, rows, racks and trays alone; `rackRows` gets the racks of each set by member.
    [[nodiscard]] std::shared_ptr<Snapshot> places(std::map<std::string, MemberRows>& rackRows);

private:
    void makePlaces();
    void feed();
    void leadOverPanels();
    void makeNetworks();
    template <class F>
    void makeSet(bound::Place& place, F&& make);
    void makeBuildings(bound::Place& place);
    void makeHalls(bound::Place& place);
    void makeRows(bound::Place& place);
    void makeRacks(bound::Place& place);
    void makeTrays(bound::Tray& tray);
    void makeTier(const SetSpec& spec);
    void checkSize(const SetSpec& spec, const PortBinder& binder, std::size_t members) const;
    void makeDevices(MadeTier& tier, std::vector<std::uint16_t>& typeOf);
    void makePorts(MadeTier& tier, const PortBinder& binder, const std::vector<std::uint16_t>& typeOf);
    void writeSettings();
    void makeWaivers(const TemplateSpec::WaiverSpec& spec);

    GenerationContext m;
    ParameterValues m_values;
};

} // namespace hw
