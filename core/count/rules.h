// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/count/count.h"
#include "core/template/bound_sets.h"

namespace hw::count {

using bound::Constants;
using bound::Mask;
using bound::RackOf;
using bound::Set;
using bound::usedNames;
using bound::Variables;

/// A port group of a tier at the present parameters.
struct Group {
    TemplateCount::PortGroup ports;
    bool absent = false;
    std::int64_t used = 0;
};

/// A tier bound for counting.
struct Tier {
    Tier(const SetSpec& spec, Set* parent, Scope& constants) : set(spec, parent, constants) {}
    Set set;
    TemplateCount::Tier fixed; ///< name, label, network, kind, level, inPod
    DeviceRole role = DeviceRole::Active;
    Expression typeIndex, backup, unit;
    Mask typeMask = 0, backupMask = 0;
    std::vector<Expression> groupNumbers; ///< everything that the groups' sizes follow from
    std::vector<Group> groups;
    bool absent = false;         ///< its network is left out
    std::optional<Error> broken; ///< where it stands is not declared: wrong unless it is absent
    std::int64_t members = 0;    ///< present ones
    std::optional<RackOf> rack;
};

/// A link rule as a walk over the coordinates that are free to vary: those of the lower tier, those of
/// the upper tier that do not follow, and the loops of `each`. In this order, the last fastest, they
/// give the links in the order in which instantiate makes them.
class Rule {
public:
    Rule(const LinkSpec& spec, std::size_t from, std::size_t to, std::vector<std::unique_ptr<Tier>>& tiers, Scope& constants);
    void refresh(bool absent); ///< counts the links; throws for a target outside its set
    void checkIndices();       ///< throws for a port number outside its group, and for speeds that differ

    [[nodiscard]] const LinkSpec& spec() const { return m_spec; }
    [[nodiscard]] Tier& tier(bool from) const { return from ? m_from : m_to; }
    [[nodiscard]] std::size_t tierNumber(bool from) const { return from ? m_fromNumber : m_toNumber; }
    [[nodiscard]] std::size_t groupNumber(bool from) const { return from ? m_fromGroup : m_toGroup; }
    [[nodiscard]] Group& group(bool from) const { return tier(from).groups[groupNumber(from)]; }
    [[nodiscard]] Medium medium() const { return m_medium; }
    [[nodiscard]] LinkRole role() const { return m_role; }
    [[nodiscard]] std::int64_t links() const { return m_links; }
    /// Pairs of devices and loops that the generator looks at.
    [[nodiscard]] std::int64_t work() const { return m_work; }
    [[nodiscard]] bool spread() const { return m_spec.spread; }
    [[nodiscard]] std::int64_t spreadPorts() const; ///< that the lower device at which the walk stands deals out; throws outside its group
    /// A spread that does not divide evenly goes on from device to device, so it repeats nowhere.
    [[nodiscard]] bool uneven() const { return m_uneven; }
    [[nodiscard]] std::size_t lowerVariables() const { return m_from.set.coordinates().size(); }
    [[nodiscard]] bool hasIndex(bool from) const { return !(from ? m_fromIndex : m_toIndex).empty(); }
    [[nodiscard]] std::int64_t index(bool from) const { return (from ? m_fromIndex : m_toIndex).whole(); }
    [[nodiscard]] Mask indexMask(bool from) const { return from ? m_fromIndexMask : m_toIndexMask; }
    [[nodiscard]] Mask conditionMask() const { return m_conditions; }
    [[nodiscard]] std::size_t variables() const { return m_extents.size(); }
    [[nodiscard]] std::int64_t extent(std::size_t variable) const { return m_extents[variable]; }
    /// Variables that stand for a coordinate of the upper tier as it is: by its coordinate, where one does.
    [[nodiscard]] std::optional<std::size_t> identity(std::size_t toCoordinate) const;
    [[nodiscard]] Mask needsOfTarget(std::size_t toCoordinate) const { return m_targets[toCoordinate].needs; }
    /// Variables that any expression of the rule or of its tiers' conditions reads.
    [[nodiscard]] Mask readMask() const { return m_read; }
    [[nodiscard]] Mask all() const { return variables() == 64 ? ~Mask(0) : (Mask(1) << variables()) - 1; }

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
    [[nodiscard]] std::int64_t lower(std::size_t coordinate) { return std::int64_t(m_scope.slot(coordinate)); }
    [[nodiscard]] std::int64_t upper(std::size_t coordinate) { return std::int64_t(m_scope.slot(m_from.set.coordinates().size() + coordinate)); }
    [[nodiscard]] std::int64_t combinations() const;

private:
    struct Target {
        Expression expression;
        std::optional<std::size_t> variable;
        Mask needs = 0;
    };
    [[nodiscard]] Mask needs(const ExpressionText* text) const;
    [[nodiscard]] const ExpressionText* field(const char* key) const;
    void bindTargets(Scope& scope);
    void bindLoops(Scope& constants);
    void bindFields(Scope& scope);
    void refreshConditions();
    void assign(std::size_t variable, std::int64_t value);
    void follow(Mask walked); ///< sets the upper tier's coordinates that follow
    [[nodiscard]] bool present(bool from);
    [[nodiscard]] bool inside(); ///< the upper tier's coordinates lie in its set
    [[nodiscard]] bool holds();
    void countLinks();
    void countSpread();
    void countWork();
    void checkTargets();
    void checkIndex(bool from);

