// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/kept_heat.h"
#include "core/derived/cooling/parallel.h"
#include "core/derived/impact/study.h"
#include "core/operations/monitoring/plan/plan.h"

#include <limits>
#include <map>
#include <memory>
#include <optional>

namespace hw::monitoring {

/// Something whose loss could be behind what is seen: an element that can fail, or a GPU of a host.
struct Suspect {
    impact::Failing element;
    std::int16_t gpu = -1;
    friend bool operator==(const Suspect&, const Suspect&) = default;
    friend bool operator<(const Suspect& a, const Suspect& b) // compared millions of times
    {
        if (a.element.entity != b.element.entity) return a.element.entity < b.element.entity;
        if (a.element.inlet != b.element.inlet) return a.element.inlet < b.element.inlet;
        if (a.element.outlet != b.element.outlet) return a.element.outlet < b.element.outlet;
        if (a.element.pump != b.element.pump) return a.element.pump < b.element.pump;
        return a.gpu < b.gpu;
    }
};

/// What the loss of suspects would make a point say.
enum class Predicted : std::uint8_t {
    Dead,
    Empties, ///< it works and carries next to nothing: what is left is its own loss
    MayDie,  ///< for a while, or later: a battery, a generator that starts, what is shut down when it gets too hot
    MayStop, ///< at once, or not at all: what moves nothing any more, what waits for others to take over
    Up,
    Down,
    MayRise, ///< with time: a temperature, what takes over once batteries are empty
    MayUp    ///< for a while, as long as others take over
};
struct Forecast {
    bindings::PointNo point = bindings::kNoPoint;
    Predicted what = Predicted::Dead;
    float ratio = 0;         ///< of what it says with nothing lost, where that follows
    bool later = false;      ///< and it may say nothing before long
    std::int64_t forMs = 0;  ///< of MayStop: no longer than that; 0: it may stay so
    std::int64_t fromMs = 0; ///< of MayDie: not before, counted from the loss; 0: at any time
    std::int64_t dueMs = 0;  ///< of MayDie and MayRise of loads: when batteries are empty, counted from the loss; 0: it is not known
    std::int64_t sureMs = 0; ///< of MayStop: until then it has no voltage, counted from the loss; 0: it may have
    friend bool operator==(const Forecast&, const Forecast&) = default;
};

/// Says what losses do to points, by the same study that tells their impact. Costs what a loss reaches. Not shared between threads.
class Predictor {
public:
    Predictor(impact::ModelPtr model, const Plans& plans, const bindings::Bound& bound);

