// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

#include <array>
#include <optional>

namespace hw {

/// What runs out.
enum class Resource : std::uint8_t { Power, Units, Ports, Weight };
inline constexpr std::size_t kResources = 4;
[[nodiscard]] std::string_view resourceName(Resource resource); ///< "kw", "u", "ports", "kg": in JSON
[[nodiscard]] Text resourceWord(Resource resource);             ///< for people

/// What is left of a rack. Empty: nothing states a limit.
struct RackSpare {
    std::optional<Milliwatts> power{}; ///< under its own limit and what its feeds still carry when any one element is lost
    std::optional<Grams> weight{};     ///< under the rating
    std::int32_t units = 0;            ///< whole free ones
    std::int32_t servers = 0;          ///< of the design's own type that find room in them, one above the other, and in its scale-up domain
    friend bool operator==(const RackSpare&, const RackSpare&) = default;
};

/// What is left of a row or hall, and how many more servers of the design's own type that is.
struct PlaceSpare {
    EntityRef entity;
    std::string name{};
    std::optional<Milliwatts> power{}; ///< that can be added to all its racks together, under the limits of hall and building too
    std::optional<Grams> weight{};
    std::int32_t units = 0;
    std::int64_t ports = 0;                                      ///< free ones toward servers on the backend switches of its servers
    std::int64_t servers = 0;                                    ///< that fit in every respect
    std::array<std::optional<std::int64_t>, kResources> alone{}; ///< that would if only this mattered; none: it never does
    std::optional<Resource> limit{};                             ///< the one that runs out first
    friend bool operator==(const PlaceSpare&, const PlaceSpare&) = default;
};

/// What still fits into a design.
struct Headroom {
    std::optional<PartTypeId> server{}; ///< the type that the design has most of; none without servers
    Milliwatts serverPower{};           ///< of one with its optics, on the project's basis
    std::int32_t serverUnits = 0;
    std::int64_t serverPorts = 0; ///< on the backend
    Grams serverWeight{};
    std::int64_t serversPerRack = 0; ///< of a rack-scale system: so many share a scale-up domain, and whole racks alone are added; 0 = any number
    std::vector<RackSpare> racks{};  ///< by id
    std::vector<PlaceSpare> rows{}, halls{}; ///< by id; rows without racks are left out, and halls without rows
    friend bool operator==(const Headroom&, const Headroom&) = default;

    /// What remains of a resource of a place once `servers` more stand there: nobody can use it.
    [[nodiscard]] double stranded(const PlaceSpare& place, Resource resource) const; ///< kW, U, ports, kg
};

/// A pod of 2,000 servers takes some milliseconds on top of the power chain.
[[nodiscard]] Headroom headroomOf(const Figures& figures);

} // namespace hw
