// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/bound_sets.h"

#include <memory>

// Parts of a template bound to the constants: names resolved, words read, expressions ready to be evaluated. The generator
// makes a design from them, core/design/count counts it; both evaluate them again after Constants::set, with `refresh`.

namespace hw::bound {

struct Network {
    std::string name, label;
    NetworkKind kind = NetworkKind::Backend;
    std::uint32_t color = 0x3b82f6; ///< 0xRRGGBB
    std::int16_t planes = 1, rails = 1;
    std::int32_t domain = 0, rate = 0; ///< accelerators, Gbit/s
    bool absent = false;               ///< left out by `when`
};

/// The networks of a template; those that are there have ids in the order of the file, from 0.
class Networks {
public:
    Networks(const TemplateSpec& spec, Scope& constants);
    void refresh(); ///< throws for a number out of its range
    [[nodiscard]] const std::vector<Network>& all() const { return m_all; }
    /// Declared, and left out.
    [[nodiscard]] bool absent(std::string_view name) const;
    [[nodiscard]] NetworkId id(const ExpressionText& name) const; ///< throws where there is none
    [[nodiscard]] const std::string& name(NetworkId id) const { return m_all[m_present[id.value]].name; }

private:
    [[nodiscard]] std::int64_t value(std::size_t network, const char* key, std::int64_t fallback, std::int64_t least, std::int64_t most) const;
    const TemplateSpec& m_spec;
    std::vector<Network> m_all;
    std::vector<std::map<std::string_view, Expression>> m_numbers; ///< by network, then key
    std::vector<std::size_t> m_present;                            ///< by id
};

/// A set of buildings, halls, rows or racks, with the expressions that say where its members stand in the frame of their parents.
struct Place {
    Place(const SetSpec& spec, Place* parent, Scope& constants);
    /// The part type of the member that the coordinates name.
    [[nodiscard]] const ExpressionText& type() const;
    Set set;
    Place* parent = nullptr;
    Expression x, y, angle, along, across;
    Expression typeIndex, limit; ///< of racks; W, of buildings and halls
    Mask typeMask = 0;
    BuildingKind kind = BuildingKind::Pod; ///< of buildings
    RoomKind room = RoomKind::Hall;        ///< of halls, as the next
    FloorKind floor = FloorKind::Slab;
    Containment containment = Containment::None; ///< of rows
};
using PlaceSets = std::vector<std::unique_ptr<Place>>;

/// Trays of rows, of halls, or of the campus.
struct Tray {
    Tray(const SetSpec& spec, Place* row, Place* hall, Scope& constants);
    Set set;
    Place *row, *hall;
    Expression from[3], to[3], count;
    Mask mask = 0; ///< coordinates that length and number follow from
};

/// All sets of places.
struct Places {
    Places(const TemplateSpec& spec, Scope& constants);
    void refresh();
    [[nodiscard]] static Place* find(const PlaceSets& sets, const std::string& name); ///< null: none is called so
    PlaceSets buildings, halls, rows, racks;
    std::vector<std::unique_ptr<Tray>> trays;

private:
    static void add(PlaceSets& into, const SetSpec& spec, const PlaceSets* parents, Scope& constants);
};

/// A tier of devices.
struct Tier {
    Tier(const SetSpec& spec, const Places& places, Scope& constants);
    [[nodiscard]] std::size_t typeNumber() const; ///< of the device that the coordinates name, among the set's types
    [[nodiscard]] const ExpressionText& type() const { return set.spec().types[typeNumber()]; }
    [[nodiscard]] DeviceRole roleHere() const { return !backup.empty() && backup.truth() ? DeviceRole::Backup : role; }
    [[nodiscard]] const Place* standsIn() const; ///< racks or halls; null: nothing is said
    std::optional<Error> broken;                 ///< where it stands is not declared: wrong unless the tier is left out
    Place *inRack = nullptr, *inHall = nullptr;  ///< the parent set
    Set set;
    std::string name, label, network; ///< network: its key, empty for none
    TierKind kind = TierKind::Switch;
    DeviceRole role = DeviceRole::Active;
    Expression level, typeIndex, backup, unit, x, y, angle;
    Mask typeMask = 0, backupMask = 0;
    std::optional<MemberOf> rack, hall; ///< where its devices stand, if stated as members
    Place *rackSet = nullptr, *hallSet = nullptr;
};

/// The value, or `fallback` where nothing is written.
[[nodiscard]] inline std::int64_t orElse(const Expression& e, std::int64_t fallback) { return e.empty() ? fallback : e.whole(); }

} // namespace hw::bound
