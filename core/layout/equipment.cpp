// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/plan.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::layout {

namespace {

constexpr std::int32_t kBehindHallMm = 1000;
constexpr std::int32_t kBuswayPitchMm = 500, kCduEndMm = 1800;

/// Power chain and cooling of every hall. Tiers that the template declares itself are left to it.
class EquipmentWriter {
public:
    EquipmentWriter(DesignBuilder& builder, const Plan& plan, Parts& parts)
        : m_builder(builder), m_out(builder.design()), m_plan(plan), m_parts(parts)
    {
    }

    void run()
    {
        const Options& o = m_plan.options;
        const auto transformers = tier("transformer", TextId("Transformer"), TierKind::Power, 20, o.transformer);
        const auto busways = tier("busway", TextId("Busway"), TierKind::Power, 21, o.busway);
        auto pdus = tier("pdu", TextId("Rack PDU"), TierKind::Power, 22, o.rackPdu);
        if (!pdus && o.rackPdu != "none") pdus = existing("pdu"); // racks that the template gives none have them beside its own
        const auto walls = tier("fan_wall", TextId("Fan wall"), TierKind::Cooling, 30, o.fanWall);
        const auto cdus = anyLiquid() ? tier("cdu", TextId("Coolant distribution unit"), TierKind::Cooling, 31, o.cdu) : std::nullopt;
        m_buswayFeed = rule("busway-feed", busways, transformers);
        m_pduFeed = rule("pdu-feed", existing("pdu"), busways);
        findInlets();
        for (const auto& hall : m_plan.halls) {
            const auto made = busways ? writeBusways(hall, *busways, transformers) : std::vector<Feed>();
            writePdus(hall, pdus, made);
            if (walls) writeFanWalls(hall, *walls);
            if (cdus) writeCdus(hall, *cdus);
        }
    }

private:
    using MaybeTier = std::optional<TierId>;
    /// A supplier's free outlets, in order.
    struct Feed {
        std::uint32_t nextOutlet = 0;
    };

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

    [[nodiscard]] MaybeTier existing(const std::string& key) const
    {
        MaybeTier found;
        m_out.tiers.forEach([&](TierId id) {
            if (m_out.tiers.key[id] == key) found = id;
        });
        return found;
    }

    /// Power inlets of the template's own rack PDUs.
    void findInlets()
    {
        if (std::ranges::all_of(m_plan.ownPdus, [](const auto& own) { return own.empty(); })) return;
        m_out.ports.forEach([&](PortId id) {
            if (m_out.ports.medium[id] == Medium::Power && m_out.ports.role[id] == PortRole::Up)
                m_inlets.try_emplace(m_out.ports.device[id].value, id.value);
        });
    }

