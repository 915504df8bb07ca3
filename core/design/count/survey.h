// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/count/design.h"
#include "core/design/layout/plan.h"

namespace hw::count {

/// The devices of a counted design one by one, and which of them links join, for the automatic layout. Links are not
/// walked: where a rule copies coordinates from end to end and no expression reads them, one value stands for all, and
/// upper devices that differ in such coordinates alone have the same devices below them.
class CountedDevices {
public:
    CountedDevices(std::vector<std::unique_ptr<Tier>>& tiers, std::vector<std::unique_ptr<Rule>>& rules, const TemplateCount& count,
                   layout::Parts& parts);
    [[nodiscard]] layout::Survey survey(); ///< all but the places of tiers
    [[nodiscard]] int planes() const { return m_planes; }
    [[nodiscard]] std::vector<std::vector<SitePlan::Stand>> emptyStands() const;
    void fill(std::vector<std::vector<SitePlan::Stand>>& stands, const layout::Plan& plan) const;

private:
    using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    void numberDevices(std::size_t tier);
    void addDevices(std::size_t tier);
    [[nodiscard]] layout::Demand plugged(std::size_t tier, PartTypeId type) const;
    void findShared();
    [[nodiscard]] bool joins(const Rule& rule) const;
    [[nodiscard]] Mask readBy(const Rule& rule) const;
    void addPairs(Rule& rule, Pairs& pairs) const;
    void listTwins();

    std::vector<std::unique_ptr<Tier>>& m_tiers;
    std::vector<std::unique_ptr<Rule>>& m_rules;
    const TemplateCount& m_count;
    layout::Parts& m_parts;
    layout::Survey m_out;
    std::vector<std::vector<std::uint32_t>> m_number; ///< of a device, by tier and member; layout::kNone: left out
    std::vector<Mask> m_shared;                       ///< by tier: coordinates in which upper devices have the same below them
    int m_planes = 0;
};

} // namespace hw::count
