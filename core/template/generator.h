// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/template/failure.h"
#include "core/template/spec.h"

#include <set>

namespace hw {

class PortBinder;
namespace count {
class PortTable;
}

/// Coordinates and members of one set of the template after expansion.
struct SetInstance {
    static constexpr std::uint32_t kAbsent = 0xFFFFFFFFu;

    const SetSpec* spec = nullptr;
    std::vector<std::string> coordinates; ///< the parent's first
    std::vector<std::int64_t> extents;
    std::size_t ownCount = 1;           ///< members per parent member
    std::vector<std::uint32_t> members; ///< row id by ordinal (mixed radix, last coordinate fastest)

    [[nodiscard]] std::optional<std::size_t> coordinate(const std::string& name) const;
    [[nodiscard]] std::size_t size() const { return members.size(); }
};

/// Values that a set's expressions read: parameters, values, and one slot per coordinate.
class SetScope {
public:
    SetScope(const Scope& constants, const std::vector<std::string>& coordinates);
    void load(const SetInstance& set, std::size_t ordinal); ///< puts the member's coordinates into the slots
    [[nodiscard]] Scope& scope() { return m_scope; }
    [[nodiscard]] double slot(std::size_t coordinate) const { return *m_slots[coordinate]; }

private:
    Scope m_scope;
    std::vector<double*> m_slots;
};

/// Turns a template and parameter values into a snapshot. Used once, on any thread.
class Generator {
public:
    Generator(const TemplateSpec& spec, const ParameterValues& values, const Catalogue& catalogue, const Progress& progress);
    [[nodiscard]] std::shared_ptr<Snapshot> run(); ///< throws TemplateFailure
    void checkValues();                            ///< parameters, values and constraints alone; throws TemplateFailure, a constraint's words first
    /// Buildings, halls, rows, racks and trays alone; `rackRows` gets the racks of each set by member.
    [[nodiscard]] std::shared_ptr<Snapshot> places(std::map<std::string, std::vector<std::uint32_t>>& rackRows);

private:
    friend class LinkBuilder;
    friend class PortBinder;
    friend class count::PortTable;
    friend class SetMaker;
    struct GroupLayout {
        std::string name;
        std::uint32_t offset = 0, count = 0;
        Maybe<NetworkId> network;
        bool absent = false;
    };
    struct TierInstance {
        TierId id;
        bool absent = false; ///< its network is left out, and it with it
        SetInstance set;
        std::vector<GroupLayout> groups;
        std::vector<std::uint32_t> firstPort; ///< by ordinal
    };

    void evaluateConstants();
    void makePlaces();
    void checkConstraints(bool someValuesMissing); ///< then those that can be looked at
    void copyParts();
    void makeNetworks();
    void makeBuildings(const SetSpec& spec);
    void makeHalls(const SetSpec& spec);
    void makeRows(const SetSpec& spec);
    void makeRacks(const SetSpec& spec);
    void makeTrays(const SetSpec& spec);
    void makeTier(const SetSpec& spec);
    void checkSize(const SetSpec& spec, const PortBinder& binder, std::size_t members) const;
    void makePorts(TierInstance& tier, const PortBinder& binder, const SetSpec& spec, const std::vector<std::uint16_t>& typeOf);
    void writeSettings();
    void makeWaivers(const TemplateSpec::WaiverSpec& spec);

    [[nodiscard]] SetInstance shape(const SetSpec& spec, const SetInstance* parent) const;
    [[nodiscard]] const SetInstance& parentOf(const SetSpec& spec, const std::map<std::string, SetInstance>& candidates) const;
    [[nodiscard]] PartTypeId part(const ExpressionText& slug);
    [[nodiscard]] std::string key(const char* section, const SetInstance& set, std::size_t ordinal) const;
    [[nodiscard]] NetworkId network(const ExpressionText& name) const;
    [[nodiscard]] bool absent(const ExpressionText* network) const { return network && m_absentNetworks.contains(network->text); }
    void step(double fraction, std::string_view what) const;

    const TemplateSpec& m_spec;
    ParameterValues m_values;
    const Catalogue& m_catalogue;
    const Progress& m_progress;
    Scope m_constants;
    std::shared_ptr<Snapshot> m_out;
    std::map<std::string, PartTypeId> m_parts;
    std::map<std::string, NetworkId> m_networks;
    std::set<std::string> m_absentNetworks; ///< declared, and left out by `when`
    std::map<std::string, SetInstance> m_buildings, m_halls, m_rows, m_racks;
    std::map<std::string, TierInstance> m_tiers;
};

/// One set being made: its shape, its scope, and its fields bound to that scope.
class SetMaker {
public:
    SetMaker(const Generator& generator, const SetSpec& spec, const SetInstance* parent);
    [[nodiscard]] Expression expression(const std::string& key);
    [[nodiscard]] NamePattern name();
    [[nodiscard]] std::string word(const std::string& key, const std::string& fallback) const;
    [[nodiscard]] SetScope& scope() { return m_scope; }
    [[nodiscard]] const SetInstance& set() const { return m_set; }
    /// Calls make(ordinal, parentRow) → row for every member that `when` lets live.
    template <class F>
    SetInstance& forEach(F&& make)
    {
        const Expression when = expression("when");
        for (std::size_t ordinal = 0; ordinal < m_set.size(); ++ordinal) {
            const std::uint32_t parentRow = m_parent ? m_parent->members[ordinal / m_set.ownCount] : SetInstance::kAbsent;
            if (m_parent && parentRow == SetInstance::kAbsent) continue;
            m_scope.load(m_set, ordinal);
            if (when.empty() || when.truth()) m_set.members[ordinal] = make(ordinal, parentRow);
        }
        return m_set;
    }

private:
    const SetSpec& m_spec;
    const SetInstance* m_parent;
    SetInstance m_set;
    SetScope m_scope;
};

/// Finds the member of a target set for the coordinates that stand in a scope.
class MemberFinder {
public:
    /// Throws when a coordinate of `target` is neither in `spec.at` nor a coordinate of `source`.
    MemberFinder(const MemberSpec& spec, const SetInstance& target, const SetInstance& source, SetScope& scope);
    /// The row of the member, or nothing where the set has none there; throws outside the set.
    [[nodiscard]] std::optional<std::uint32_t> find() const;

private:
    struct Part {
        Expression expression;
        std::optional<std::size_t> sourceCoordinate;
    };
    const MemberSpec& m_spec;
    const SetInstance& m_target;
    SetScope& m_scope;
    std::vector<Part> m_parts;
};

} // namespace hw
