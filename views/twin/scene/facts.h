// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/foundation/catalog/entity.h"
#include "views/twin/scene/palette.h"

#include <span>

namespace hw::views::twin {

/// What the 3D view needs to know of a design, in meters and flat arrays. Immutable once made; made on
/// any thread. Arrays "by id" have entries for dead rows too.
class SceneFacts {
public:
    struct Rack {
        Aabb box;
        RackKind kind = RackKind::Empty;
        std::int16_t facing = 0;
        std::uint16_t building = 0;
        bool alive = false;
    };
    struct Section {
        Vec3 a{}, b{};
        Maybe<TrayId> tray;
        float width = 0, height = 0; ///< of the tray; 0 for drops
        std::uint16_t building = 0;  ///< place in `buildings`, kOutside between them
        std::uint16_t trays = 1;
    };
    struct Building {
        Maybe<BuildingId> id;
        Aabb box;
        std::vector<Aabb> halls;     ///< all rooms
        std::vector<char> ofRacks{}; ///< of these: no plant rooms
    };
    /// Where a rack takes its power off a busway.
    struct Tap {
        RackId rack;
        DeviceId busway;
        LinkId link;
    };
    static constexpr std::uint16_t kOutside = 0xFFFF;

    [[nodiscard]] static std::shared_ptr<const SceneFacts> of(const Figures& figures);
    /// The same for figures after one commit; shares with the facts before what the commit left alone.
    [[nodiscard]] static std::shared_ptr<const SceneFacts> update(const SceneFacts& before, const Figures& figures, const ChangeSet& changes);

    [[nodiscard]] const std::vector<Building>& buildings() const { return m_buildings; }
    [[nodiscard]] const std::vector<Rack>& racks() const { return m_racks; }
    [[nodiscard]] const std::vector<Section>& sections() const { return m_sections; }
    [[nodiscard]] std::span<const DeviceId> devicesOf(RackId rack) const; ///< from the floor up
    [[nodiscard]] const std::vector<DeviceId>& freeDevices() const { return m_content->freeDevices; }
    [[nodiscard]] std::span<const Tap> tapsOf(RackId rack) const;
    [[nodiscard]] std::uint32_t networks() const { return m_content->networks; }
    /// Physical cables of one network between the two racks of a routing pair; also those without one.
    [[nodiscard]] std::span<const std::uint32_t> cablesOfPair(std::uint32_t pair) const;
    /// Numbers of the routing pairs' sections, as one list with offsets.
    [[nodiscard]] std::span<const std::uint32_t> sectionsOfPair(std::uint32_t pair) const;
    /// Cables per section and network: `sections() x networks()`, the last network is "none".
    [[nodiscard]] std::span<const std::uint32_t> cablesOfSection(std::uint32_t section) const;
    [[nodiscard]] const Aabb& bounds() const { return m_bounds; }
    [[nodiscard]] std::uint16_t buildingAt(Vec3 point) const;

private:
    /// What placing things again leaves alone.
    struct Content {
        std::vector<std::uint32_t> deviceOffset; ///< by rack id
        std::vector<DeviceId> devices, freeDevices;
        std::vector<RackKind> kinds; ///< by rack id
        std::vector<Tap> taps;       ///< by rack id
        std::uint32_t networks = 1;
        std::vector<std::uint32_t> pairCables; ///< pairs x networks
    };
    static std::shared_ptr<const Content> contentOf(const Figures& figures);
    void place(const Figures& figures);
    void placeSections(const Figures& figures);

    std::shared_ptr<const Content> m_content;
    std::vector<Building> m_buildings;
    std::vector<Rack> m_racks;
    std::vector<Section> m_sections;
    std::vector<std::uint32_t> m_pairOffset, m_pairSections, m_sectionCables;
    Aabb m_bounds;
};

using FactsPtr = std::shared_ptr<const SceneFacts>;

/// The box of a tap-off, under its busway over the middle of its rack.
[[nodiscard]] Aabb tapBox(const Figures& figures, const SceneFacts::Tap& tap);

/// Where an entity stands; empty for entities without a place.
[[nodiscard]] Aabb placeOf(const Figures& figures, const SceneFacts& facts, EntityRef entity);

} // namespace hw::views::twin
