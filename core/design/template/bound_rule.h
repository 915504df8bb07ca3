// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/bound_sets.h"

namespace hw::bound {

/// A link rule as a walk over the coordinates that are free to vary: those of the lower tier, those of the upper tier that do
/// not follow, and the loops of `each`. In this order, the last fastest, they give the links in the order of the design.
class Rule {
public:
    Rule(const LinkSpec& spec, Set& from, Set& to, Scope& constants);
    Rule(const Rule&) = delete;
    Rule& operator=(const Rule&) = delete;
    void refresh(); ///< after the sets; throws for loops beyond all measure

    [[nodiscard]] const LinkSpec& spec() const { return m_spec; }
    [[nodiscard]] const ExpressionText* field(const char* key) const;
    [[nodiscard]] Medium medium() const { return m_medium; }
    [[nodiscard]] LinkRole role() const { return m_role; }
    [[nodiscard]] bool spread() const { return m_spec.spread; }
    /// Ports that the lower device deals out, of a group that has so many; throws outside it.
    [[nodiscard]] std::int64_t portsToDeal(std::int64_t has) const;
    [[nodiscard]] bool hasIndex(bool from) const { return !(from ? m_fromIndex : m_toIndex).empty(); }
    [[nodiscard]] std::int64_t index(bool from) const { return (from ? m_fromIndex : m_toIndex).whole(); }
    [[nodiscard]] Mask indexMask(bool from) const { return from ? m_fromIndexMask : m_toIndexMask; }
    [[nodiscard]] bool when() const { return m_when.empty() || m_when.truth(); }

    [[nodiscard]] std::size_t lowerVariables() const { return m_fromSet.coordinates().size(); }
    [[nodiscard]] const std::vector<std::size_t>& free() const { return m_free; } ///< upper coordinates that vary by themselves
    [[nodiscard]] std::size_t variables() const { return m_extents.size(); }
    [[nodiscard]] std::int64_t extent(std::size_t variable) const { return m_extents[variable]; }
    [[nodiscard]] Mask all() const { return variables() == 64 ? ~Mask(0) : (Mask(1) << variables()) - 1; }
    /// Variables that stand for a coordinate of the upper tier as it is: by its coordinate, where one does.
    [[nodiscard]] std::optional<std::size_t> identity(std::size_t toCoordinate) const { return m_targets[toCoordinate].variable; }
    [[nodiscard]] Mask needsOfTarget(std::size_t toCoordinate) const { return m_targets[toCoordinate].needs; }
    [[nodiscard]] std::int64_t lower(std::size_t coordinate) { return std::int64_t(m_scope.slot(coordinate)); }
    [[nodiscard]] std::int64_t upper(std::size_t coordinate) { return std::int64_t(m_scope.slot(lowerVariables() + coordinate)); }

    void assign(std::size_t variable, std::int64_t value);
    void assignLower(std::size_t ordinal); ///< the lower tier's coordinates
    void follow(Mask walked);              ///< sets the upper tier's coordinates that follow from these variables
    /// The coordinate with which the upper tier's leave their set, if they do.
    [[nodiscard]] std::optional<std::size_t> outside();
    [[nodiscard]] std::size_t upperOrdinal();
    [[nodiscard]] bool loopsMoveTarget() const { return m_loopsMoveTarget; } ///< a mapping reads a loop: each turn has a target of its own
    [[nodiscard]] std::int64_t turns() const { return m_turns; }
    void assignTurn(std::int64_t turn);

protected:
    struct Target {
        Expression expression;
        std::optional<std::size_t> variable;
        Mask needs = 0;
    };
    [[nodiscard]] Mask needs(const ExpressionText* text) const;

    /// Calls f(weight) for every combination of the variables in `mask`; weight = how many of all share it.
    template <class F>
    void walkRaw(Mask mask, F&& f)
    {
        walkExtents(
            m_extents, mask, [&](std::size_t i, std::int64_t value) { assign(i, value); },
            [&](std::int64_t weight) {
                follow(mask);
                f(weight);
            });
    }

    const LinkSpec& m_spec;
    Set& m_fromSet;
    Set& m_toSet;
    Variables m_scope;                   ///< lower coordinates, "to.x", plain names that only the upper tier has, loops
    std::vector<Target> m_targets;       ///< by coordinate of the upper tier
    std::vector<std::int64_t> m_extents; ///< by variable
    Expression m_when, m_fromIndex, m_toIndex, m_spreadCount;
    Mask m_fromIndexMask = 0, m_toIndexMask = 0, m_spreadMask = 0, m_whenMask = 0;
    Mask m_readFixed = 0; ///< variables that any of its expressions reads

private:
    void bindTargets();
    void bindFields(Scope& constants);
    [[nodiscard]] Expression bindSpreadCount();

    std::vector<Mask> m_needsOfName;  ///< by name of the scope: the variables that its value follows from
    std::vector<std::size_t> m_plain; ///< scope slot of a plain name by coordinate of the upper tier, SIZE_MAX: none
    std::vector<std::size_t> m_free;
    std::vector<Expression> m_loops;
    Expression m_backup;
    std::int64_t m_turns = 1;
    bool m_loopsMoveTarget = false;
    Medium m_medium = Medium::Data;
    LinkRole m_role = LinkRole::Active;
};

/// The refusal of a link whose target has a coordinate outside its set.
[[nodiscard]] TemplateFailure noTarget(const LinkSpec& spec, const std::string& coordinate, std::int64_t value, std::int64_t extent);
/// The refusal of a data link whose lower (`from`) or upper ports are of no network.
[[nodiscard]] TemplateFailure noNetwork(const LinkSpec& spec, bool from);
/// The refusal of a link between two networks.
[[nodiscard]] TemplateFailure twoNetworks(const LinkSpec& spec, const std::string& from, const std::string& to);
[[nodiscard]] TemplateFailure noPortGroup(const LinkSpec& spec, bool from);

} // namespace hw::bound
