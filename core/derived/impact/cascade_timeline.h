// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/power_chain.h"
#include "core/foundation/catalog/catalog.h"
#include "core/physics/power/trip_curve.h"

#include <map>
#include <optional>

namespace hw::impact {

/// What of a power chain acts in time: batteries, generators that have to start, change-overs, protection. Batteries are elements of the
/// network beyond the devices, each the last way into its UPS.
struct Plant {
    power::Network network;
    power::Index devices = 0;             ///< number of the first battery
    std::vector<power::Index> batteryOf;  ///< by device; kNoBattery
    std::vector<power::Index> upsOf;      ///< by battery
    std::vector<std::int64_t> energy;     ///< by battery: mW for a millisecond, at the end of its life
    std::vector<char> generator, slow;    ///< by device: has to start; changes over with a gap
    std::vector<std::int64_t> rated;      ///< by device: what its protection is set to, in mW; 0 = does not trip
    std::vector<std::int64_t> trip;       ///< by device: what it carries for good, in mW: the conventional current of its band; 0 = does not trip
    std::vector<std::int64_t> pole;       ///< by device: the same on each of its phases, in mW; 0 = one phase, or nothing that trips by phase
    std::vector<std::uint8_t> curveOf;    ///< by device: among `curves`; kNoCurve = cuts out after `tripMs`
    std::vector<std::int64_t> most;       ///< by battery: gives no more for long, in mW; 0 = not limited
    std::int64_t startMs = 0, overMs = 0; ///< of generators; of a change-over with a gap
    std::optional<std::int64_t> tripMs;   ///< of batteries, engines and rectifiers above what they give; none: nothing trips
    std::vector<power::TripCurve> curves; ///< of breakers
    power::TripBound bound = power::TripBound::Earliest;
    static constexpr power::Index kNoBattery = 0xFFFFFFFFu;
    static constexpr std::uint8_t kNoCurve = 0xFF;

    /// How long an element of a device carries this, in ms, where it was not overloaded before: of its phases the first that opens. None: for good.
    [[nodiscard]] std::optional<std::int64_t> opensMs(power::Index device, const power::Phases& load) const;

    /// Times and shares are the settings "impact.*".
    [[nodiscard]] static Plant of(const Snapshot&, const ProjectParts&, const PowerChain&);
};

/// What happened to an element of the power chain, and when.
struct CascadeEvent {
    enum class What : std::uint8_t { OnBattery, BatteryEmpty, BatteryTripped, Started, ChangedOver, Tripped, PhaseTripped };
    What what = What::OnBattery;
    std::int64_t ms = 0;
    power::Index device = 0;
    Milliwatts load, rating;   ///< what it carries from then on, or carried when it tripped (on its most loaded phase); what its protection is set to
    std::int64_t lastsMs = -1; ///< of a battery at this load
    std::uint8_t phase = 0;    ///< that was too full, 1 to 3
    friend bool operator==(const CascadeEvent&, const CascadeEvent&) = default;
};

/// What follows from a failure in time, until nothing more happens.
struct CascadeTimeline {
    std::vector<CascadeEvent> happenings; ///< in order
    std::vector<power::Index> tripped;    ///< in order, batteries left out
    struct Gap {
        power::Index device = 0;
        std::int64_t fromMs = 0, toMs = 0;
        friend bool operator==(const Gap&, const Gap&) = default;
    };
    std::vector<Gap> gaps;                                          ///< of power that came back
    std::vector<std::pair<power::Index, std::int64_t>> darkSinceMs; ///< at the end, ascending by device; who is not named: at once
    std::vector<power::Index> overloaded;                           ///< at some moment; ascending
    std::map<power::Index, Milliwatts> peaks;  ///< most that elements which may trip carried meanwhile, where it is more than before
    std::int64_t endMs = 0;                    ///< of the last happening
    std::optional<std::int64_t> rideThroughMs; ///< of the battery that lasts least at the load that it took over
};

/// Plays failures through, one after the other. Not shared between threads.
class Clock {
public:
    explicit Clock(const Plant& plant);
    /// `settled`: the loss of the same, told as if all came at once. Valid until the next one.
    [[nodiscard]] const CascadeTimeline& run(std::span<const power::Index> lost, std::span<const power::Network::Use> cut,
                                             const power::Impact& settled);

private:
    using Index = power::Index;
    using Times = std::map<Index, std::int64_t>;

    [[nodiscard]] bool happensAtOnce(const power::Impact& settled);
    [[nodiscard]] bool startsNow(const power::Impact::Change& change) const;
    [[nodiscard]] bool overloads(const power::Impact::Change& change) const;
    [[nodiscard]] std::uint32_t wayOf(Index element, const power::Impact& state) const;
    [[nodiscard]] std::uint32_t usualWayOf(Index element) const;
    [[nodiscard]] bool holds(Index element, const power::Impact& state) const;
    [[nodiscard]] power::Impact stateNow();
    [[nodiscard]] bool wantsMore(const power::Impact& state, const Times& wantedBefore);
    void settle();
    void readDark(const power::Impact& state);
    void readBatteries(const power::Impact& state);
    [[nodiscard]] std::optional<std::int64_t> soonest() const;
    void passTo(std::int64_t ms);
    void happen();
    void tripDue();
    [[nodiscard]] std::optional<std::int64_t> opensIn(Index element) const;
    [[nodiscard]] Milliwatts carried(Index element) const;
    [[nodiscard]] const power::Phases& phasesOf(Index element) const;
    void trip(Index element);
    void note(CascadeEvent::What what, Index device, Milliwatts load = {}, Milliwatts rating = {}, std::int64_t lasts = -1);

    const Plant& m_plant;
    power::Survey m_survey;
    bool m_anySlow = false;
    CascadeTimeline m_course;
    std::int64_t m_now = 0;
    std::vector<Index> m_lost, m_gone; ///< what was given; all that is out in the last state, ascending
    std::vector<power::Network::Use> m_cut;
    std::vector<Index> m_running, m_empty;   ///< generators that started; batteries
    Times m_wanted, m_moving, m_left;        ///< generators since, change-overs until; battery: energy left
    std::map<Index, double> m_over;          ///< overloaded: the share of its time that it has used up
    std::map<Index, std::uint32_t> m_way;    ///< of what changed over: the way it uses
    std::map<Index, std::uint32_t> m_target; ///< of what changes over
    std::map<Index, Milliwatts> m_drain;     ///< batteries in use
    std::vector<std::pair<Index, std::int64_t>> m_dark;
    std::vector<power::Impact::Change> m_changed; ///< of the last state
    std::vector<std::size_t> m_unloaded;          ///< happenings whose load the next state tells
};

} // namespace hw::impact
