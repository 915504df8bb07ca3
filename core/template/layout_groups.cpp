// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/generator.h"
#include "core/template/layout_plan.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace hw::layout {

namespace {

/// "device.tor/pod=0/segment=3" → {pod=0, segment=3}, with the tier cut off.
std::vector<std::string_view> coordinatesOf(std::string_view key)
{
    std::vector<std::string_view> result;
    for (auto at = key.find('/'); at != std::string_view::npos;) {
        const auto end = key.find('/', at + 1);
        result.push_back(key.substr(at + 1, end == std::string_view::npos ? end : end - at - 1));
        at = end;
    }
    return result;
}

class Grouper {
public:
    Grouper(const Snapshot& design, const Survey& survey, const Options& options)
        : m_s(design), m_survey(survey), m_options(options), m_racks(design.devices.nextId()), m_blocks(design.devices.nextId())
    {
        const auto first = std::ranges::find_if(survey.loose, [&](DeviceId id) { return isServer(id.value); });
        if (first != survey.loose.end()) m_firstServer = *first;
    }

    Groups run()
    {
        joinRacks();
        joinBlocks();
        collectServers();
        collectOthers();
        return std::move(m_out);
    }

private:
    [[nodiscard]] Place placeOf(DeviceId id) const { return m_survey.place[m_s.devices.tier[id].value]; }
    [[nodiscard]] bool isServer(std::uint32_t id) const { return m_survey.isLoose[id] && placeOf(DeviceId(id)) == Place::Servers; }

    /// Coordinates by which devices of two tiers meet: those whose names both have, as "pod=0/rack=3".
    [[nodiscard]] static std::string shared(const std::vector<std::string_view>& of, const std::vector<std::string_view>& with)
    {
        const auto name = [](std::string_view c) { return c.substr(0, c.find('=')); };
        std::vector<std::string_view> both;
        for (const auto c : of)
            if (std::ranges::any_of(with, [&](auto other) { return name(other) == name(c); })) both.push_back(c);
        std::ranges::sort(both);
        std::string result;
        for (const auto c : both) (result += c) += '/';
        return result;
    }

    /// Servers that agree in the coordinates which they share with a device; sorted once per tier that asks.
    std::span<const std::uint32_t> serversBeside(DeviceId id)
    {
        if (!m_firstServer) return {};
        const auto own = coordinatesOf(m_s.devices.key[id]);
        auto [index, fresh] = m_serversBy.try_emplace(m_s.devices.tier[id].value);
        if (fresh)
            for (const DeviceId server : m_survey.loose)
                if (isServer(server.value)) index->second[shared(coordinatesOf(m_s.devices.key[server]), own)].push_back(server.value);
        const std::string mine = shared(own, coordinatesOf(m_s.devices.key[*m_firstServer]));
        const auto found = index->second.find(mine);
        return mine.empty() || found == index->second.end() ? std::span<const std::uint32_t>() : std::span<const std::uint32_t>(found->second);
    }

    /// The server that a device belongs to: the first of those linked below it, else by coordinates.
    std::optional<std::uint32_t> serverOf(DeviceId id)
    {
        const auto below = m_survey.belowOf(id.value);
        for (const std::uint32_t device : below)
            if (isServer(device)) return device;
        if (!below.empty()) return std::nullopt;
        const auto beside = serversBeside(id);
        return beside.empty() ? std::nullopt : std::optional(beside.front());
    }

    void joinRacks()
    {
        for (const DeviceId id : m_survey.loose) {
            if (placeOf(id) != Place::InRack) continue;
            const auto first = serverOf(id);
            if (!first)
                throw refusal(m_options.where, fmt::format("{} is to stand in the rack of its servers, and has none", m_s.devices.name[id]),
                              "link it to servers, give it their coordinates, or place its tier elsewhere");
            m_racks.join(*first, id.value);
            for (const std::uint32_t server : m_survey.belowOf(id.value).empty() ? serversBeside(id) : m_survey.belowOf(id.value))
                if (isServer(server)) m_racks.join(*first, server);
        }
    }

    /// Switches of the first network that has any among the servers decide what a block is.
    void joinBlocks()
    {
        std::optional<NetworkId> primary;
        for (const DeviceId id : m_survey.loose) {
            const auto below = m_survey.belowOf(id.value);
            const auto network = m_s.tiers.network[m_s.devices.tier[id]];
            if (placeOf(id) == Place::WithServers && network && !below.empty() && isServer(below.front()) && (!primary || *network < *primary)) primary = *network;
        }
        std::vector<char> joined(m_s.devices.nextId(), 0);
        for (const DeviceId id : m_survey.loose) {
            if (placeOf(id) == Place::InRack) m_blocks.join(m_racks.find(id.value), id.value);
            if (isServer(id.value)) {
                m_blocks.join(m_racks.find(id.value), id.value);
                joined[id.value] |= m_racks.find(id.value) != id.value;
                joinSegment(id);
            }
            if (placeOf(id) != Place::WithServers || !primary || !(m_s.tiers.network[m_s.devices.tier[id]] == *primary)) continue;
            for (const std::uint32_t server : m_survey.belowOf(id.value)) {
                if (!isServer(server)) continue;
                m_blocks.join(m_survey.belowOf(id.value).front(), server);
                joined[server] = 1;
            }
        }
        if (!primary) joinByCoordinates(joined);
    }