    std::optional<LinkRuleId> rule(const std::string& key, MaybeTier from, MaybeTier to)
    {
        if (!from || !to) return std::nullopt;
        return m_builder.linkRule({.key = key, .from = *from, .to = *to, .medium = Medium::Power});
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

    /// Power sockets [first, first + count) of a device, one logical port each.
    std::uint32_t ports(DeviceId id, std::uint16_t first, std::uint32_t count, PortRole role)
    {
        return m_builder.ports(id, first, count, {.role = role, .medium = Medium::Power}).value;
    }

    void feed(std::optional<LinkRuleId> rule, std::uint32_t from, Feed& supplier)
    {
        if (!rule) return;
        (void)m_builder.cabledLink({.rule = *rule, .from = PortId(from), .to = PortId(supplier.nextOutlet++)});
    }

    /// Two transformers a group behind the hall; returns the first outlet of each.
    std::vector<Feed> writeTransformers(const PlannedHall& b, TierId tier)
    {
        std::vector<Feed> result;
        std::vector<std::uint32_t> ways(std::size_t(b.transformerGroups), 0);
        for (const auto& section : b.sections) ++ways[section.group];
        for (int group = 0; group < b.transformerGroups; ++group)
            for (int side = 0; side < 2; ++side) {
                const DeviceId id =
                    device(tier, m_plan.options.transformer, fmt::format("transformer/auto/{}/group={}/feed={}", stem(b), group, side),
                           fmt::format("{}transformer{}-{}", prefix(b), group + 1, side + 1));
                const int n = 2 * group + side;
                stand(id, b.id, kFirstFrontMm + n % b.transformersAbreast * kTransformerPitchMm,
                      b.hallY + kBehindHallMm + n / b.transformersAbreast * kTransformerLineMm);
                result.push_back({ports(id, 0, ways[std::size_t(group)], PortRole::Down)});
            }
        return result;
    }

    /// Busways A and B over every section of a row; returns their outlets, two a section.
    std::vector<Feed> writeBusways(const PlannedHall& b, TierId tier, MaybeTier transformers)
    {
        auto suppliers = transformers ? writeTransformers(b, *transformers) : std::vector<Feed>();
        std::vector<Feed> result;
        const std::int32_t length = m_parts.device(m_plan.options.busway).depth.value.count();
        for (const auto& section : b.sections) {
            const auto& row = b.rows[section.row];
            const auto& first = m_plan.racks[row.racks[section.first]];
            std::uint32_t taps = 0;
            for (std::uint32_t i = section.first; i < section.first + section.count; ++i)
                taps += std::uint32_t(pdusOfSide(m_plan, row.racks[i], m_parts));
            for (int side = 0; side < 2; ++side) {
                const std::string tail = section.first == 0 ? std::string() : fmt::format("-{:02}", section.first + 1);
                const DeviceId id = device(tier, m_plan.options.busway,
                                           fmt::format("busway/auto/{}/row={}/rack={}/feed={}", stem(b), section.row, section.first, side),
                                           fmt::format("{}busway{}{}", m_out.rows.name[row.id] + "-", side + 1, tail));
                const std::int32_t x = kFirstFrontMm + std::int32_t(section.row / 2) * b.pitch +
                                       (section.row % 2 ? b.pitch - m_plan.options.coldAisle - b.rackDepth : 0);
                const std::int32_t low = (b.hallY - row.widthMm) / 2;
                const std::int32_t end = m_plan.racks[row.racks[section.first + section.count - 1]].along +
                                         m_plan.racks[row.racks[section.first + section.count - 1]].width;
                const std::int32_t y = section.row % 2 ? low + first.along : low + row.widthMm - end, last = b.hallY - kCduEndMm - length;
                stand(id, b.id, x + 300 + side * kBuswayPitchMm,
                      std::clamp(y, std::min(kCduEndMm, last), std::max(kCduEndMm, last))); // a part of one length
                const Feed outlets{ports(id, 0, taps, PortRole::Down)};
                const std::uint32_t inlet = ports(id, std::uint16_t(taps), 1, PortRole::Up);
                if (!suppliers.empty()) feed(m_buswayFeed, inlet, suppliers[2 * section.group + std::size_t(side)]);
                result.push_back(outlets);
            }
        }
        return result;
    }

    /// Rack PDUs on A and B in turn; those of the template are fed only.
    void writePdus(const PlannedHall& b, MaybeTier tier, std::vector<Feed> busways)
    {
        for (std::size_t s = 0; s < b.sections.size(); ++s)
            for (std::uint32_t i = b.sections[s].first; i < b.sections[s].first + b.sections[s].count; ++i) {
                const std::uint32_t number = b.rows[b.sections[s].row].racks[i];
                const auto& own = m_plan.ownPdus[number];
                const auto take = [&](std::size_t n, std::uint32_t inlet) {
                    if (!busways.empty()) feed(m_pduFeed, inlet, busways[2 * s + n % 2]);
                };
                for (std::size_t n = 0; n < own.size(); ++n)
                    if (const auto inlet = m_inlets.find(own[n].value); inlet != m_inlets.end()) take(n, inlet->second);
                if (!own.empty() || !tier) continue;
                const auto& rack = m_plan.racks[number];
                for (int n = 0; n < 2 * pdusOfSide(m_plan, number, m_parts); ++n) {
                    const DeviceId id = device(*tier, m_plan.options.rackPdu, fmt::format("pdu/{}/feed={}", rack.key.substr(5), n),
                                               fmt::format("{}-pdu{}", rack.name, n + 1));
                    m_out.devices.rack.set(id, rack.id);
                    take(std::size_t(n), ports(id, 0, 1, PortRole::Up));
                }
            }
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
    std::map<std::uint32_t, std::uint32_t> m_inlets; ///< first power inlet by device, of the template's own rack PDUs
    std::optional<LinkRuleId> m_buswayFeed, m_pduFeed;
};

} // namespace

void writeEquipment(DesignBuilder& builder, const Plan& plan, Parts& parts) { EquipmentWriter(builder, plan, parts).run(); }

} // namespace hw::layout
