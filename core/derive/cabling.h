// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/geometry/routing.h"

namespace hw {

/// Length, medium and transceivers of every physical cable, chosen from rate, length and the modules'
/// own reach: the cheapest feasible set. Arrays are indexed by cable id.
class Cabling {
public:
    struct Cable {
        std::int32_t routeMm = 0;   ///< port to port along trays and drops, without slack
        std::int32_t lengthMm = 0;  ///< bought: with slack, rounded up to a stocked length
        Maybe<PartTypeId> type;     ///< none: nothing in the catalogue fits
        Maybe<PartTypeId> moduleFrom, moduleTo; ///< transceiver at the lower and upper end; none for copper
        std::uint8_t links = 0;     ///< logical links that share it
        bool reachExceeded = false;
        bool noRoute = false;
        friend bool operator==(const Cable&, const Cable&) = default;
    };
    /// One line of the sums kept for the BOM: how many of a cable type at a stocked length.
    struct TypeLength { PartTypeId type; std::int32_t lengthMm = 0; auto operator<=>(const TypeLength&) const = default; };

    [[nodiscard]] static std::shared_ptr<const Cabling> compute(const Snapshot&, const ProjectParts&, const Placement&, const Routing&);
    [[nodiscard]] static std::shared_ptr<const Cabling> moved(const Cabling& before, const Snapshot& after, const ProjectParts&,
                                                              const Placement&, const Routing&, std::span<const std::uint32_t> changedPairs);

    [[nodiscard]] const Cable& operator[](CableId id) const { return m_cables[id.value]; }
    /// Links of a cable in the order of ids (a breakout has several).
    [[nodiscard]] std::span<const LinkId> linksOf(CableId id) const;
    [[nodiscard]] std::span<const CableId> cablesOfPair(std::uint32_t pair) const;
    [[nodiscard]] const std::map<TypeLength, std::int64_t>& physicalByTypeLength() const { return m_byTypeLength; }
    [[nodiscard]] const std::map<PartTypeId, std::int64_t>& transceivers() const { return m_transceivers; }
    [[nodiscard]] std::int32_t longestMm() const { return m_longestMm; }

private:
    friend class CablingBuilder;
    friend bool operator==(const Cabling&, const Cabling&);
    std::vector<Cable> m_cables;
    std::map<TypeLength, std::int64_t> m_byTypeLength;
    std::map<PartTypeId, std::int64_t> m_transceivers;
    std::int32_t m_longestMm = 0;
    // index arrays (links of cable, cables of pair) are shared between figures whose wiring is the same
};

} // namespace hw
