// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/failure.h"
#include "core/design/template/spec.h"

#include <cstdint>

namespace hw::bound {

/// Coordinates as bits, the first one the lowest. More than 64 are refused.
using Mask = std::uint64_t;

/// The names that the text of an expression uses.
[[nodiscard]] Mask usedNames(const ExpressionText* text, const std::vector<std::string>& names);

/// Calls assign(which, value) and f(weight) for every combination of the values below `extents` of those in `mask`, the others at 0;
/// weight = how many of all share it.
template <class Assign, class F>
void walkExtents(const std::vector<std::int64_t>& extents, Mask mask, const Assign& assign, const F& f)
{
    std::int64_t weight = 1;
    std::vector<std::size_t> walked;
    std::vector<std::int64_t> value(extents.size(), 0);
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (extents[i] == 0) return;
        if (mask >> i & 1)
            walked.push_back(i);
        else
            weight *= extents[i];
        assign(i, 0);
    }
    for (;;) {
        f(weight);
        std::size_t k = walked.size();
        while (k-- > 0) {
            const std::size_t i = walked[k];
            value[i] = value[i] + 1 < extents[i] ? value[i] + 1 : 0;
            assign(i, value[i]);
            if (value[i] != 0) break;
        }
        if (k == SIZE_MAX) return;
    }
}

/// Parameters and values, bound once and evaluated again for each choice of parameters.
class Constants {
public:
    explicit Constants(const TemplateSpec& spec);
    /// Evaluates everything. Throws TemplateFailure: where a value cannot be had, in the words of a constraint that is
    /// violated by what was evaluated before it.
    void set(const ParameterValues& values);
    void check() const; ///< throws for a violated constraint
    [[nodiscard]] Scope& scope() { return m_scope; }
    [[nodiscard]] const Scope& scope() const { return m_scope; }

private:
    void bindValue(std::size_t i, std::vector<char>& state, const std::map<std::string, std::size_t, std::less<>>& numbers);
    void checkWith(std::size_t values) const;
    [[nodiscard]] TemplateFailure violated(const ConstraintSpec& constraint, const NamePattern& message) const;
    const TemplateSpec& m_spec;
    mutable Scope m_scope; ///< messages bind to it
    struct Value {
        const std::string* name;
        double* slot;
        Expression expression;
    };
    std::vector<Value> m_values; ///< each after those that it reads
    std::vector<Expression> m_constraints;
    mutable std::vector<std::optional<NamePattern>> m_messages; ///< of the constraints, bound when first told
};

/// A scope inside the constants with slots of its own for coordinates, which win over constants of the same name.
class Variables {
public:
    Variables(Scope& constants, const std::vector<std::string>& names);
    Variables(const Variables&) = delete; ///< its addresses are handed out
    Variables& operator=(const Variables&) = delete;
    [[nodiscard]] Scope& scope() { return m_scope; }
    double& slot(std::size_t i) { return *m_slots[i]; }
    [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }

private:
    Scope m_scope;
    std::vector<std::string> m_names;
    std::vector<double*> m_slots;
};

/// A set of the template: its shape at the present parameters, and which members are left out.
class Set {
public:
    Set(const SetSpec& spec, Set* parent, Scope& constants);
    Set(const Set&) = delete;
    Set& operator=(const Set&) = delete;
    void refresh(); ///< after Constants::set; parents first
    [[nodiscard]] const SetSpec& spec() const { return m_spec; }
    [[nodiscard]] Set* parent() const { return m_parent; }
    [[nodiscard]] const std::vector<std::string>& coordinates() const { return m_variables.names(); }
    [[nodiscard]] const std::vector<std::int64_t>& extents() const { return m_extents; }
    [[nodiscard]] std::int64_t size() const { return m_size; } ///< with those left out
    [[nodiscard]] std::optional<std::size_t> coordinate(const std::string& name) const;
    /// Coordinates that decide `present` at these parameters: none where `when` leaves nobody out.
    [[nodiscard]] Mask conditions() const { return (m_allPresent ? 0 : m_ownConditions) | (m_parent ? m_parent->conditions() : 0); }
    [[nodiscard]] bool conditional() const { return !m_allPresent || (m_parent && m_parent->conditional()); }
    [[nodiscard]] Mask uses(const ExpressionText* text) const { return usedNames(text, coordinates()); }
    [[nodiscard]] Expression expression(const std::string& key);
    [[nodiscard]] Variables& variables() { return m_variables; }
    void assign(std::size_t coordinate, std::int64_t value); ///< here and in the parents
    [[nodiscard]] std::int64_t value(std::size_t coordinate) { return std::int64_t(m_variables.slot(coordinate)); }
    [[nodiscard]] bool present() const; ///< of the member that the coordinates name
    /// The same where the parent's member is known to be there.
    [[nodiscard]] bool presentInParent() const { return m_allPresent || m_when.truth(); }
    [[nodiscard]] std::size_t ordinal();
    void assignOrdinal(std::size_t ordinal);
    void assignHere(std::size_t ordinal); ///< without the parents
    /// Members for each of the parent's.
    [[nodiscard]] std::size_t perParent() const { return m_perParent; }
    /// "server/pod=0/host=3", of the member that the coordinates name.
    [[nodiscard]] std::string key(std::string_view section);
    [[nodiscard]] NamePattern name(); ///< of the members

    /// Calls f(weight) for every present combination of the coordinates in `mask` and of those that
    /// decide presence; weight = members that share it.
    template <class F>
    void forEach(Mask mask, F&& f)
    {
        walkExtents(
            m_extents, mask | conditions(), [&](std::size_t i, std::int64_t value) { assign(i, value); },
            [&](std::int64_t weight) {
                if (present()) f(weight);
            });
    }

private:
    const SetSpec& m_spec;
    Set* m_parent;
    Variables m_variables;
    std::vector<Expression> m_each;
    Expression m_when;
    std::vector<std::int64_t> m_extents;
    std::int64_t m_size = 1;
    std::size_t m_perParent = 1;
    [[nodiscard]] bool leavesNobodyOut();
    Mask m_ownConditions = 0; ///< coordinates that `when` reads
    bool m_allPresent = true; ///< so far as this set's own `when` goes
};

/// Finds a member of another set, such as the rack of a device, from a member's coordinates.
class MemberOf {
public:
    MemberOf(const MemberSpec& spec, Set& target, Set& source);
    void check();                              ///< each coordinate by itself stays inside; throws
    [[nodiscard]] bool go();                   ///< assigns the target of the assigned member; false outside
    [[nodiscard]] std::size_t ordinal() const; ///< of the target of the assigned member; throws outside
    [[nodiscard]] Set& target() const { return m_target; }

private:
    struct Part {
        Expression expression;
        std::optional<std::size_t> shared;
        Mask uses = 0;
    };
    [[nodiscard]] std::int64_t value(const Part& part) const;
    [[nodiscard]] TemplateFailure outside(std::size_t coordinate, std::int64_t value) const;
    const MemberSpec& m_spec;
    Set& m_target;
    Set& m_source;
    std::vector<Part> m_parts;
};

} // namespace hw::bound
