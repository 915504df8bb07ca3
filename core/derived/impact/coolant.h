// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/kept_heat.h"
#include "core/derived/impact/cascade_timeline.h"

#include <array>
#include <map>

namespace hw::impact {

/// The cooling chain of a design as stores of heat, and who gets too hot with them.
struct CoolantPlant {
    const CoolingChain* chain = nullptr;
    cooling::FlowTraits flow;
    std::vector<cooling::HeatLoop> loops;       ///< by loop of the chain
    std::vector<cooling::HeatCabinet> cabinets; ///< by taker of the chain
    struct Heated {
        Milliwatts liquid, air;             ///< its heat into coolant, and into the air of its room
        std::int32_t taker = -1, loop = -1; ///< of the chain; of that air
    };
    std::vector<Heated> heated;               ///< by device
    std::vector<Milliwatts> cabinetHeat;      ///< by taker
    std::vector<std::vector<DeviceId>> inAir; ///< by loop: of the room that it is the air of
    std::vector<std::uint32_t> takersOf;      ///< takers by their loop; those of loop l from `firstTaker[l]`
    std::vector<std::uint32_t> firstTaker;
    std::vector<std::int64_t> restartMs; ///< by unit: from power to its full capacity

    [[nodiscard]] static CoolantPlant of(const Snapshot&, const ProjectParts&, const PowerFigures&, const CoolingChain&);
    [[nodiscard]] std::span<const std::uint32_t> takers(std::uint32_t loop) const
    {
        return {takersOf.data() + firstTaker[loop], takersOf.data() + firstTaker[loop + 1]};
    }
};

/// A while in which heat stays in a loop, in the air of a room, or in cabinets through which nothing flows.
struct CoolantInterval {
    std::uint32_t loop = 0;               ///< of the chain
    bool stands = false;                  ///< in cabinets, each on its own coolant
    std::int64_t cabinets = 0;            ///< so many of them, at most at a time
    std::int64_t fromMs = 0, lastsMs = 0; ///< to the limit, if it had gone on as it began
    Milliwatts heat;                      ///< not taken out, at most at a time
    std::int64_t toMs = -1, leftMs = 0;   ///< all of it is taken out again, and what was left of the time; -1: never
    std::int64_t hotMs = -1;              ///< the first at the limit; -1: none
    friend bool operator==(const CoolantInterval&, const CoolantInterval&) = default;
};

/// Cooling equipment that had no power for a while.
struct CoolantRestart {
    DeviceId device;
    std::int64_t fromMs = 0, toMs = 0, readyMs = 0; ///< without power; and back at its full capacity
    friend bool operator==(const CoolantRestart&, const CoolantRestart&) = default;
};

/// What a failure does to the cooling, in time.
struct CoolantTimeline {
    std::vector<CoolantInterval> spells;                ///< in order
    std::vector<CoolantRestart> restarts;               ///< of units with a restart time; ascending by device, then time
    std::vector<std::pair<DeviceId, std::int64_t>> hot; ///< and since when; ascending
    std::vector<std::uint32_t> loops;                   ///< that lost units or ways, or keep heat; ascending
    Milliwatts missing;                                 ///< not taken out of cabinets and rooms, at most at a time
    std::optional<std::int64_t> rideThroughMs;          ///< from the failure to the first limit, had all gone on as it began
    bool ofAir = false;                                 ///< that limit is of air
    friend bool operator==(const CoolantTimeline&, const CoolantTimeline&) = default;
};

/// When devices were without power.
struct PowerLoss {
    std::span<const DeviceId> failed;  ///< from the start; ascending
    std::span<const DeviceId> stalled; ///< cooling units whose pumps inside failed
    std::span<const LinkId> shut;
    std::span<const DeviceId> dark; ///< for good, since `darkMs`
    std::span<const std::int64_t> darkMs;
    std::span<const CascadeTimeline::Gap> gaps; ///< of power that came back
};

/// Plays failures through, one after the other. Not shared between threads.
class CoolantTransient {
public:
    CoolantTransient(const CoolantPlant& plant, std::size_t devices);
    CoolantTransient(const CoolantTransient&) = delete; // the survey looks at the chain in here
    CoolantTransient& operator=(const CoolantTransient&) = delete;
    /// Valid until the next one.
    [[nodiscard]] const CoolantTimeline& run(const PowerLoss& loss);

private:
    enum Reason : std::uint8_t { Failed = 1, Dark = 2, Starting = 4, Hot = 8, Listed = 16 };
    struct Event {
        std::int64_t ms = 0;
        DeviceId device;
        Reason reason = Dark;
        bool begins = true;
    };
    struct Open { ///< spell of a loop that goes on
        std::int32_t spell = -1;
        std::int64_t lasts = 0; ///< from the last state
    };

    [[nodiscard]] bool touches(const PowerLoss& loss) const;
    void readEvents(const PowerLoss& loss);
    void put(DeviceId id, Reason reason, bool on);
    [[nodiscard]] bool out(DeviceId id) const { return (m_state[id.value] & ~Listed) != 0; }
    void happen(std::int64_t ms);
    void settle();
    void readHeat();
    [[nodiscard]] bool markHot();
    [[nodiscard]] bool heats(DeviceId id);
    void readSpells();
    void readSpell(std::uint32_t loop, bool stands, std::optional<std::int64_t> lasts, Milliwatts heat, std::int64_t cabinets, bool hot);
    void readLoops(const PowerLoss& loss);

    const CoolantPlant& m_plant;
    CoolingChain m_chain; ///< with the heat of what is not out
    cooling::KeptHeat m_kept;
    cooling::HeatTransient m_heat;
    CoolantTimeline m_course;
    std::vector<std::uint8_t> m_state; ///< by device: reasons why it is out
    std::vector<DeviceId> m_out;       ///< that are or were out, each once
    std::vector<LinkId> m_shut;
    std::vector<Event> m_events;
    std::size_t m_next = 0;
    std::int64_t m_now = 0, m_settled = 0;
    std::vector<Milliwatts> m_cabinetHeat;   ///< by taker, now
    std::vector<std::array<Open, 2>> m_open; ///< by loop: warms, stands
    std::vector<char> m_short;               ///< by loop: kept heat at some moment
};

} // namespace hw::impact
