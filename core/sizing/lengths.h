// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/template/count.h"

namespace hw::sizing {

/// Estimates the way of a link without routing it. Where the template says where racks stand, a sample of
/// its links is measured along rows and the nearest spine tray; where the engine lays the design out,
/// devices are taken to stand in the order of their tier in rows of racks. README.md, "Lengths".
class LengthModel {
public:
    /// `serversPerRack` 0: as many as units and the rack's power take.
    LengthModel(TemplateCounter& counter, const TemplateCount& count, const Catalogue& catalogue, std::int64_t serversPerRack = 0);
    /// Ways of a sample of the rule's links, mm from port to port without slack, in a fixed order.
    [[nodiscard]] std::vector<std::int32_t> sample(std::size_t rule, std::size_t most);
    /// Racks of the automatic layout, by estimate; 0 where the template has its own.
    [[nodiscard]] std::int64_t estimatedRacks() const { return m_racks; }

private:
    struct Strip { std::int64_t perRack = 1, racks = 0; bool middle = false; }; ///< how a tier stands in the hall
    [[nodiscard]] std::int32_t measured(const LinkEndPlace& a, const LinkEndPlace& b);
    [[nodiscard]] std::int32_t acrossHall(const LinkEndPlace& a, const LinkEndPlace& b);
    [[nodiscard]] std::int32_t ranked(const TemplateCount::Rule& rule, const LinkSample& sample) const;
    struct Spot { std::int64_t rack = -1, row = 0, x = 0, y = 0; };
    [[nodiscard]] Spot spotOf(std::size_t tier, std::size_t member) const;
    void layOut(const Catalogue& catalogue, std::int64_t serversPerRack);

    TemplateCounter& m_counter;
    const TemplateCount& m_count;
    std::vector<Strip> m_strips;      ///< by tier
    std::vector<std::int64_t> m_size; ///< members of a tier's set, by tier
    std::int64_t m_racks = 0, m_rows = 1;
    std::map<std::size_t, std::vector<SpineLine>> m_spines; ///< by hall set
};

} // namespace hw::sizing
