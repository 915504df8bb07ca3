// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/feeder_size.h"
#include "core/derived/figures/nodes.h"

namespace hw {

/// A link of power or coolant as what is laid for it.
struct SupplyLine {
    LinkId link;
    Medium medium = Medium::Power;
    char side = 0; ///< 'A', 'B' …; 0 = none
    DeviceId consumer, supplier;
    SupplySize size;
    std::int32_t routeMm = 0;              ///< end to end, without slack
    std::int32_t lengthMm = 0;             ///< bought, of one run
    bool noWay = false;                    ///< trays for it are there, and none leads from end to end; then the length is that of a straight way
    std::uint32_t pair = Routing::kNoPair; ///< in the routes of its medium; none: it runs through no tray
    friend bool operator==(const SupplyLine&, const SupplyLine&) = default;
};

/// Of all its runs over its length, a phase; not known where its type states neither resistance nor conductor. `celsius`: of the conductor.
[[nodiscard]] power::Impedance impedanceOf(const ProjectParts& parts, const SupplyLine& line, double celsius);

/// Every feeder, whip, bus duct, hose and pipe of a design with what it is made of, its way and its length. Cords and the hoses of devices
/// within a rack are no links: see `Cords`.
class Supply {
public:
    struct Plan; ///< what follows from wiring and parts alone

    [[nodiscard]] static std::shared_ptr<const Supply> compute(const Snapshot&, const ProjectParts&, const Placement&, const MediumGraph& power,
                                                               const MediumGraph& coolant, const PowerFeeds&);
    /// The same after things moved; wiring unchanged.
    [[nodiscard]] static std::shared_ptr<const Supply> moved(const Supply& before, const Snapshot& after, const ProjectParts&, const Placement&);

    /// The lines of `whole` whose links are in `part`, a part of its design, as they run in the whole.
    [[nodiscard]] static std::shared_ptr<const Supply> ofPart(const Supply& whole, const Snapshot& part);

    [[nodiscard]] const std::vector<SupplyLine>& lines() const { return m_lines; } ///< by link
    [[nodiscard]] const SupplyLine* of(LinkId link) const;                         ///< null: no link of power or coolant
    [[nodiscard]] const Routing& routing(Medium medium) const { return *m_routes[medium == Medium::Coolant]; }
    /// Numbers in `routing(line.medium).sections()`, from the consumer up.
    [[nodiscard]] std::vector<std::uint32_t> sectionsOf(const SupplyLine& line) const;
    /// Cross-section of all runs, in µm².
    [[nodiscard]] static std::int64_t areaOf(const ProjectParts& parts, const SupplySize& size);
    friend bool operator==(const Supply& a, const Supply& b);

private:
    void lay(const Snapshot&, const ProjectParts&, const Placement&);

    std::shared_ptr<const Plan> m_plan;
    std::vector<SupplyLine> m_lines;
    std::array<std::shared_ptr<const Routing>, 2> m_routes; ///< of power, of coolant
};

struct SupplyNode {
    using Value = Supply;
    static constexpr TextId kName = TextId("feeders and pipes");
    /// What the lines are, wherever they run.
    using Lines = Group<
        Alive<Devices, Links, Ports, Cables, Racks>,
        Columns<&Links::from, &Links::to, &Links::cable, &Ports::device, &Ports::medium, &Ports::cage, &Cages::number, &Devices::type, &Devices::rack,
                &Devices::row, &Devices::hall, &Devices::tier, &Devices::side, &Tiers::kind, &Racks::row, &Cables::type, &Cables::length>,
        SettingKeys<"cabling.slack_percent", "cabling.grouping_percent", "cabling.parallel_runs", "cabling.feeder_drop_percent", "power.medium_kv",
                    "power.high_kv", "rule.p2.phase_v", "rule.p2.feeder_derate_percent", "rule.p2.continuous_percent", "site.power_factor">>;
    using Inputs = Reads<Nodes<PartsNode, PlacementNode, MediumNode<Medium::Power>, MediumNode<Medium::Coolant>, PowerFeedsNode>, Lines, TrayPlaces,
                         Columns<&Devices::x, &Devices::y, &Devices::z, &Devices::angle, &Devices::u>>;
    static std::shared_ptr<const Value> compute(const Now<SupplyNode>&);
    static std::shared_ptr<const Value> update(const Was<SupplyNode>&, const Now<SupplyNode>&, const ChangeSet&);
};

} // namespace hw