    /// Servers of one segment stay together, whatever switches they have.
    void joinSegment(DeviceId id)
    {
        const std::int16_t segment = m_s.devices.segment[id];
        if (segment >= 0) m_blocks.join(m_firstOfSegment.try_emplace({m_s.devices.pod[id], segment}, id.value).first->second, id.value);
    }

    /// Servers without a first switch of their own stand with those that differ in the last coordinate only.
    void joinByCoordinates(const std::vector<char>& joined)
    {
        std::unordered_map<std::string_view, std::uint32_t> first;
        for (const DeviceId id : m_survey.loose) {
            if (!isServer(id.value) || joined[id.value]) continue;
            const std::string_view key = m_s.devices.key[id];
            const auto [found, fresh] = first.try_emplace(key.substr(0, key.rfind('/')), id.value);
            if (!fresh) m_blocks.join(found->second, id.value);
        }
    }

    void collectServers()
    {
        m_out.blockOf.assign(m_s.devices.nextId(), kNone);
        std::vector<std::uint32_t> blockOfRoot(m_s.devices.nextId(), kNone), groupOfRoot(blockOfRoot);
        for (const DeviceId id : m_survey.loose) {
            if (!isServer(id.value)) continue;
            auto& block = blockOfRoot[m_blocks.find(id.value)];
            if (block == kNone) {
                block = std::uint32_t(m_out.blocks.size());
                const std::string& key = m_s.devices.key[id];
                m_out.blocks.push_back({.key = key.starts_with("device.") ? key.substr(7) : key, .pod = m_s.devices.pod[id]});
            }
            auto& to = m_out.blocks[block];
            auto& group = groupOfRoot[m_racks.find(id.value)];
            if (group == kNone) {
                group = std::uint32_t(to.groups.size());
                to.groups.emplace_back();
            }
            to.groups[group].servers.push_back(id);
            take(id, block, &to.groups[group]);
        }
        m_groupOfRoot = std::move(groupOfRoot);
    }

    void take(DeviceId id, std::uint32_t block, RackGroup* group)
    {
        m_out.blockOf[id.value] = block;
        m_out.blocks[block].demand += m_survey.demand[id.value];
        if (group) group->demand += m_survey.demand[id.value];
    }

    void collectOthers()
    {
        for (const DeviceId id : m_survey.loose) {
            if (isServer(id.value)) continue;
            if (placeOf(id) == Place::InRack) {
                const std::uint32_t block = m_out.blockOf[*serverOf(id)];
                auto& group = m_out.blocks[block].groups[m_groupOfRoot[m_racks.find(id.value)]];
                (m_survey.kind[id.value] == TierKind::Switch ? group.switches : group.others).push_back(id);
                take(id, block, &group);
            } else if (const auto server = placeOf(id) == Place::WithServers ? serverOf(id) : std::nullopt) {
                joinBlock(id, m_out.blockOf[*server]);
            } else {
                m_out.network.push_back(id);
            }
        }
        std::erase_if(m_out.network, [&](DeviceId id) { return placeOf(id) == Place::WithServers && joinNeighbours(id); });
        std::ranges::stable_sort(m_out.network, {}, [&](DeviceId id) { return m_survey.level[id.value]; });
    }

    void joinBlock(DeviceId id, std::uint32_t block)
    {
        m_out.blocks[block].switches.push_back(id);
        take(id, block, nullptr);
    }

    /// A management switch with no server on it stands with the switches that it serves.
    bool joinNeighbours(DeviceId id)
    {
        std::vector<std::uint32_t> blocks;
        for (const std::uint32_t below : m_survey.belowOf(id.value))
            if (m_out.blockOf[below] != kNone) blocks.push_back(m_out.blockOf[below]);
        if (blocks.empty()) return false;
        joinBlock(id, blocks[blocks.size() / 2]);
        return true;
    }

    const Snapshot& m_s;
    const Survey& m_survey;
    const Options& m_options;
    DisjointSets m_racks, m_blocks;
    std::optional<DeviceId> m_firstServer;
    std::map<std::pair<std::int16_t, std::int16_t>, std::uint32_t> m_firstOfSegment;
    std::vector<std::uint32_t> m_groupOfRoot;
    std::map<std::uint32_t, std::unordered_map<std::string, std::vector<std::uint32_t>>> m_serversBy;
    Groups m_out;
};

} // namespace

Groups group(const Snapshot& design, const Survey& survey, const Options& options) { return Grouper(design, survey, options).run(); }

} // namespace hw::layout
