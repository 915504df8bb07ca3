// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/air/grid.h"

#include <optional>
#include <string>

namespace hw::sim::air {

/// What a face between two cells is. Given: its velocity is prescribed, one of its cells is solid.
enum class Face : std::uint8_t { Wall, Open, Given };

/// An axis-parallel box, or a rectangle where two coordinates are equal, in m.
struct Box {
    std::array<double, 3> low{}, high{};
    friend bool operator==(const Box&, const Box&) = default;
};

/// Faces of a solid through which air passes evenly. `sign`: along the axis or against it.
struct Patch {
    int axis = 0, sign = 1;
    std::vector<std::size_t> faces;
    double area = 0;
    friend bool operator==(const Patch&, const Patch&) = default;
};

/// Air that leaves the room at one patch and comes back at another: a rack (or a band of its height), an air unit.
struct Exchange {
    std::string name;
    Patch intake, outlet;
    double flow = 0; ///< m³/s
    bool plant = false;
    double heatW = 0;     ///< added, unless plant
    double supplyC = 0;   ///< of plant
    double capacityW = 0; ///< of plant, at the supply temperature: above it the supply gets warmer; 0 = no limit
    /// Of the coil of plant: entering water, and the return temperature from which on it has its capacity; colder air takes less out, in proportion
    /// to its distance from the water. Equal: its capacity does not depend on the return.
    double waterC = 0, ratedReturnC = 0;
    double fanPa = 0;     ///< static pressure against which its fans move nothing; 0 = they move `ratedFlow` at any pressure
    double ratedFlow = 0; ///< without a difference of pressure, m³/s
    int owner = -1;       ///< number of the rack or unit that it is a part of
    friend bool operator==(const Exchange&, const Exchange&) = default;
};

/// A room as the solver reads it. Velocities of walls (lids) and given faces are in `velocity`.
struct Room {
    Grid grid;
    std::vector<std::uint8_t> solid;      ///< by cell; ghosts are solid
    std::vector<std::uint8_t> isothermal; ///< by solid cell: its faces to the air have `wallC`
    std::vector<double> wallC;
    std::array<std::vector<Face>, 3> face;
    std::array<std::vector<double>, 3> velocity;
    std::array<std::vector<float>, 3> loss; ///< of open faces: pressure loss in dynamic pressures of the approach velocity
    std::vector<Exchange> exchanges;

    explicit Room(Grid grid);
    void fillSolid(const Box& box);
    /// Faces of a plane perpendicular to `axis` within the rectangle.
    [[nodiscard]] std::vector<std::size_t> plane(int axis, double at, const Box& box) const;
    void addWall(int axis, double at, const Box& box);
    void addLoss(int axis, double at, const Box& box, double coefficient);
    /// Of the faces between air and solid there; `sign` is the direction in which the air moves.
    [[nodiscard]] Patch patch(int axis, double at, const Box& box, int sign, bool intoSolid) const;
    /// Prescribes the velocities of both patches.
    void addExchange(Exchange exchange);
    /// Opens what lies between two cells of air, closes what touches a solid. Call after solids, before walls, losses and exchanges.
    void openFaces();
    /// Changes an exchange's flow; 0 stops it.
    void setFlow(std::size_t exchange, double flow);

    struct Imbalance {
        std::size_t cell = 0; ///< one of the region
        double flow = 0;      ///< supplied to it and taken by nobody, m³/s
    };
    /// A region without an opening to the rest in which supply and demand differ; and makes cells without any opening solid.
    [[nodiscard]] std::optional<Imbalance> closeAndCheck();
    std::vector<std::int32_t> region; ///< by cell, −1 = solid; set by closeAndCheck()
    int regions = 0;
};

} // namespace hw::sim::air
