// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/feeders/feeders.h"
#include "core/derived/feeders/grid.h"
#include "core/foundation/files/plain_table.h"
#include "core/output/exchange/design_stamp.h"

#include <nlohmann/json_fwd.hpp>

namespace hw {

/// Feeders, short circuits and the grid connection of a design, as they are listed.
struct FeederStudy {
    PowerBasis basis = PowerBasis::Design;
    double powerFactor = 0.95, conductorC = 90;
    std::vector<DeviceId> lost{}; ///< out of service in this state; then there are no short circuits
    std::vector<DeviceId> dark{}; ///< without power in this state, but otherwise with
    std::vector<Feeder> feeders{};
    std::vector<FaultLevel> faults{};
    std::vector<double> withstand{}; ///< A, of each of `faults`; 0: not known or not checked
    std::vector<UtilityLoad> utilities{};
    double leastFactor = 0; ///< power factor that rule P17 asks for
    std::optional<GridRule> grid{};
    LoadSwing swing{};
    double facilityW = 0, contractW = 0; ///< contract: of the last phase; 0: none stated
    /// Facility power once a phase is installed, against its step of the contract.
    struct Phase {
        int number = 1;
        std::string name{};
        double facilityW = 0, contractW = 0;
    };
    std::vector<Phase> phases{};
    [[nodiscard]] double lossW() const;
    [[nodiscard]] const Feeder* worstDrop() const;               ///< from the last transformer or UPS; null: no feeder
    [[nodiscard]] std::vector<const Feeder*> overloaded() const; ///< above the ampacity of their conductors, the worst first
};
/// `lost`: power equipment out of service. Errors: Refused for an unknown grid or contract steps that cannot be read.
[[nodiscard]] Result<FeederStudy> feederStudy(const Figures& figures, std::span<const DeviceId> lost = {});
/// What may be out of service. Error: Refused for anything but power equipment.
[[nodiscard]] Result<DeviceId> powerEquipment(const Figures& figures, EntityRef entity);
/// Adds the row of a phase; `figures` of the design as it is then.
void addPhase(FeederStudy& study, const Figures& figures, int number, std::string name);

/// Feeders alike: supplied and consumed by the same types over the same conductors.
struct FeederGroup {
    std::string from{}, to{}, conductor{};
    int runs = 1;
    std::size_t count = 0;
    double shortestM = 0, longestM = 0, amps = 0, ampacity = 0, lossW = 0, drop = 0, regulated = 0, path = 0;
};
[[nodiscard]] std::vector<FeederGroup> feederGroups(const FeederStudy& study, const Snapshot& s, const ProjectParts& parts);
/// Of every kind of element the one with the most current, and how many are like it; by voltage, descending.
struct FaultGroup {
    std::string type{}, worst{};
    std::size_t count = 0;
    FaultLevel level{};
    double withstand = 0; ///< A; 0: not known or not checked
};
[[nodiscard]] std::vector<FaultGroup> faultGroups(const FeederStudy& study, const Snapshot& s, const ProjectParts& parts);
/// A line about the grid connection.
struct GridFact {
    Text label{}, value{}, limit{}; ///< limit: empty where there is none
    bool over = false;
    Maybe<DeviceId> at{};
};
[[nodiscard]] std::vector<GridFact> gridFacts(const FeederStudy& study, const Snapshot& s, const ProjectParts& parts);
/// What replaces this, and what none of it covers.
[[nodiscard]] std::array<Text, 2> feederScope();

[[nodiscard]] nlohmann::ordered_json feederJson(const FeederStudy& study, const Figures& figures, const DesignStamp& stamp); ///< hallwright.feeders/1
[[nodiscard]] std::string feederText(const FeederStudy& study, const Figures& figures, const DesignStamp& stamp);            ///< at most 100 columns
/// A row for each feeder; borrows both.
[[nodiscard]] PlainTable feederTable(const FeederStudy& study, const Figures& figures);

/// The nominal voltage that a calculated one belongs to: 398.4 V, √3 times 230 V, is 400 V.
[[nodiscard]] double nominalVolts(double volts);

} // namespace hw