    /// Ascending by point. `elapsedMs`: since it began; what follows later may only be.
    [[nodiscard]] std::vector<Forecast> of(std::span<const Suspect> lost, std::int64_t elapsedMs);
    /// What a loss does, and how many devices it leaves without power.
    struct Prediction {
        std::vector<Forecast> forecasts; ///< as `of` returns them
        std::size_t reached = 0;
        std::int64_t fromMs = 0, untilMs = 0; ///< it holds from the one and until the other, counted from the loss
    };
    /// The same, remembered: a search asks for the same losses every second.
    [[nodiscard]] std::shared_ptr<const Prediction> remembered(std::span<const Suspect> lost, std::int64_t elapsedMs);
    [[nodiscard]] const impact::Effect& effect(std::span<const Suspect> lost);
    [[nodiscard]] impact::Study& study() { return m_study; }
    [[nodiscard]] const impact::Model& model() const { return m_study.model(); }
    [[nodiscard]] std::span<const bindings::PointNo> pointsOf(DeviceId device) const { return m_ofDevice.of(device.value); }
    [[nodiscard]] std::span<const bindings::PointNo> pointsOf(LinkId link) const { return m_ofLink.of(link.value); }
    [[nodiscard]] std::span<const bindings::PointNo> pointsOf(RackId rack) const { return m_ofRack.of(rack.value); }
    /// Whether links are up, as the ports of a device say.
    [[nodiscard]] std::span<const bindings::PointNo> portsOf(DeviceId device) const { return m_ofPorts.of(device.value); }
    /// Ports of a device that are read together: those of one network. NVLink ports of a server and its NICs are read by different exporters.
    struct PortGroup {
        DeviceId device{};
        Maybe<NetworkId> network{};
    };
    [[nodiscard]] std::optional<PortGroup> groupOf(bindings::PointNo point) const; ///< of a port
    /// All that they say.
    [[nodiscard]] std::vector<bindings::PointNo> saidBy(const PortGroup& group) const;
    [[nodiscard]] bool isTaken(bindings::PointNo p) const;
    [[nodiscard]] bindings::Measure measureOf(bindings::PointNo p) const { return m_bound.points[p].measure; }
    /// Whether a point is the flow of a header, and what flows through the units of its loop; empty: of no header.
    [[nodiscard]] std::vector<bindings::PointNo> flowsBeside(bindings::PointNo p) const;

private:
    struct Lists {
        std::vector<std::uint32_t> first;
        std::vector<bindings::PointNo> points;
        void build(std::size_t owners, std::vector<std::pair<std::uint32_t, bindings::PointNo>> pairs);
        [[nodiscard]] std::span<const bindings::PointNo> of(std::uint32_t owner) const
        {
            if (std::size_t(owner) + 1 >= first.size()) return {};
            return {points.data() + first[owner], points.data() + first[owner + 1]};
        }
    };
    void put(bindings::PointNo point, Predicted what, float ratio = 0);
    void device(DeviceId id, Predicted what);
    [[nodiscard]] bool hasCome(std::int64_t ms, std::int64_t elapsedMs);
    void powerOf(const impact::Effect& effect, std::int64_t elapsedMs);
    void coolDownOf(const impact::Effect& effect);
    void bridgedRises(std::vector<power::Index> lost, const impact::Effect& effect, Predicted what);
    void gapsOf(const impact::Effect& effect);
    void startsOf(const impact::Effect& effect);
    void airOf(std::size_t loop);
    void racksOf();
    void coolingOf(const impact::Effect& effect);
    [[nodiscard]] cooling::Survey::Answer flowsOf(std::vector<DeviceId> lost, const impact::Effect& effect);
    [[nodiscard]] bool isOwnCircle(std::size_t unit) const;
    void waterOf(std::span<const DeviceId> lost, const impact::Effect& effect);
    void headersOf(std::span<const DeviceId> lost, const cooling::Survey::Answer& now);
    void shedBy(std::vector<power::Index> tripped, const impact::Effect& effect);
    void flowOf(std::size_t unit, bool taken, double ratio);
    [[nodiscard]] bool isCondenser(std::int32_t loop) const { return loop >= 0 && model().coolant.flow.condenser[std::size_t(loop)]; }
    void linksOf(const impact::Effect& effect);
    [[nodiscard]] std::vector<Forecast> onePerPoint();
    void partsOf(std::span<const Suspect> lost);

    impact::Study m_study;
    cooling::Survey m_cooling;
    cooling::KeptHeat m_kept; ///< which water still flows, as in the study and in the emulated hall
    const Plans& m_plans;
    const bindings::Bound& m_bound;
    std::vector<cooling::ParallelHeaders> m_headers;
    Lists m_ofDevice, m_ofLink, m_ofRack, m_ofPorts, m_said;
    Lists m_ofAir;           ///< of what its air is measured at, by loop
    power::Survey m_power;   ///< for what follows once servers are too hot
    power::Survey m_bridged; ///< batteries carry, for a while
    std::vector<DeviceId> m_dead, m_maybe;
    std::vector<Forecast> m_out;
    std::vector<std::uint64_t> m_order;
    std::size_t m_reached = 0;
    std::int64_t m_fromMs = 0, m_untilMs = 0; ///< of the last `of`: the next moments before and after at which something happens
    std::map<std::vector<Suspect>, std::shared_ptr<const Prediction>> m_remembered;
    std::size_t m_size = 0; ///< forecasts in it
};

} // namespace hw::monitoring
