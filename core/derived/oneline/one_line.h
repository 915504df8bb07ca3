// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/facility.h"
#include "core/derived/figures/figures.h"
#include "core/derived/figures/substations.h"
#include "core/foundation/base/text.h"

namespace hw {

/// A way in of an element of the one-line diagram.
struct OneLineFeed {
    std::uint32_t from = 0; ///< element
    bool reserve = false;   ///< takes over where the first way in is lost
    friend bool operator==(const OneLineFeed&, const OneLineFeed&) = default;
};

/// An element of the power chain, or a load at its end: a rack, or equipment that draws power and stands in none.
struct OneLineElement {
    EntityRef entity; ///< a device or a rack
    std::string name{};
    std::uint32_t group = 0; ///< in OneLine::groups
    std::int32_t level = 0;  ///< 0 = loads; what feeds stands on a higher level than what it feeds
    char side = 0;           ///< 'A', 'B' …, 0 = none or several
    bool live = true;        ///< it, and everything in the rack, has power
    Maybe<BuildingId> building{};
    Maybe<RowId> row{};
    Milliwatts load{}, worst{}, capacity{}; ///< worst: with any one other element lost. Capacity 0 = none stated
    Maybe<DeviceId> lost{};                 ///< that one; none: no loss adds to it
    Maybe<PartTypeId> type{};               ///< what it is
    std::uint32_t alike = 0;                ///< elements in buildings of like power chains have the same; 0 = of none
    std::uint32_t block = 0;                ///< elements of one block depend on the same elements of the anchor group; 0 = on none
    std::vector<OneLineFeed> feeds{};
    friend bool operator==(const OneLineElement&, const OneLineElement&) = default;
    [[nodiscard]] double share() const
    {
        return capacity.count() > 0 ? double(worst.count()) / double(capacity.count()) : 0.0;
    } ///< of capacity, at worst
};

/// Like elements: of one tier, or the racks.
struct OneLineGroup {
    PowerElement kind = PowerElement::None;
    CoolingElement cooling = CoolingElement::None; ///< in a diagram of cooling
    Maybe<TierId> tier{};                          ///< none: racks, or rooms
    std::string label{};                           ///< the tier's
    std::int32_t level = 0;
    std::uint32_t first = 0, last = 0; ///< its elements
    bool load = false;                 ///< it draws power and passes none on; in a diagram of cooling: it gives off heat
    bool rooms = false;                ///< the air of rooms
    friend bool operator==(const OneLineGroup&, const OneLineGroup&) = default;
    [[nodiscard]] std::uint32_t size() const { return last - first; }
};

/// "18 busways", "1 transformer".
[[nodiscard]] Text countedText(const OneLineGroup& group, std::int64_t count);
/// "Busway": what one of them is.
[[nodiscard]] Text nameText(const OneLineGroup& group);

/// What coolant, or air, does at an element of a diagram of cooling.
struct OneLineCoolant {
    double lpm = 0, airM3s = 0;      ///< 0 = none, or not known
    double supplyC = 0, returnC = 0; ///< of the loop that it feeds or belongs to; alike where nothing flows
    std::string redundancy{};        ///< of that loop: "N+1"
    std::string loop{};              ///< its name
    bool fits = true;                ///< so does that loop
    friend bool operator==(const OneLineCoolant&, const OneLineCoolant&) = default;
};

/// The power chain of a design, or its cooling from the outside air to the cabinets: each element once, level by level. Plain data; made on a
/// worker.
struct OneLine {
    SnapshotPtr snapshot;
    Medium medium = Medium::Power;
    std::vector<OneLineCoolant> coolant{}; ///< by element, in a diagram of cooling
    PowerBasis basis = PowerBasis::Design;
    std::vector<OneLineElement> elements; ///< by group, in the order of ids within one
    std::vector<std::string> parts;       ///< names of part types, by id
    std::vector<OneLineGroup> groups;     ///< from the outside in, loads last
    std::int32_t levels = 0;
    std::uint32_t anchor = kNone; ///< the group by whose elements those below and above are gathered in blocks
    Milliwatts drawn{};           ///< by all loads, cooling equipment at full draw
    Pue pue{};                    ///< with the facility power, as the report has it
    SubstationSupply substations{};
    std::int64_t dark = 0, unfed = 0; ///< loads without power or with a device without; loads that nothing feeds
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    [[nodiscard]] static std::shared_ptr<const OneLine> make(const Figures& figures, PowerBasis basis);
    /// The loops of coolant: `load` is the heat that an element takes out or gives off, on the project's basis.
    [[nodiscard]] static std::shared_ptr<const OneLine> makeCooling(const Figures& figures);
    [[nodiscard]] bool cooling() const { return medium == Medium::Coolant; }
    /// The element that an entity is, or whose rack it stands in; kNone.
    [[nodiscard]] std::uint32_t elementOf(EntityRef entity) const;
    /// The element with the highest share of its capacity at worst; kNone where none states a capacity.
    [[nodiscard]] std::uint32_t worst() const;
};
using OneLinePtr = std::shared_ptr<const OneLine>;

/// Levels of elements: 0 for loads, for others more than all that they feed; those of a group alike unless one feeds another.
void setOneLineLevels(OneLine& line);
/// Finds the buildings with as many elements of every kind on every side.
void setOneLineAlike(OneLine& line);
/// Chooses the anchor group and gathers elements in blocks.
void setOneLineBlocks(OneLine& line);

} // namespace hw
