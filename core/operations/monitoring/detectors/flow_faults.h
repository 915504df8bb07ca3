// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/system_detector.h"

#include <functional>
#include <optional>

namespace hw::monitoring {

/// Finds for low flows where along a loop they arise: units that move less than their part, and with most of what depends on the loop under its
/// need, the loop. One alarm tells of a loop, however many cabinets are short by it.
class FlowFaults {
public:
    FlowFaults(const Figures& figures, const bindings::Bound& bound, const Plans& plans);

    struct Fault {
        std::vector<bindings::PointNo> units, takers;        ///< flows under their need: where it arises, and what it takes from; furthest off first
        bool whole = false;                                  ///< most of what depends on the loop is short
        bool back = false;                                   ///< some of it reads as it should again, and only has to last
        bool known = false;                                  ///< a unit or pump of the loop is named as failed: that is why
        std::vector<bindings::PointNo> warm;                 ///< temperatures above what they may be, of what the loop cools, ascending
        bool hot = false;                                    ///< there are or were such
        double needs = 0;                                    ///< of what the heat needs by design, so much when it was reported
        bool told = false;                                   ///< one unit alone is waited for a while: more may follow
        std::int64_t sinceMs = 0, firstMs = 0, endedMs = -1; ///< firstMs: of this fault, that it was seen
    };
    /// `excused`: what another cause tells of. `failed`: what is named as one.
    void second(std::int64_t atMs, const Judge::Conditions& conditions, const Readings& readings, const Limits& limits,
                const std::function<bool(bindings::PointNo)>& excused, const std::function<bool(DeviceId)>& failed);
    /// By place among `Plans::loops`; without those that ended, and those of which it is known why.
    [[nodiscard]] std::map<std::uint32_t, Fault> standing() const;
    /// Whether a fault that stands, or ended of late, tells of a flow or temperature; `alarm`: also of that which stays a deviation of its own, a
    /// unit that alone moves too little.
    [[nodiscard]] bool explains(bindings::PointNo p, bool alarm = false) const;
    /// Whether what says it may be down by one, as it got too hot.
    [[nodiscard]] bool shutsDown(bindings::PointNo p) const;
    [[nodiscard]] Alarm alarmOf(std::uint32_t loop, const Fault& fault, const Judge::Conditions& conditions, const Readings& readings,
                                impact::Study& study) const;
    [[nodiscard]] const std::string& nameOf(std::uint32_t loop) const { return m_chain.loops[std::size_t(m_plans.loops[loop].loop)].name; }

private:
    [[nodiscard]] std::optional<Fault> locate(std::uint32_t loop, const Judge::Conditions& conditions, const Readings& readings, const Limits& limits,
                                              const std::function<bool(bindings::PointNo)>& excused) const;
    [[nodiscard]] bool cools(const Fault& fault, std::uint32_t loop, bindings::PointNo p) const;
    [[nodiscard]] double needsNow(const LoopFlows& flows, const Readings& readings) const;
    [[nodiscard]] bool isBehind(std::int32_t loop, std::int32_t of) const; ///< its heat goes into that one
    [[nodiscard]] std::uint32_t gpusOn(std::int32_t loop, const impact::Model& model) const;
    [[nodiscard]] double pumpsOf(const std::vector<EntityRef>& units, const Readings& readings) const;

    const Figures& m_figures;
    const bindings::Bound& m_bound;
    const Plans& m_plans;
    const CoolingChain& m_chain;
    std::vector<std::int32_t> m_loopOf; ///< by point: whose flow or warmth it is; -1: none
    std::map<std::uint32_t, Fault> m_faults;
};

[[nodiscard]] std::unique_ptr<SystemDetector> makeFlowFaults(const DetectorScene& scene);

} // namespace hw::monitoring
