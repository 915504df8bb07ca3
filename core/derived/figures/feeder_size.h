// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/topology/medium_graph.h"
#include "core/foundation/catalog/catalog.h"
#include "core/physics/power/conductor.h"

#include <array>

namespace hw {

inline constexpr double kDirectVolts = 800; ///< behind rectifiers (assumed: other voltages are not told apart)

/// What a line of power or coolant is made as.
enum class SupplyKind : std::uint8_t {
    Feeder,  ///< cable through trays, in as many parallel runs as its current needs
    BusDuct, ///< rigid, straight from device to device: where cables would need too many runs
    Whip,    ///< from a tap-off box on a busway down into the rack
    Hose,    ///< pair of hoses within a rack or from a header down into it
    Pipe     ///< pair of pipes
};
HW_WORDS(SupplyKind, "feeder", "bus-duct", "whip", "hose", "pipe")

/// What a line needs and is made of. Its length is another question.
struct SupplySize {
    SupplyKind kind = SupplyKind::Feeder;
    Maybe<PartTypeId> type;     ///< none: the project has no part that does
    Maybe<PartTypeId> tapOff;   ///< of a whip: the box on the busway
    std::int16_t runs = 1;      ///< in parallel
    std::int64_t needMa = 0;    ///< current that it is laid for, mA; 0 = not known
    std::int64_t carriesMa = 0; ///< all runs together, derated; 0 = not known
    bool byHand = false;        ///< somebody chose its type, which stays whatever its voltage drop
    double volts = 400;         ///< between phases; of direct current between the poles
    power::LinePhases phases = power::LinePhases::Three;
    friend bool operator==(const SupplySize&, const SupplySize&) = default;
};

/// The conductors that feeders of low voltage and direct current may be made of, for those that are so long that the conductor for their
/// current would lose too much voltage: setting "cabling.feeder_drop_percent", at the continuous share of the current that they are sized for.
class FeederDrops {
public:
    struct Cable {
        PartTypeId type;
        std::int64_t carriesMa = 0, area = 0; ///< derated
        power::Impedance perMeter;            ///< at 90 °C
        friend bool operator==(const Cable&, const Cable&) = default;
    };
    std::vector<std::vector<Cable>> families; ///< that replace each other
    double allowed = 0.03, powerFactor = 0.95, continuous = 0.8;
    std::int64_t mostRuns = 8;

    /// Takes the least copper that keeps the voltage drop over so much; the most there is where none does. True where the size changed.
    bool widen(SupplySize& size, std::int32_t lengthMm) const;
    friend bool operator==(const FeederDrops&, const FeederDrops&) = default;
};

/// Sizes feeders by what they are protected for: the rating of what they feed, or of what feeds them where that is less. Voltages are those
/// of the settings "power.medium_kv" and "power.high_kv", at the plug "rule.p2.phase_v". Cables carry what their type states times
/// "rule.p2.feeder_derate_percent" and "cabling.grouping_percent"; of those that do with the fewest runs the thinnest is taken. What would
/// need more than "cabling.parallel_runs" goes over bus ducts where the project has some.
class FeederSizes {
public:
    FeederSizes(const Snapshot& snapshot, const ProjectParts& parts, const MediumGraph& power);
    [[nodiscard]] SupplySize feeder(DeviceId consumer, DeviceId supplier) const;
    /// From a busway into a rack.
    [[nodiscard]] SupplySize whip(DeviceId consumer, DeviceId supplier) const;
    [[nodiscard]] FeederDrops drops() const;
    /// Made of another cable, which somebody chose: what its runs carry then.
    void take(SupplySize& size, PartTypeId type) const;

private:
    enum class Level : std::uint8_t { Low, Medium, High, Direct };
    static constexpr std::size_t kLevels = 4;
    struct Choice {
        PartTypeId type;
        std::int64_t milliamperes = 0, area = 0;
    };
    void readParts(const ProjectParts& parts);
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return m_parts.device(m_s.devices.type[id]); }
    [[nodiscard]] Level levelOf(DeviceId consumer, DeviceId supplier) const;
    [[nodiscard]] std::int64_t ratedMa(DeviceId device, Level level, bool fed) const; ///< 0: states nothing
    [[nodiscard]] std::int64_t needMa(DeviceId consumer, DeviceId supplier, Level level) const;

    const Snapshot& m_s;
    const ProjectParts& m_parts;
    const MediumGraph& m_power;
    void setVolts(SupplySize& size, Level level) const;

    std::array<double, kLevels> m_voltsOfPhases{}; ///< √3 U, of direct current U
    double m_derate = 1, m_continuous = 0.8, m_powerFactor = 0.95;
    std::int64_t m_mostRuns = 8;
    std::array<std::vector<Choice>, kLevels> m_cables; ///< ascending by what they carry
    std::vector<Choice> m_ducts, m_whips, m_tapOffs;
};

} // namespace hw
