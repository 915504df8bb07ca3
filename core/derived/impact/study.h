// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/failing.h"

#include <algorithm>
#include <tuple>

namespace hw::impact {

/// How many there are, hosts and what is theirs that stand by counted apart.
struct Count {
    std::int64_t active = 0, backup = 0;
    void add(bool isBackup, std::int64_t n = 1) { (isBackup ? backup : active) += n; }
    friend auto operator<=>(const Count&, const Count&) = default;
};

/// What a failure costs, as numbers. All of it is against the design as it stands: what had no power before is not lost.
struct Loss {
    Count gpusLost;     ///< the host is down, or has no card left in the backend
    Count gpusDegraded; ///< a card of theirs lost ports. GPUs and cards of a host belong to each other in order
    Count hostsLost;
    Count portsLost;                     ///< linked backend ports of hosts
    Count nicsLost;                      ///< backend cards without a link left
    Count nicsHalf;                      ///< with some left
    std::int64_t devicesDark = 0;        ///< that draw power and get none, the failed ones left out
    std::int64_t equipmentDark = 0;      ///< of the power chain
    std::int64_t devicesHot = 0;         ///< their coolant, or the air around them, came to its limit
    std::int64_t linksLost = 0;          ///< data links of any network
    std::int64_t tripped = 0;            ///< of the power chain, for what the failure left them to carry
    std::int64_t devicesInterrupted = 0; ///< that draw power, were without it for a while and have it again
    Count hostsInterrupted;              ///< of these: they start again
    std::int64_t redundancyLost = 0;     ///< live things with a way less: devices, cards, switches, cooling
    Milliwatts coolingLost;              ///< capacity of the cooling units that are down
    Milliwatts coolingShort;             ///< heat of cabinets and rooms that is not taken out, at most at a time, beyond what was not before
    /// Of the backend's narrowest level that is needed to join all hosts, what is left over what there was.
    double bisectionShare = 1;

    /// Greater is worse: GPUs, hosts, what starts again, cards, ports, what is degraded, redundancy.
    [[nodiscard]] auto badness() const
    {
        return std::tuple(gpusLost.active, hostsLost.active, hostsInterrupted.active, nicsLost.active, portsLost.active, devicesDark + devicesHot,
                          coolingShort, gpusDegraded.active, -bisectionShare, gpusLost.backup, linksLost, redundancyLost);
    }
    friend bool operator==(const Loss&, const Loss&) = default;
};

/// What happened to which.
struct Effect {
    Failed failed;
    std::vector<DeviceId> dark, hot;         ///< ascending, the failed ones left out; what was hot first and has no power later is both
    std::vector<std::int64_t> darkMs, hotMs; ///< when, by place in `dark`, in `hot`
    CoolantTimeline coolant;                 ///< empty where the failure leaves the cooling alone
    std::vector<DeviceId> tripped;           ///< ascending; not among the dark
    CascadeTimeline course;                  ///< empty where all comes at once
    std::vector<CascadeTimeline::Gap> gaps;  ///< of devices that draw power and are not down, the longest of each; ascending
    std::vector<DeviceId> weakened;          ///< live with a way of power less; ascending
    std::vector<power::Impact::Change> changed;
    std::vector<LinkId> links;       ///< data links that are down
    std::vector<std::uint32_t> nics; ///< of any network, that lost links; ascending
    std::vector<DeviceId> hosts;     ///< without a backend card left, while they have power; ascending
    std::vector<DeviceId> switches;  ///< live, with fewer uplinks; ascending
    /// The last that happens, ms.
    [[nodiscard]] std::int64_t endMs() const
    {
        return std::max(course.endMs, hotMs.empty() ? std::int64_t(0) : *std::max_element(hotMs.begin(), hotMs.end()));
    }
    /// From the failure until a battery is empty or coolant or air at its limit, if all went on as it began.
    [[nodiscard]] std::optional<std::int64_t> rideThroughMs() const
    {
        if (!course.rideThroughMs || !coolant.rideThroughMs) return course.rideThroughMs ? course.rideThroughMs : coolant.rideThroughMs;
        return std::min(*course.rideThroughMs, *coolant.rideThroughMs);
    }
    [[nodiscard]] bool ridesOnCoolant() const { return coolant.rideThroughMs && coolant.rideThroughMs == rideThroughMs(); }
    struct Share {
        std::uint32_t segment = 0; ///< of the model
        double left = 1;
        friend bool operator==(const Share&, const Share&) = default;
    };
    std::vector<Share> segments; ///< that have less bandwidth than before; ascending
    Loss loss;
};

/// Works out failures one after the other, each touching only what it reaches. Not shared between threads.
class Study {
public:
    explicit Study(ModelPtr model);
    /// Valid until the next one.
    [[nodiscard]] const Effect& lose(std::span<const Failing> elements);
    [[nodiscard]] const Effect& lose(const Failing& element) { return lose({&element, 1}); }

    [[nodiscard]] const Model& model() const { return *m_model; }
    [[nodiscard]] bool isDown(DeviceId id) const { return m_down[id.value] == m_round; }         ///< failed, tripped, dark or hot
    [[nodiscard]] int linksLost(std::uint32_t nic) const { return m_nicLost[nic].get(m_round); } ///< of a card
    [[nodiscard]] int uplinksLost(DeviceId id) const { return m_upLost[id.value].get(m_round); }
    /// Sources or pumps of a loop of the chain that are down for good, of whichever it lost more.
    [[nodiscard]] std::int64_t unitsLost(std::uint32_t loop) const;

private:
    /// A number that is zero until it is touched in a round.
    struct Tally {
        std::uint32_t round = 0;
        std::int64_t value = 0;
        std::int64_t& at(std::uint32_t now)
        {
            if (round != now) round = now, value = 0;
            return value;
        }
        [[nodiscard]] int get(std::uint32_t now) const { return round == now ? int(value) : 0; }
    };
    void losePower();
    void takeCourse(std::vector<power::Index>& lost, power::Impact& impact);
    void countGaps();
    void loseCoolant();
    void takeDown(DeviceId id);
    void loseLink(LinkId id);
    void countHosts();
    void countHost(std::span<const std::uint32_t> nics);
    void countCooling();
    void countShares();

    ModelPtr m_model;
    power::Survey m_power;
    Clock m_clock;
    CoolantTransient m_coolant;
    Effect m_effect;
    std::uint32_t m_round = 0;
    std::vector<std::uint32_t> m_down, m_link; ///< round, by device, by link
    std::vector<Tally> m_nicLost, m_upLost, m_access, m_up;
    std::vector<std::uint32_t> m_touchedSegments;
    std::vector<std::int64_t> m_levelLost;
};

} // namespace hw::impact
