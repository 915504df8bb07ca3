// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/ifc/step_reader.h"

#include <array>
#include <map>
#include <optional>

#include <unordered_map>
#include <vector>

namespace hw::importers::ifc {

struct Spot3 {
    double x = 0, y = 0, z = 0;
};
struct Spot2 {
    double x = 0, y = 0;
};

/// Axes and origin of a frame within another.
struct Transform {
    Spot3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin{};
    [[nodiscard]] Spot3 at(Spot3 p) const;                      ///< of a point
    [[nodiscard]] Spot3 turn(Spot3 d) const;                    ///< of a direction
    [[nodiscard]] Transform then(const Transform& inner) const; ///< the inner frame, seen from outside of this one
};

/// What bodies of an object are in the plan, in mm of the world.
struct PlanBody {
    std::vector<Spot3> points;  ///< corners of its bodies
    std::vector<Spot2> outline; ///< of the largest of them, seen from above; empty: not known
    bool round = false;         ///< one upright cylinder: `outline` goes around it
    Spot2 direction{1, 0};      ///< of the object's own x axis
    [[nodiscard]] bool empty() const { return points.empty(); }
    [[nodiscard]] double low() const;
    [[nodiscard]] double high() const;
};

/// Evaluates placements and bodies of a file. What is malformed, refers to itself or is out of bounds yields nothing.
class IfcGeometry {
public:
    explicit IfcGeometry(const StepFile& file);

    [[nodiscard]] double millimeters() const { return m_mm; } ///< of the file's length unit
    [[nodiscard]] bool unitStated() const { return m_unitStated; }
    /// World frame of an IfcLocalPlacement, in the file's unit; nothing where it cannot be read.
    [[nodiscard]] std::optional<Transform> placement(std::uint64_t number);
    /// Body of a product: its placement and representation (attributes 5 and 6).
    [[nodiscard]] PlanBody bodyOf(const std::vector<StepValue>& product);
    /// Kinds of geometry that were met and are not read, with their number.
    [[nodiscard]] const std::map<std::string, std::size_t>& unread() const { return m_unread; }

private:
    struct Item {
        std::vector<Spot3> points;
        std::vector<Spot2> outline;
        bool round = false;
    };
    void readUnits();
    [[nodiscard]] double lengthOf(std::uint64_t unit, int depth) const;
    [[nodiscard]] std::optional<Spot3> point(const StepValue& value) const;
    [[nodiscard]] std::optional<Transform> axes(const StepValue& value) const;
    [[nodiscard]] std::optional<Transform> scaling(const StepValue& value) const;
    void representation(std::uint64_t number, const Transform& frame, int depth, std::vector<Item>& items);
    void item(std::uint64_t number, const Transform& frame, int depth, std::vector<Item>& items);
    void extruded(const std::vector<StepValue>& v, const Transform& frame, std::vector<Item>& items);
    void faces(std::uint64_t number, std::string_view entity, const Transform& frame, std::vector<Item>& items);
    void addFaces(const std::vector<std::vector<Spot3>>& faces, std::vector<Item>& items) const;
    [[nodiscard]] std::optional<std::vector<Spot2>> profile(std::uint64_t number, bool& round);
    [[nodiscard]] std::vector<Spot2> curve(std::uint64_t number, int depth);
    [[nodiscard]] std::vector<Spot2> trimmed(const std::vector<StepValue>& v, int depth);
    [[nodiscard]] std::vector<Spot2> indexed(const std::vector<StepValue>& v) const;
    [[nodiscard]] bool spend(std::size_t amount = 1);

    const StepFile& m_file;
    double m_mm = 1000, m_radians = 1;
    bool m_unitStated = false;
    std::unordered_map<std::uint64_t, std::optional<Transform>> m_placements;
    std::map<std::string, std::size_t> m_unread;
    std::size_t m_budget = 20'000'000; ///< points and items that one file may make
};

} // namespace hw::importers::ifc
