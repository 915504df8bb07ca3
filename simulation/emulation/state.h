// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/emulation/electric.h"
#include "simulation/emulation/faults.h"
#include "simulation/emulation/jobs.h"
#include "simulation/emulation/thermal.h"

#include <deque>

namespace hw::emulation {

/// Sensors that are read together, every so often.
struct Group {
    SensorNo first = 0, count = 0;
    std::int64_t everyMs = 0, offsetMs = 0; ///< 0: at every step
    bool polled = false;                    ///< says its values at every reading, changed or not
};

/// The sensors of a design, group after group; used in this folder only.
struct SensorList {
    std::vector<Sensor> sensors;
    std::vector<Group> groups;
    [[nodiscard]] static SensorList of(const impact::Model& model, const CoolingChain& chain, const std::vector<PortId>& linked,
                                       const Options& options);
};
/// Places where power equipment is metered: all that is no tap or cord.
[[nodiscard]] PowerElement elementOf(const impact::Model& model, DeviceId id);
[[nodiscard]] bool isPower(const impact::Model& model, DeviceId id);

/// What a sensor adds of its own: noise, and the step in which it reads.
struct SensorKind {
    double relative = 0, absolute = 0; ///< of three even throws together
    double step = 0;                   ///< 0: as it is
    bool share = false;                ///< per cent: never outside 0 to 100
};
[[nodiscard]] const SensorKind& kindOf(Reading reading);

struct Hall::State {
    State(impact::ModelPtr model, const Options& options);

    void due(std::int64_t ms);
    void rework();
    void step(std::int64_t ms);
    void readDraws();
    void readUp();
    std::vector<std::uint32_t> playOne();
    void reroute();
    void warmGpus(double seconds);
    void sumRacks();
    void readSensors();
    void readGroup(const Group& group);
    void say(SensorNo no, double value, bool always);

    [[nodiscard]] double truth(SensorNo no) const;
    [[nodiscard]] double ofRack(const Sensor& sensor) const;
    [[nodiscard]] double ofPower(const Sensor& sensor) const;
    [[nodiscard]] double ofUnit(const Sensor& sensor) const;
    [[nodiscard]] double ofPump(const Sensor& sensor) const;
    [[nodiscard]] double ofGpu(const Sensor& sensor) const;
    [[nodiscard]] double ofPort(const Sensor& sensor) const;
    [[nodiscard]] double ofHall(const Sensor& sensor) const;
    [[nodiscard]] double voltsOf(DeviceId id) const; ///< line to line, as it is now
    [[nodiscard]] double powerFactor(DeviceId id) const;
    [[nodiscard]] double measured(SensorNo no, double value) const;

    impact::ModelPtr m;
    Options options;
    Electric electric;
    Thermal thermal;
    DataPorts ports;
    SensorList list;
    Faults faults;
    Jobs jobs;
    std::int64_t now = 0, readMs = -1; ///< since the start: of the last step, of the last reading
    double siteFactor = 0.95;
    double phaseV = 230, mediumV = 20'000;

    std::vector<std::uint32_t> hostOf; ///< by device: its place among the hosts of jobs; ~0: none
    std::vector<DeviceId> hosts;       ///< GPU servers
    std::vector<char> isHost, up, powered, hostUp;
    std::vector<Milliwatts> draw;                         ///< by device, wanted in this step
    std::vector<double> share, traffic;                   ///< by device: draw over design; seconds of traffic
    std::vector<double> gpuC;                             ///< by host
    std::vector<std::int64_t> rackMw;                     ///< by rack
    std::vector<std::vector<std::uint32_t>> takersOfRack; ///< by rack
    std::deque<Faults::Resolved> coming;                  ///< by time
    std::vector<std::int64_t> comingMs;
    std::vector<std::pair<std::int64_t, Faults::Resolved>> ending;
    std::vector<HallEvent> happened;
    std::uint64_t faultsSeen = 0;
    std::vector<char> linkUp;
    std::vector<std::uint32_t> ofJob; ///< hosts of the one job, with nothing lost
    impact::NetworkLoss lost;         ///< that its loads are of

    std::vector<double> last;  ///< by sensor: said last; NaN: nothing
    std::vector<char> answers; ///< by sensor: it said something, and did not fall silent since
    std::vector<std::int64_t> lastMs;
    std::vector<Value> values;
    std::vector<SensorNo> fellSilent;
};

} // namespace hw::emulation
