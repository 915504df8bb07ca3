// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/count/count.h"
#include "core/design/template/bound_parts.h"
#include "core/design/template/bound_rule.h"

namespace hw::count {

using bound::Constants;
using bound::Mask;
using bound::Set;

/// A port group of a tier at the present parameters.
struct Group {
    TemplateCount::PortGroup ports;
    bool absent = false;
    std::int64_t used = 0;
};

/// A tier as it is counted.
struct Tier : bound::Tier {
    Tier(const SetSpec& spec, const bound::Places& places, Scope& constants);
    TemplateCount::Tier fixed;            ///< name, label, network, kind, level, inPod
    std::vector<Expression> groupNumbers; ///< everything that the groups' sizes follow from
    std::vector<Group> groups;
    bool absent = false;      ///< its network is left out
    std::int64_t members = 0; ///< present ones
};

/// A link rule with its links counted.
class Rule : public bound::Rule {
public:
    Rule(const LinkSpec& spec, std::size_t from, std::size_t to, std::vector<std::unique_ptr<Tier>>& tiers, Scope& constants);
    void refresh(bool absent); ///< counts the links; throws for a target outside its set
    void checkIndices();       ///< throws for a port number outside its group, and for speeds that differ

    [[nodiscard]] Tier& tier(bool from) const { return from ? m_from : m_to; }
    [[nodiscard]] std::size_t tierNumber(bool from) const { return from ? m_fromNumber : m_toNumber; }
    [[nodiscard]] std::size_t groupNumber(bool from) const { return from ? m_fromGroup : m_toGroup; }
    [[nodiscard]] Group& group(bool from) const { return tier(from).groups[groupNumber(from)]; }
    [[nodiscard]] std::int64_t links() const { return m_links; }
    /// Pairs of devices and loops that the generator looks at.
    [[nodiscard]] std::int64_t work() const { return m_work; }
    [[nodiscard]] std::int64_t spreadPorts() const; ///< that the lower device at which the walk stands deals out; throws outside its group
    /// A spread that does not divide evenly goes on from device to device, so it repeats nowhere.
    [[nodiscard]] bool uneven() const { return m_uneven; }
    [[nodiscard]] Mask conditionMask() const { return m_conditions; }
    /// Variables that any expression of the rule or of its tiers' conditions reads.
    [[nodiscard]] Mask readMask() const { return m_read; }

    /// Calls f(weight) for every combination of the variables in `mask` (and those that decide whether a
    /// link is there), with the coordinates of both ends set as far as they follow.
    template <class F>
    void walk(Mask mask, F&& f)
    {
        walkRaw(mask | m_conditions, [&](std::int64_t weight) {
            if (holds()) f(weight);
        });
    }
    /// The same at one place of the walk over everything: combination number `n` of all variables.
    [[nodiscard]] bool at(std::int64_t n);
    void assignTier(bool from); ///< gives the tier's set the coordinates of this end
    [[nodiscard]] std::int64_t combinations() const;

private:
    void refreshConditions();
    [[nodiscard]] bool present(bool from);
    [[nodiscard]] bool holds();
    void countLinks();
    void countSpread();
    void countWork();
    void checkTargets();
    void checkIndex(bool from);

    std::size_t m_fromNumber, m_toNumber, m_fromGroup, m_toGroup;
    Tier& m_from;
    Tier& m_to;
    std::int64_t m_work = 0;
    bool m_uneven = false;
    Mask m_conditions = 0, m_read = 0;
    std::int64_t m_links = 0;
};

/// Calls f(lower, upper) for the links of a rule in the order of the design; `member(rule, from)` numbers the device at
/// which the walk stands. A spread deals the ports of a lower device over its targets, which come one after the other, as
/// LinkBuilder::spreadMember does.
template <class M, class F>
void walkLinks(Rule& rule, Mask mask, M&& member, F&& f)
{
    if (!rule.spread()) {
        rule.walk(mask, [&](std::int64_t) { f(member(rule, true), member(rule, false)); });
        return;
    }
    std::vector<std::int64_t> targets;
    std::int64_t device = -1;
    std::size_t ports = 0, dealtOver = 0;
    const auto deal = [&] {
        if (targets.empty()) return;
        const auto n = targets.size(), each = ports / n, rest = ports % n, start = dealtOver % n;
        dealtOver += rest;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < each + ((i + n - start) % n < rest); ++k) f(device, targets[i]);
        targets.clear();
    };
    rule.walk(mask, [&](std::int64_t) {
        if (const auto own = member(rule, true); own != device) {
            deal();
            device = own;
            ports = std::size_t(rule.spreadPorts());
        }
        targets.push_back(member(rule, false));
    });
    deal();
}

/// Physical cables of the rules: links whose ports share a connector share a cable. A socket counts with the rule
/// that uses it first.
struct CableCount {
    std::int64_t cables = 0, fromSockets = 0, toSockets = 0, fromJacks = 0, toJacks = 0;
};
[[nodiscard]] std::vector<CableCount> countCables(std::vector<std::unique_ptr<Rule>>& rules);

} // namespace hw::count
