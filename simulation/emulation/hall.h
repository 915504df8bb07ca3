// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/emulation/fault_action.h"
#include "simulation/emulation/sensor.h"

#include "core/derived/impact/network_loss.h"
#include "core/derived/impact/study.h"

#include <map>
#include <memory>
#include <span>
#include <vector>

/// A hall that does not exist yet, played in time: what its sensors would say. Shares nothing with what reads telemetry.
namespace hw::emulation {

struct Options {
    std::uint64_t seed = 1;
    std::int64_t startMs = 0; ///< since 1970, of the first moment
    double pollS = 30;        ///< between two readings of a GPU; ports are read a third as often, all else at every step
    /// Between two readings of facility meters: a time from these two for each device or rack, with a phase of its own, and every value is said.
    /// 0: they say what changes, at every step.
    double metersFromS = 0, metersToS = 0;
    double noise = 1; ///< share of the usual noise of sensors
    bool facility = true, gpus = true, ports = true;
    /// What one job that never ends has links carry, Gb/s by directed link (2 × LinkId + direction, 0: from lower to upper end). It takes the
    /// servers whose links carry something of it; the others idle. Empty: jobs of an assumed schedule.
    std::vector<float> linkGbps{};
    impact::LoadsAfter loadsAfter{}; ///< once something of the network is lost; none: the same as before
};

/// What follows of itself from what failed, for people: "pod1-ups1-1-1 runs on its battery".
struct HallEvent {
    std::int64_t ms = 0;
    Text what;
};

/// Steps a design in time. Rack power comes from its devices, between idle and design power; it flows through the network of core/physics/power,
/// whose batteries, generators, change-overs and breakers act in time as in core/derived/impact; its heat goes to coolant and air, which warm up as
/// in core/derived/impact while too little of it is taken out. The same options, deeds and steps give the same values. Not thread-safe.
///
/// Assumed, for want of published figures: idle shares, the course of jobs and their iterations, noise, first-order times. See docs/emulate.md.
class Hall {
public:
    /// Errors: Canceled; Refused for a design without a rack or device.
    [[nodiscard]] static Result<std::unique_ptr<Hall>> of(FiguresPtr figures, const Options& options, const Progress& progress = {});
    ~Hall();
    Hall(const Hall&) = delete;
    Hall& operator=(const Hall&) = delete;

    [[nodiscard]] const impact::Model& model() const;
    [[nodiscard]] const std::vector<Sensor>& sensors() const; ///< those of one entity follow each other
    [[nodiscard]] std::int64_t nowMs() const;                 ///< since the start
    [[nodiscard]] std::int64_t startMs() const;

    /// Goes on to a moment (ms since the start), in steps of `kMostStepMs` at most, then reads sensors. Values that differ from what was read
    /// last, those that were not said for 100 s, and all of meters that are polled; NaN: the sensor answers without a number; ascending by sensor;
    /// valid until the next call. Empty while the hall is silent.
    [[nodiscard]] std::span<const Value> advance(std::int64_t ms);
    static constexpr std::int64_t kMostStepMs = 1000, kSayAgainMs = 100'000;

    /// Sensors that said something before the last step and do not answer any more; valid as the values are.
    [[nodiscard]] const std::vector<SensorNo>& fellSilent() const;

    /// FaultActions to come, each at its second after now. Error: Refused, naming the deed, for an entity or sensor that there is not; then none is
    /// taken.
    [[nodiscard]] Result<void> plan(std::span<const FaultAction> deeds, const std::string& where);
    /// One deed, in the next step.
    [[nodiscard]] Result<void> apply(const FaultAction& deed, const std::string& where);
    [[nodiscard]] std::vector<HallEvent> happenings(); ///< since the last call

    /// What a sensor would read without noise and without its own faults; NaN: nothing answers.
    [[nodiscard]] double truth(SensorNo sensor) const;
    [[nodiscard]] std::optional<SensorNo> find(EntityRef entity, Reading reading, int part = 0) const;
    /// What an integration appended to the name of its channel; empty: nothing.
    [[nodiscard]] const std::string& renamed(SensorNo sensor) const;

    // What is true now, for tests and for those who judge.
    [[nodiscard]] const power::Network& network() const; ///< with the draws of now; devices, then batteries
    [[nodiscard]] const power::Flow& flow() const;
    [[nodiscard]] bool isUp(DeviceId device) const;
    [[nodiscard]] double speed(DeviceId server) const; ///< of its GPUs, 1: not slowed down
    /// Of the designed rate of a data port, what gets through; 0: its link is down.
    [[nodiscard]] double portShare(PortId port) const;
    [[nodiscard]] std::vector<DeviceId> jobHosts() const; ///< servers that work on the one job now, ascending
    [[nodiscard]] double jobSeconds() const; ///< seconds that the one job went on since the start ///< neither failed nor without power nor too hot
    struct Heat {
        double inW = 0;     ///< into the loop, of all that depends on it
        double outW = 0;    ///< that its sources take out
        double storedJ = 0; ///< that it keeps above its set point
        double risesK = 0;  ///< over its set point
        double flow = 0;    ///< L/min; air: m³/s
    };
    [[nodiscard]] const std::vector<Heat>& heat() const; ///< by loop of the cooling chain; what stands in cabinets is not in it
    [[nodiscard]] std::vector<std::string> failable(std::string_view words) const; ///< names of racks and of equipment that feeds or cools

private:
    struct State;
    explicit Hall(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace hw::emulation
