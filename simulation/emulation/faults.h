// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/failing.h"
#include "simulation/emulation/hall.h"
#include "simulation/emulation/ports.h"

#include <span>
#include <unordered_map>

namespace hw::emulation {

/// What is wrong with one sensor.
struct SensorFault {
    enum class Kind : std::uint8_t { Stuck, Missing, Offset, Jump, Scale, Drift, Nan, Reset } kind = Kind::Stuck;
    double by = 0;
    std::optional<double> stuckAt;       ///< what it read last; of Reset: when it began at zero
    std::optional<std::int64_t> sinceMs; ///< since when it drifts
};

/// The deeds that hold at a moment, worked out: what failed, what is wrong with links and servers, what sensors say wrongly.
class Faults {
public:
    Faults(const impact::Model& model, const std::vector<Sensor>& sensors, std::uint64_t seed);

    /// A deed whose entity and sensors were found.
    struct Resolved {
        FaultAction deed;
        std::optional<impact::Failing> failing;
        std::vector<std::uint32_t> links; ///< of degrade, drop-packets, misconfigure
        std::vector<SensorNo> sensors;
        std::vector<SensorNo> others;       ///< of sensor-swap: with which each is exchanged
        std::vector<std::uint32_t> devices; ///< of clog, overload, replug
    };
    /// Errors: Refused, with the place of the deed and near names.
    [[nodiscard]] Result<Resolved> resolve(const FaultAction& deed, const std::string& where) const;
    void apply(Resolved resolved);
    /// Undoes what a deed with a time did; false: it was undone already.
    bool undo(const Resolved& resolved);

    [[nodiscard]] const impact::Failed& failed() const { return m_failed; }
    [[nodiscard]] bool isFailed(DeviceId id) const { return m_failedDevice[id.value] != 0; }
    [[nodiscard]] int failedPumps(DeviceId id) const;
    [[nodiscard]] bool pumpFailed(DeviceId id, int pump) const;
    [[nodiscard]] const std::vector<DataPorts::Fault>& links() const { return m_links; }
    [[nodiscard]] const std::vector<char>& linkFailed() const { return m_linkFailed; }
    [[nodiscard]] double speed(DeviceId id) const { return m_speed[id.value]; }
    [[nodiscard]] double clogged(DeviceId id) const { return m_clogged[id.value]; }   ///< of its flow, what is left
    [[nodiscard]] double overload(DeviceId id) const { return m_overload[id.value]; } ///< of its design power; 0: as it is
    [[nodiscard]] std::span<const std::uint8_t> phases() const { return m_phase; }    ///< by device, to which its cords are plugged; 0: as designed
    [[nodiscard]] bool leaks(EntityRef entity) const;
    [[nodiscard]] int xid(DeviceId id, int gpu) const;
    [[nodiscard]] SensorFault* sensor(SensorNo no) { return m_wrong[no] ? &m_sensors.at(no) : nullptr; }
    [[nodiscard]] const std::string& renamed(SensorNo no) const;
    [[nodiscard]] SensorNo readAs(SensorNo no) const; ///< the sensor whose value it says
    [[nodiscard]] std::int64_t clockMs(SensorNo no) const;
    [[nodiscard]] bool silent() const { return m_silent > 0; }
    /// Counts up when what failed or is wrong with links changed.
    [[nodiscard]] std::uint64_t revision() const { return m_revision; }

private:
    void rework();
    [[nodiscard]] std::vector<std::uint32_t> devicesOf(EntityRef entity, Verb verb) const;
    [[nodiscard]] std::vector<std::uint32_t> linksOf(const impact::Failing& failing, Verb verb) const;
    [[nodiscard]] std::vector<SensorNo> sensorsOf(const FaultAction& deed, EntityRef entity) const;
    [[nodiscard]] std::vector<SensorNo> someOf(const FaultAction& deed) const;
    Result<void> exchange(Resolved& out, const std::string& where) const;

    const impact::Model& m_model;
    const std::vector<Sensor>& m_all;
    std::uint64_t m_seed;
    std::vector<Resolved> m_holds; ///< in order
    impact::Failed m_failed;
    std::vector<char> m_failedDevice, m_linkFailed, m_wrong;
    std::vector<DataPorts::Fault> m_links;
    std::vector<double> m_speed, m_clogged, m_overload;
    std::vector<std::uint8_t> m_phase;
    std::unordered_map<SensorNo, SensorFault> m_sensors;
    std::unordered_map<SensorNo, std::string> m_renamed;
    std::unordered_map<SensorNo, SensorNo> m_readAs;
    std::unordered_map<SensorNo, std::int64_t> m_clockMs;
    int m_silent = 0;
    std::uint64_t m_revision = 1;
};

} // namespace hw::emulation
