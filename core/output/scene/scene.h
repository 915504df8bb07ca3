// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

#include <string>
#include <variant>
#include <vector>

namespace hw::scene {

enum class ElementKind : std::uint8_t { Rack, Device, Tray, Pipe, Wall, Column, Door, Ramp, KeepOut, Containment };

} // namespace hw::scene

namespace hw {
HW_WORDS(scene::ElementKind, "rack", "device", "tray", "pipe", "wall", "column", "door", "ramp", "keep-out", "containment")
}

namespace hw::scene {

/// Box: upright, front-left corner of its floor at `a`, turned by `degrees` around it. Beam, Pipe: straight from a to b.
enum class Form : std::uint8_t { Box, Beam, Round };

/// A body of a model, on the campus in mm. What `Placement` says, with what formats need beside it.
struct Element {
    ElementKind kind = ElementKind::Device;
    EntityRef entity;
    std::string name;
    std::uint32_t piece = 0; ///< of an entity with several bodies (pipes), from 1; 0: it has one
    Maybe<PartTypeId> type;
    Maybe<BuildingId> building;
    Maybe<HallId> hall;       ///< none: between the rooms or on the campus
    std::int32_t parent = -1; ///< number of the rack that it is mounted in
    Form form = Form::Box;
    Point a, b;
    double degrees = 0;
    std::int32_t width = 0, depth = 0, height = 0; ///< Box: along its x, y, z (front at y = 0). Beam: width × height. Round: diameter in `width`
    std::uint32_t rgb = 0xC0C0C0;
    bool translucent = false;
    PowerElement power = PowerElement::None;
    CoolingElement cooling = CoolingElement::None;
    [[nodiscard]] Box box() const; ///< around it
    /// Of a Beam or Round: a body along x, `width` along y and `height` along z, that is raised by `pitch` and then turned by `yaw`, degrees.
    struct Pose {
        double yaw = 0, pitch = 0, length = 0;
    };
    [[nodiscard]] Pose pose() const;
};

/// Panels of a rack that is open in front and behind, in its own frame (x from the left, y from the front, mm), so that its devices are seen.
[[nodiscard]] std::vector<Box> rackFrame(const Element& rack);

/// A feed of power, or coolant supply and return, between two elements.
struct Connection {
    std::uint32_t feeder = 0, fed = 0; ///< numbers of elements
    Medium medium = Medium::Power;
    char side = 0; ///< 'A', 'B' … of power; 0: none
    friend auto operator<=>(const Connection&, const Connection&) = default;
};

struct Scope {
    Maybe<HallId> hall{}; ///< only what is in this room
    bool devices = false; ///< also what is mounted in racks
};

/// The bodies of a design: structures, containment, racks (each followed by its devices), free-standing equipment, trays, pipes. In the order of ids.
struct Scene {
    std::vector<Element> elements;
    std::vector<Connection> connections; ///< each pair of elements once a medium and side, ascending
    [[nodiscard]] static Scene of(const Figures& figures, const Scope& scope);
};

/// Of an entity, from its key where it has one, so that it outlives edits and regenerations: "racks:row-01/rack-03", "racks#17".
[[nodiscard]] std::string stableName(const Snapshot& snapshot, EntityRef entity);

enum class Measure : std::uint8_t { None, Power, Length, Mass, Ratio };
/// A value of an element for people and programs. Power in W, length in mm, mass in kg, ratio of 1.
struct Property {
    const char* name; ///< "DesignPower": of property sets
    const char* key;  ///< "design_power_w": of extras and attributes
    std::variant<std::string, double, std::int64_t, bool> value;
    Measure measure = Measure::None;
};
/// Of the type alone: slug, manufacturer, model, part number.
[[nodiscard]] std::vector<Property> propertiesOf(const ProjectParts& parts, PartTypeId type);

/// Accelerators and mass (of itself and its devices) of a rack.
struct RackContent {
    std::int64_t accelerators = 0;
    std::int64_t grams = 0;
};

/// What is known of elements. Holds a reference to the figures.
class PropertySource {
public:
    explicit PropertySource(const Figures& figures);
    /// Unset, zero and empty values are left out. Rated values as the part type states them, loads as the design has them.
    [[nodiscard]] std::vector<Property> of(const Element& element) const;
    [[nodiscard]] const RackContent& content(RackId rack) const { return m_racks[rack.value]; }

private:
    const Figures& m_figures;
    std::vector<RackContent> m_racks; ///< by id
};

} // namespace hw::scene