    template <class F>
    void walkRaw(Mask mask, F&& f)
    {
        std::int64_t weight = 1;
        std::vector<std::size_t> walked;
        std::vector<std::int64_t> value(m_extents.size(), 0);
        for (std::size_t i = 0; i < m_extents.size(); ++i) {
            if (m_extents[i] == 0) return;
            if (mask >> i & 1)
                walked.push_back(i);
            else
                weight *= m_extents[i];
            assign(i, 0);
        }
        for (;;) {
            follow(mask);
            f(weight);
            std::size_t k = walked.size();
            while (k-- > 0) {
                const std::size_t i = walked[k];
                value[i] = value[i] + 1 < m_extents[i] ? value[i] + 1 : 0;
                assign(i, value[i]);
                if (value[i] != 0) break;
            }
            if (k == SIZE_MAX) return;
        }
    }

    const LinkSpec& m_spec;
    std::size_t m_fromNumber, m_toNumber, m_fromGroup = 0, m_toGroup = 0;
    Tier& m_from;
    Tier& m_to;
    Variables m_scope;                ///< lower coordinates, "to.x", plain names that only the upper tier has, loops
    std::vector<Mask> m_needsOfName;  ///< by name of the scope: the variables that its value follows from
    std::vector<Target> m_targets;    ///< by coordinate of the upper tier
    std::vector<std::size_t> m_plain; ///< scope slot of a plain name by coordinate of the upper tier, SIZE_MAX: none
    std::vector<std::size_t> m_free;  ///< upper coordinates that vary by themselves
    std::vector<Expression> m_loops;
    std::vector<std::int64_t> m_extents; ///< by variable
    Expression m_when, m_fromIndex, m_toIndex, m_backup, m_spreadCount;
    std::int64_t m_work = 0;
    bool m_uneven = false, m_loopsMoveTarget = false; ///< a mapping of the target reads a loop of `each`
    Mask m_fromIndexMask = 0, m_toIndexMask = 0, m_spreadMask = 0, m_whenMask = 0, m_conditions = 0, m_readFixed = 0, m_read = 0;
    Medium m_medium = Medium::Data;
    LinkRole m_role = LinkRole::Active;
    std::int64_t m_links = 0;
};

/// Physical cables of the rules: links whose ports share a connector share a cable. A socket counts with the rule
/// that uses it first.
struct CableCount {
    std::int64_t cables = 0, fromSockets = 0, toSockets = 0, fromJacks = 0, toJacks = 0;
};
[[nodiscard]] std::vector<CableCount> countCables(std::vector<std::unique_ptr<Rule>>& rules);

} // namespace hw::count
