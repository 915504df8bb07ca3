// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cable_choice.h"
#include "core/derived/geometry/routing.h"

#include <functional>
#include <map>
#include <span>

namespace hw {

struct CableIndex; // see cable_index.h
class CableRuns;

/// Length, medium and transceivers of every physical cable, chosen from rate, length and the modules'
/// own reach: the cheapest feasible set. Arrays are indexed by cable id.
class Cabling {
public:
    struct Cable {
        std::int32_t routeMm = 0;               ///< port to port along trays and drops, without slack
        std::int32_t loopMm = 0;                ///< service loops at its ends in racks, on top of the route
        std::int32_t lengthMm = 0;              ///< bought: with slack, rounded up to a stocked length
        Maybe<PartTypeId> type;                 ///< none: nothing in the catalog fits
        Maybe<PartTypeId> moduleFrom, moduleTo; ///< transceivers on its lower and upper side; none for copper
        std::uint8_t links = 0;                 ///< logical links that share it, at most 255
        bool reachExceeded = false;
        bool noRoute = false;
        bool partOf = false; ///< of the same copper assembly as an earlier cable of its socket, with which it is bought
        friend bool operator==(const Cable&, const Cable&) = default;
    };
    /// One line of the sums kept for the BOM: how many of a cable type at a stocked length.
    struct TypeLength {
        PartTypeId type;
        std::int32_t lengthMm = 0;
        auto operator<=>(const TypeLength&) const = default;
    };

    [[nodiscard]] static std::shared_ptr<const Cabling> compute(const Snapshot&, std::shared_ptr<const CableIndex>, const Routing&);
    /// The same as `compute` after only the given pairs changed their length or heights.
    [[nodiscard]] static std::shared_ptr<const Cabling> moved(const Cabling& before, const Snapshot& after, const Routing&,
                                                              std::span<const std::uint32_t> changedPairs);
    /// The cables whose transceivers differ from `before`; nothing where the wiring is not the same.
    [[nodiscard]] std::optional<std::vector<CableId>> refittedSince(const Cabling& before) const;
    /// The setting "cabling.slack_percent" (decimal, default 5) in 1/10,000.
    [[nodiscard]] static std::int32_t slackOf(const Snapshot&);
    /// The setting "cabling.service_loop_mm".
    [[nodiscard]] static std::int32_t serviceLoopOf(const Snapshot&);
    /// What route, service loops and slack ask for, before a length is bought.
    [[nodiscard]] std::int32_t neededMm(const Cable& cable) const
    {
        return std::int32_t((std::int64_t(cable.routeMm + cable.loopMm) * (10000 + m_slack) + 9999) / 10000);
    }
    static constexpr std::int32_t kPatchingMm = 800; ///< within one rack: 2 × 400 mm to and from the side (assumed)

    [[nodiscard]] const Cable& operator[](CableId id) const { return m_cables[id.value]; }
    [[nodiscard]] std::size_t size() const { return m_cables.size(); } ///< ids that may be asked for
    /// True where a link's lower end is on the upper side of its cable.
    [[nodiscard]] bool isFlipped(LinkId link) const;
    /// The transceiver at one end of a link.
    [[nodiscard]] Maybe<PartTypeId> moduleAt(LinkId link, CableId cable, bool from) const;
    /// Why a cable has neither type nor modules. Cause None: it has, or there is no way for it.
    [[nodiscard]] NoCableReason whyNone(const Snapshot&, CableId) const;
    /// Calls f(device, module) for every transceiver that a cable plugs into. A socket that several cables
    /// share counts with the first one.
    void forModules(CableId id, const std::function<void(DeviceId, PartTypeId)>& f) const;
    /// Of links over panels: the cables behind them, which have no modules.
    [[nodiscard]] const CableRuns& runs() const;
    [[nodiscard]] bool isRun(CableId id) const; ///< it goes on from a panel
    /// What a link's cables are together: length, and how far its modules go. Without panels that of its one cable.
    [[nodiscard]] std::int64_t channelMm(const Snapshot&, LinkId) const;
    [[nodiscard]] const CableChoice& choice() const;
    [[nodiscard]] std::uint32_t classOf(CableId id) const;
    /// Where a cable begins and ends: its link's devices, or panels.
    [[nodiscard]] std::pair<DeviceId, DeviceId> endsOf(CableId id) const;
    /// Links of a cable in the order of ids (a breakout or a trunk has several).
    [[nodiscard]] std::span<const LinkId> linksOf(CableId id) const;
    [[nodiscard]] std::span<const CableId> cablesOfPair(std::uint32_t pair) const;
    [[nodiscard]] const std::map<TypeLength, std::int64_t>& physicalByTypeLength() const { return m_byTypeLength; }
    [[nodiscard]] const std::map<PartTypeId, std::int64_t>& transceivers() const { return m_transceivers; }
    [[nodiscard]] std::int32_t longestMm() const { return m_longestMm; } ///< longest bought length of a data cable

private:
    friend bool operator==(const Cabling&, const Cabling&);
    /// The cable's way and the length that it needs; nothing where there is no way, or nothing to choose.
    [[nodiscard]] std::optional<CableChoice::Wanted> measure(const Snapshot&, const Routing&, CableId, Cable& cable) const;
    /// One stretch between two devices; adds to the cable's way.
    struct Stretch {
        DeviceId from, to;
        std::uint32_t pair = 0xFFFFFFFFu;
        std::uint8_t flags = 0;
    };
    void takeStretch(const Routing&, const Stretch&, Cable& cable) const;
    /// A cable behind a panel, before the modules of its links are known.
    [[nodiscard]] Cable makeRun(const Snapshot&, const Routing&, CableId) const;
    /// What a cable whose links go over panels wants: the length of all runs.
    [[nodiscard]] CableChoice::Wanted overPanels(const Snapshot&, const Routing&, CableId first, std::int32_t ownMm) const;
    /// Gives the first cable, and the last behind the panels, the cord that was chosen, so that pairs end on the right side;
    /// returns those behind.
    [[nodiscard]] std::vector<std::pair<CableId, Cable>> finishRuns(const Snapshot&, const Routing&, CableId first, Cable& cable) const;
    [[nodiscard]] bool overPanels(CableId first) const;
    template <class F>
    void makeAlone(const Snapshot&, const Routing&, CableId, F&& f) const;
    /// The cables of a bundle; calls f(id, cable) for each.
    template <class F>
    void makeBundle(const Snapshot&, const Routing&, std::uint32_t bundle, F&& f) const;
    struct Sums;
    void count(CableId id, std::int64_t sign, Sums& sums) const;
    void take(const Sums& sums);

    std::vector<Cable> m_cables;
    std::map<TypeLength, std::int64_t> m_byTypeLength;
    std::map<std::int32_t, std::int64_t> m_untyped; ///< cables without a type, by length
    std::map<PartTypeId, std::int64_t> m_transceivers;
    std::int32_t m_longestMm = 0;
    std::int32_t m_slack = 0, m_loop = 0;
    std::shared_ptr<const CableIndex> m_index;              ///< shared between figures whose wiring is the same
    std::uint64_t m_number = nextNumber(), m_movedFrom = 0; ///< its own, and of what it was moved from
    std::vector<CableId> m_refitted;                        ///< cables whose transceivers differ from there
    [[nodiscard]] static std::uint64_t nextNumber();
};

} // namespace hw
