// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/plan.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::layout {

namespace {

constexpr std::int32_t kCduEndMm = 1800;

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
            if (walls) writeFanWalls(hall, *walls);
            if (cdus) writeCdus(hall, *cdus);
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
        bool taken = slug == "none";
        m_out.tiers.forEach([&](TierId id) { taken = taken || m_out.tiers.key[id] == key; });
        if (taken) return std::nullopt;
        return m_builder.tier({.key = key, .name = key, .label = std::string(label.id), .kind = kind, .level = level});
    }

    [[nodiscard]] std::string prefix(const PlannedHall& b) const { return m_plan.severalHalls() ? b.name + "-" : std::string(); }
    [[nodiscard]] static std::string stem(const PlannedHall& b) { return b.key.substr(b.key.find('/') + 1); }

    DeviceId device(TierId tier, const std::string& slug, const std::string& key, const std::string& name)
    {
        auto [running, fresh] = m_running.try_emplace(tier.value, 0);
        if (fresh) m_out.devices.forEach([&](DeviceId other) { running->second += m_out.devices.tier[other] == tier; });
        return m_builder.device({.key = "device." + key, .name = name, .tier = tier, .type = m_parts.use(slug), .index = running->second++});
    }
    void stand(DeviceId id, HallId hall, std::int32_t x, std::int32_t y)
    {
        m_out.devices.hall.set(id, hall);
        m_out.devices.x.set(id, Millimetres(x)), m_out.devices.y.set(id, Millimetres(y));
    }

    /// Along both long walls.
    void writeFanWalls(const PlannedHall& b, TierId tier)
    {
        if (b.fanWalls == 0) return;
        const auto& spec = m_parts.device(m_plan.options.fanWall);
        const int side = (b.fanWalls + 1) / 2;
        const std::int32_t pitch = (b.hallX - 2 * kFanWallEndMm) / side;
        for (int n = 0; n < b.fanWalls; ++n) {
            const int wall = n / side, unit = n % side;
            const DeviceId id = device(tier, m_plan.options.fanWall, fmt::format("fan_wall/auto/{}/wall={}/unit={}", stem(b), wall, unit),
                                       fmt::format("{}fanwall{}-{:02}", prefix(b), wall + 1, unit + 1));
            stand(id, b.id, kFanWallEndMm + unit * pitch, wall == 0 ? 200 : b.hallY - spec.depth.value.count() - 200);
        }
    }

    /// N + 1 at the ends of each cell with liquid-cooled racks.
    void writeCdus(const PlannedHall& b, TierId tier)
    {
        const auto& spec = m_parts.device(m_plan.options.cdu);
        const std::int32_t width = spec.width.value.count() + 100;
        const int abreast = std::max(1, b.pitch / std::max(1, width));
        for (int cell = 0; cell < b.cells(); ++cell) {
            std::int64_t liquid = 0;
            for (std::size_t r = std::size_t(2 * cell); r < std::min<std::size_t>(b.rows.size(), std::size_t(2 * cell) + 2); ++r)
                for (const std::uint32_t rack : b.rows[r].racks) liquid += m_plan.racks[rack].demand.liquidMw;
            const std::int64_t capacity = spec.capacity.value.count();
            const int count = liquid > 0 && capacity > 0 ? int((liquid + capacity - 1) / capacity) + 1 : 0;
            for (int n = 0; n < count; ++n) {
                const DeviceId id = device(tier, m_plan.options.cdu, fmt::format("cdu/auto/{}/cell={}/unit={}", stem(b), cell, n),
                                           fmt::format("{}c{:02}-cdu{}", prefix(b), cell + 1, n + 1));
                const bool far = n / abreast % 2 != 0;
                stand(id, b.id, kFirstFrontMm + cell * b.pitch + n % abreast * width,
                      far ? b.hallY - kCduEndMm - spec.depth.value.count() : kCduEndMm);
            }
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
