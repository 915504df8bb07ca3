// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plan.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace hw::layout {

namespace {

struct CoordinatesHash {
    std::size_t operator()(const std::vector<std::int32_t>& values) const noexcept
    {
        std::size_t hash = values.size();
        for (const auto v : values) hash = (hash ^ std::size_t(std::uint32_t(v))) * 0x9E3779B97F4A7C15ull;
        return hash ^ hash >> 29;
    }
};

class Grouper {
public:
    Grouper(const Survey& survey, const Options& options)
        : m_survey(survey), m_options(options), m_racks(survey.devices()), m_blocks(survey.devices())
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
    [[nodiscard]] Place placeOf(DeviceId id) const { return m_survey.placeOf(id); }
    [[nodiscard]] bool isServer(std::uint32_t id) const { return m_survey.isLoose[id] && placeOf(DeviceId(id)) == Place::Servers; }

    /// Coordinates by which devices of two tiers meet: those whose names both have; pairs of the place in the
    /// first device's tier and the value of `of`, in the order of `with`.
    [[nodiscard]] std::vector<std::int32_t> shared(std::uint32_t of, const std::vector<std::string>& with) const
    {
        const auto& own = m_survey.tierOf(of).coordinates;
        const auto values = m_survey.coordinatesOf(of);
        std::vector<std::int32_t> both;
        for (std::size_t i = 0; i < with.size(); ++i)
            for (std::size_t k = 0; k < own.size(); ++k)
                if (own[k] == with[i]) both.push_back(std::int32_t(i)), both.push_back(values[k]);
        return both;
    }

    /// Servers that agree in the coordinates which they share with a device; sorted once per tier that asks.
    std::span<const std::uint32_t> serversBeside(DeviceId id)
    {
        if (!m_firstServer) return {};
        const auto& own = m_survey.tierOf(id.value).coordinates;
        auto [index, fresh] = m_serversBy.try_emplace(m_survey.tier[id.value]);
        if (fresh)
            for (const DeviceId server : m_survey.loose)
                if (isServer(server.value)) index->second[shared(server.value, own)].push_back(server.value);
        std::vector<std::int32_t> mine; // what the servers have of its coordinates
        const auto& theirs = m_survey.tierOf(m_firstServer->value).coordinates;
        const auto values = m_survey.coordinatesOf(id.value);
        for (std::size_t i = 0; i < own.size(); ++i)
            if (std::ranges::find(theirs, own[i]) != theirs.end()) mine.push_back(std::int32_t(i)), mine.push_back(values[i]);
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
                throw refusal(m_options.where, i18n("{} must be placed in the rack of its servers, but is not linked to any", m_survey.name(id)),
                              i18n("link it to servers, assign it their coordinates, or place its tier elsewhere"));
            m_racks.join(*first, id.value);
            for (const std::uint32_t server : m_survey.belowOf(id.value).empty() ? serversBeside(id) : m_survey.belowOf(id.value))
                if (isServer(server)) m_racks.join(*first, server);
        }
    }

    /// Switches of the first network that has any among the servers decide what a block is.
    void joinBlocks()
    {
        std::optional<std::uint32_t> primary;
        for (const DeviceId id : m_survey.loose) {
            const auto below = m_survey.belowOf(id.value);
            const auto network = m_survey.tierOf(id.value).network;
            if (placeOf(id) == Place::WithServers && network && !below.empty() && isServer(below.front()) && (!primary || *network < *primary))
                primary = *network;
        }
        std::vector<char> joined(m_survey.devices(), 0);
        for (const DeviceId id : m_survey.loose) {
            if (placeOf(id) == Place::InRack) m_blocks.join(m_racks.find(id.value), id.value);
            if (isServer(id.value)) {
                m_blocks.join(m_racks.find(id.value), id.value);
                joined[id.value] |= m_racks.find(id.value) != id.value;
                joinSegment(id);
            }
            if (placeOf(id) != Place::WithServers || !primary || m_survey.tierOf(id.value).network != primary) continue;
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
        const std::int16_t segment = m_survey.segment[id.value];
        if (segment >= 0) m_blocks.join(m_firstOfSegment.try_emplace({m_survey.pod[id.value], segment}, id.value).first->second, id.value);
    }

    /// Servers without a first switch of their own stand with those that differ in the last coordinate only.
    void joinByCoordinates(const std::vector<char>& joined)
    {
        std::unordered_map<std::vector<std::int32_t>, std::uint32_t, CoordinatesHash> first;
        for (const DeviceId id : m_survey.loose) {
            if (!isServer(id.value) || joined[id.value]) continue;
            const auto values = m_survey.coordinatesOf(id.value);
            std::vector<std::int32_t> key(values.begin(), values.end());
            if (!key.empty()) key.back() = std::int32_t(m_survey.tier[id.value]);
            const auto [found, fresh] = first.try_emplace(std::move(key), id.value);
            if (!fresh) m_blocks.join(found->second, id.value);
        }
    }

    void collectServers()
    {
        m_out.blockOf.assign(m_survey.devices(), kNone);
        std::vector<std::uint32_t> blockOfRoot(m_survey.devices(), kNone), groupOfRoot(blockOfRoot);
        for (const DeviceId id : m_survey.loose) {
            if (!isServer(id.value)) continue;
            auto& block = blockOfRoot[m_blocks.find(id.value)];
            if (block == kNone) {
                block = std::uint32_t(m_out.blocks.size());
                m_out.blocks.push_back({.key = m_survey.key(id.value), .pod = m_survey.pod[id.value]});
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
                (m_survey.kind(id.value) == TierKind::Switch ? group.switches : group.others).push_back(id);
                take(id, block, &group);
            } else if (const auto server = placeOf(id) == Place::WithServers ? serverOf(id) : std::nullopt) {
                joinBlock(id, m_out.blockOf[*server]);
            } else {
                m_out.network.push_back(id);
            }
        }
        std::erase_if(m_out.network, [&](DeviceId id) { return placeOf(id) == Place::WithServers && joinNeighbors(id); });
        std::ranges::stable_sort(m_out.network, {}, [&](DeviceId id) { return m_survey.tierOf(id.value).level; });
    }

    void joinBlock(DeviceId id, std::uint32_t block)
    {
        m_out.blocks[block].switches.push_back(id);
        take(id, block, nullptr);
    }

    /// A management switch with no server on it stands with the switches that it serves.
    bool joinNeighbors(DeviceId id)
    {
        std::vector<std::uint32_t> blocks;
        for (const std::uint32_t below : m_survey.belowOf(id.value))
            if (m_out.blockOf[below] != kNone) blocks.push_back(m_out.blockOf[below]);
        if (blocks.empty()) return false;
        joinBlock(id, blocks[blocks.size() / 2]);
        return true;
    }

    const Survey& m_survey;
    const Options& m_options;
    DisjointSets m_racks, m_blocks;
    std::optional<DeviceId> m_firstServer;
    std::map<std::pair<std::int16_t, std::int16_t>, std::uint32_t> m_firstOfSegment;
    std::vector<std::uint32_t> m_groupOfRoot;
    std::map<std::uint32_t, std::unordered_map<std::vector<std::int32_t>, std::vector<std::uint32_t>, CoordinatesHash>> m_serversBy;
    Groups m_out;
};

} // namespace

Groups group(const Survey& survey, const Options& options) { return Grouper(survey, options).run(); }

} // namespace hw::layout
