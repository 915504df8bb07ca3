// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plan.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::layout {

namespace {

/// Cooling of every hall; `feedDesign` brings its power. Tiers that the template declares itself are left to it.
class EquipmentWriter {
public:
    EquipmentWriter(DesignBuilder& builder, const Plan& plan, Parts& parts)
        : m_builder(builder), m_out(builder.design()), m_plan(plan), m_parts(parts)
    {
    }

    void run()
    {
        const Options& o = m_plan.options;
        const auto walls = tier("fan_wall", TextId("Fan wall"), TierKind::Cooling, 30, o.fanWall);
        const auto cdus = anyLiquid() ? tier("cdu", TextId("Coolant distribution unit"), TierKind::Cooling, 31, o.cdu) : std::nullopt;
        for (const auto& hall : m_plan.halls) {
            if (walls) write(hall, *walls, hall.fanWall, "fan_wall", "fanwall", hall.fanWallSpots);
            if (cdus) write(hall, *cdus, hall.cdu, "cdu", "", hall.cduSpots);
        }
    }

private:
    using MaybeTier = std::optional<TierId>;

    [[nodiscard]] bool anyLiquid() const
    {
        return std::ranges::any_of(m_plan.halls, [](const auto& b) { return b.demand.liquidMw > 0; });
    }

    /// The label stays English in the design, as those of templates do.
    MaybeTier tier(const std::string& key, TextId label, TierKind kind, std::int16_t level, const std::string& slug)
    {
        if (slug == "none") return std::nullopt;
        if (const auto found = findTier(m_out, key)) return m_out.tiers.key[*found].empty() ? MaybeTier(*found) : std::nullopt;
        return m_builder.tier({.key = key, .name = key, .label = std::string(label.id), .kind = kind, .level = level});
    }

    [[nodiscard]] std::string prefix(const PlannedHall& b) const { return m_plan.prefixOf(b); }
    [[nodiscard]] static std::string stem(const PlannedHall& b) { return b.key.substr(b.key.find('/') + 1); }

    DeviceId device(TierId tier, const std::string& slug, const std::string& key, const std::string& name)
    {
        auto [running, fresh] = m_running.try_emplace(tier.value, 0);
        if (fresh) m_out.devices.forEach([&](DeviceId other) { running->second += m_out.devices.tier[other] == tier; });
        return m_builder.device({.key = key, .name = name, .tier = tier, .type = m_parts.use(slug), .index = running->second++});
    }
    /// What the plan has found a place for.
    void write(const PlannedHall& b, TierId tier, const std::string& slug, const char* stemOfKey, const std::string& before,
               const std::vector<PlannedSpot>& spots)
    {
        for (const PlannedSpot& spot : spots) {
            const DeviceId id = device(tier, slug, fmt::format("device.{}/auto/{}/{}", stemOfKey, stem(b), spot.key), prefix(b) + before + spot.name);
            m_out.devices.hall.set(id, b.id);
            m_out.devices.x.set(id, Millimeters(spot.x)), m_out.devices.y.set(id, Millimeters(spot.y));
            if (spot.angle != 0) m_out.devices.angle.set(id, spot.angle);
        }
    }

    DesignBuilder& m_builder;
    Snapshot& m_out;
    const Plan& m_plan;
    Parts& m_parts;
    std::map<std::uint32_t, std::int32_t> m_running; ///< next index by tier
};

} // namespace

void writeEquipment(DesignBuilder& builder, const Plan& plan, Parts& parts) { EquipmentWriter(builder, plan, parts).run(); }

} // namespace hw::layout
