// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/derived/geometry/contained_aisle.h"
#include "core/derived/values/value_field.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace hw::views {

/// What the plan draws besides rooms and racks, each switched by itself.
enum class PlanLayer : std::uint8_t { Power, Network, Trays, Weights, Heat, Clearances };
inline constexpr std::array kPlanLayerNames{"power", "network", "trays", "weights", "heat", "clearances"};

struct PlanLayers {
    std::uint8_t bits = 0b100; ///< trays
    [[nodiscard]] bool has(PlanLayer layer) const { return bits >> unsigned(layer) & 1; }
    void set(PlanLayer layer, bool on) { bits = std::uint8_t(on ? bits | 1u << unsigned(layer) : bits & ~(1u << unsigned(layer))); }
    friend bool operator==(const PlanLayers&, const PlanLayers&) = default;
};
[[nodiscard]] std::optional<PlanLayer> planLayerOf(std::string_view name);

/// What the layers say, worked out once per design for those that are on.
struct PlanLayerFacts {
    /// A tap-off of a busway over a row, and the rack that depends on it.
    struct Tap {
        DeviceId busway;
        RackId rack;
        char side = 0;
        std::string name; ///< "tap7 L2"
        Maybe<LinkId> link{};
        friend bool operator==(const Tap&, const Tap&) = default;
    };
    std::vector<Tap> taps;              ///< by busway, then rack
    std::vector<char> sides;            ///< by device: of power equipment
    std::vector<std::int64_t> grams;    ///< by rack, with what is in it
    std::vector<Milliwatts> heat;       ///< by row
    double mostHeat = 0;                ///< W/m² of the hottest row
    ValueField clearances;              ///< meters before racks
    std::vector<ContainedAisle> aisles; ///< always
    void update(const Figures& figures, const PlanLayers& layers);
};

} // namespace hw::views
