// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/symmetry.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

namespace hw::proof {

namespace {

constexpr std::size_t kMostPartners = 4; ///< values that a value is tried against before it stands alone

std::uint64_t mixed(std::uint64_t hash, std::uint64_t x)
{
    hash = (hash ^ x) * 0x9e3779b97f4a7c15ull;
    return hash ^ (hash >> 31);
}

} // namespace

Symmetry::Symmetry(const Graph& graph, std::size_t fewest) : m_graph(graph), m_classes(graph.groups().size())
{
    readCoordinates();
    m_image.resize(graph.vertexCount());
    std::iota(m_image.begin(), m_image.end(), 0u);
    m_expected.assign(graph.vertexCount(), {kNone, 0, 0});
    m_groupsOn.resize(graph.vertexCount());
    m_mark.assign(graph.groups().size(), 0);
    for (std::uint32_t g = 0; g < graph.groups().size(); ++g) {
        const auto attachments = graph.attachments(graph.groups()[g]);
        for (const auto& a : attachments) m_groupsOn[a.vertex].push_back(g);
        m_groupAt.emplace(hashOf(attachments), g);
    }
    std::set<std::uint32_t> tiers;
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) tiers.insert(graph.vertex(v).tier.value);
    const auto names = std::uint32_t(m_names.size());
    for (std::uint32_t c = 0; c < names; ++c) tryScope({c});
    if (m_classes.count() <= fewest) return;
    for (const auto tier : tiers)
        for (std::uint32_t c = 0; c < names; ++c) tryScope({c, tier});
    if (m_classes.count() <= fewest) return;
    const auto pod = std::uint32_t(std::ranges::find(m_names, "pod") - m_names.begin());
    if (pod == names) return;
    std::set<std::int64_t> pods;
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
        if (const auto value = valueOf(v, pod)) pods.insert(*value);
    for (const auto value : pods)
        for (std::uint32_t c = 0; c < names; ++c)
            if (c != pod) tryScope({c, kNone, pod, value});
}

/// "device.tor/pod=0/segment=6" → {pod: 0, segment: 6}; the same coordinates within a tier name one switch.
void Symmetry::readCoordinates()
{
    std::map<std::string, std::uint32_t, std::less<>> numbers;
    m_coordinates.resize(m_graph.vertexCount());
    const auto& keys = m_graph.snapshot().devices.key;
    for (std::uint32_t v = 0; v < m_graph.vertexCount(); ++v) {
        const std::string_view key = keys[m_graph.vertex(v).device];
        for (auto slash = key.find('/'); slash != key.npos;) {
            const auto next = key.find('/', slash + 1);
            const auto part = key.substr(slash + 1, next == key.npos ? key.npos : next - slash - 1);
            const auto equals = part.find('=');
            std::int64_t value = 0;
            if (equals != part.npos && std::from_chars(part.data() + equals + 1, part.data() + part.size(), value).ec == std::errc()) {
                const auto it = numbers.try_emplace(std::string(part.substr(0, equals)), std::uint32_t(m_names.size())).first;
                if (it->second == m_names.size()) m_names.push_back(it->first);
                m_coordinates[v].push_back({it->second, value});
            }
            slash = next;
        }
        std::ranges::sort(m_coordinates[v]);
        std::uint64_t hash = m_graph.vertex(v).tier.value;
        for (const auto& c : m_coordinates[v]) hash = mixed(mixed(hash, c.name), std::uint64_t(c.value));
        m_vertexAt.emplace(hash, v);
    }
}

std::optional<std::int64_t> Symmetry::valueOf(std::uint32_t vertex, std::uint32_t name) const
{
    for (const auto& c : m_coordinates[vertex])
        if (c.name == name) return c.value;
    return std::nullopt;
}

std::uint64_t Symmetry::hashOf(std::span<const Graph::Attachment> attachments) const
{
    std::uint64_t hash = 0; // a sum, so that the order of attachments does not matter
    for (const auto& a : attachments) hash += mixed(mixed(1, a.vertex), std::uint64_t(a.cables));
    return hash;
}

/// Chains the values of a coordinate: each new one is tried against the last of every chain. Where that
/// leaves several chains, all values may turn round together.
void Symmetry::tryScope(const Scope& scope)
{
    std::map<std::int64_t, std::vector<std::uint32_t>> byValue;
    for (std::uint32_t v = 0; v < m_graph.vertexCount(); ++v) {
        if (scope.tier != kNone && m_graph.vertex(v).tier.value != scope.tier) continue;
        if (scope.podName != kNone && valueOf(v, scope.podName) != scope.pod) continue;
        if (const auto value = valueOf(v, scope.coordinate)) byValue[*value].push_back(v);
    }
    std::vector<std::int64_t> chains;
    std::vector<std::uint32_t> movable;
    for (const auto& [value, vertices] : byValue) {
        bool chained = false;
        for (std::size_t i = 0; i < chains.size() && i < kMostPartners && !chained; ++i) {
            auto& last = chains[chains.size() - 1 - i];
            movable = byValue[last];
            movable.insert(movable.end(), vertices.begin(), vertices.end());
            chained = tryMapping(scope, {{last, value}, {value, last}}, movable);
            if (chained) last = value;
        }
        if (!chained) chains.push_back(value);
    }
    if (chains.size() < 2) return;
    Mapping turn;
    movable.clear();
    for (auto it = byValue.begin(); it != byValue.end(); ++it) {
        turn[it->first] = std::next(it) == byValue.end() ? byValue.begin()->first : std::next(it)->first;
        movable.insert(movable.end(), it->second.begin(), it->second.end());
    }
    (void)tryMapping(scope, turn, movable);
}

bool Symmetry::tryMapping(const Scope& scope, const Mapping& mapping, std::span<const std::uint32_t> movable)
{
    Exchange exchange;
    const bool works =
        placeImages(scope, mapping, movable) && keepsCables(movable) && moveGroups(scope, mapping, movable, exchange) && keepsRelations(exchange);
    for (const auto v : movable) m_image[v] = v;
    if (!works) return false;
    for (const auto& [g, image] : exchange.groups) m_classes.join(g, image);
    m_exchanges.push_back(std::move(exchange));
    return true;
}

/// Where every movable vertex goes: to one of its tier that no other goes to.
bool Symmetry::placeImages(const Scope& scope, const Mapping& mapping, std::span<const std::uint32_t> movable)
{
    std::vector<Coordinate> wanted;
    std::vector<std::uint32_t> images;
    for (const auto v : movable) {
        wanted = m_coordinates[v];
        for (auto& c : wanted)
            if (c.name == scope.coordinate) c.value = mapping.at(c.value);
        std::uint64_t hash = m_graph.vertex(v).tier.value;
        for (const auto& c : wanted) hash = mixed(mixed(hash, c.name), std::uint64_t(c.value));
        const auto [begin, end] = m_vertexAt.equal_range(hash);
        const auto found = std::find_if(begin, end, [&](const auto& entry) {
            return m_coordinates[entry.second] == wanted && m_graph.vertex(entry.second).tier == m_graph.vertex(v).tier;
        });
        if (found == end) return false;
        m_image[v] = found->second;
        images.push_back(found->second);
    }
    std::ranges::sort(images);
    std::vector<std::uint32_t> own(movable.begin(), movable.end());
    std::ranges::sort(own);
    return images == own; // a permutation of the movable ones
}

/// Cables run both ways, so looking at the moved vertices sees every cable that moves.
bool Symmetry::keepsCables(std::span<const std::uint32_t> moved)
{
    for (const auto v : moved) {
        const auto arcs = m_graph.arcs(v), theirs = m_graph.arcs(m_image[v]);
        if (arcs.size() != theirs.size()) return false;
        for (const auto& arc : arcs) m_expected[m_image[arc.to]] = {v, arc.cables, arc.gbps};
        const bool same = std::ranges::all_of(theirs, [&](const Graph::Arc& arc) {
            return m_expected[arc.to] == Graph::Arc{v, arc.cables, arc.gbps};
        });
        if (!same) return false;
    }
    return true;
}

bool Symmetry::moveGroups(const Scope& scope, const Mapping& mapping, std::span<const std::uint32_t> moved, Exchange& out)
{
    ++m_guess;
    for (const auto v : moved)
        for (const auto g : m_groupsOn[v]) {
            if (std::exchange(m_mark[g], m_guess) == m_guess) continue;
            const auto image = imageOf(g, scope, mapping);
            if (image == kNone) return false;
            if (image != g) out.groups.emplace_back(g, image);
        }
    auto images = out.groups; // each image once, and each of them moved itself
    std::ranges::sort(images, {}, [](const auto& pair) { return pair.second; });
    for (std::size_t i = 0; i < images.size(); ++i)
        if (m_mark[images[i].second] != m_guess || (i > 0 && images[i - 1].second == images[i].second)) return false;
    return true;
}

/// Groups like `like` (which they may replace in every count) that have these cables, ascending.
std::vector<std::uint32_t> Symmetry::groupsLike(const Graph::Group& like, std::span<const Graph::Attachment> attachments) const
{
    std::vector<std::uint32_t> result;
    const auto [begin, end] = m_groupAt.equal_range(hashOf(attachments));
    for (auto it = begin; it != end; ++it) {
        const auto& g = m_graph.groups()[it->second];
        const bool alike = g.tier == like.tier && g.backup == like.backup && g.own == like.own && g.nics() == like.nics();
        if (alike && std::ranges::equal(m_graph.attachments(g), attachments)) result.push_back(it->second);
    }
    std::ranges::sort(result);
    return result;
}

/// The group with the image's cables. Of several (NICs of many segments on the same switches) the one whose
/// coordinates move alike, else the one that stands in the same place among its likes.
std::uint32_t Symmetry::imageOf(std::uint32_t group, const Scope& scope, const Mapping& mapping)
{
    const auto& own = m_graph.groups()[group];
    const auto attachments = m_graph.attachments(own);
    std::vector<Graph::Attachment> wanted(attachments.begin(), attachments.end());
    for (auto& at : wanted) at.vertex = m_image[at.vertex];
    std::ranges::sort(wanted);
    const auto mapped = [&](std::int16_t value, const char* name) {
        const auto it = m_names[scope.coordinate] == name ? mapping.find(value) : mapping.end();
        return it == mapping.end() ? value : std::int16_t(it->second);
    };
    const auto expected = std::tuple(mapped(own.pod, "pod"), mapped(own.segment, "segment"), mapped(own.rail, "rail"));
    const auto images = groupsLike(own, wanted);
    for (const auto g : images) {
        const auto& image = m_graph.groups()[g];
        if (std::tuple(image.pod, image.segment, image.rail) == expected) return g;
    }
    const auto likes = groupsLike(own, attachments);
    return likes.size() == images.size() ? images[std::size_t(std::ranges::lower_bound(likes, group) - likes.begin())] : kNone;
}

/// Pods, segments within pods, and rails move as wholes.
bool Symmetry::keepsRelations(const Exchange& exchange) const
{
    const auto& groups = m_graph.groups();
    std::vector<std::uint32_t> image(groups.size());
    std::iota(image.begin(), image.end(), 0u);
    for (const auto& [g, to] : exchange.groups) image[g] = to;
    std::map<std::int32_t, std::int32_t> pods, segments, rails;
    const auto goes = [](auto& map, std::int32_t from, std::int32_t to) { return map.try_emplace(from, to).first->second == to; };
    const auto segment = [](const Graph::Group& g) { return std::int32_t(g.pod) * 65536 + g.segment; };
    for (std::uint32_t i = 0; i < groups.size(); ++i) {
        const auto &g = groups[i], &to = groups[image[i]];
        if (g.attachmentStart == g.attachmentEnd) continue;
        if (!goes(pods, g.pod, to.pod) || !goes(segments, segment(g), segment(to)) || !goes(rails, g.rail, to.rail)) return false;
    }
    return true;
}

std::vector<std::uint32_t> Symmetry::smallest(DisjointSets& classes) const
{
    std::vector<std::uint8_t> seen(m_graph.groups().size(), 0);
    std::vector<std::uint32_t> result;
    for (std::uint32_t g = 0; g < seen.size(); ++g) {
        const auto& group = m_graph.groups()[g];
        if (group.backup || group.attachmentStart == group.attachmentEnd || std::exchange(seen[classes.find(g)], 1)) continue;
        result.push_back(g);
    }
    return result;
}

std::vector<std::uint32_t> Symmetry::sources()
{
    auto result = smallest(m_classes);
    m_sourceOf.assign(m_graph.groups().size(), kNone);
    for (const auto g : result) m_sourceOf[m_classes.find(g)] = g;
    return result;
}

std::vector<std::uint32_t> Symmetry::targets(std::uint32_t group) const
{
    DisjointSets fixing(m_graph.groups().size());
    for (const auto& exchange : m_exchanges) {
        const bool moves = std::ranges::any_of(exchange.groups, [&](const auto& pair) { return pair.first == group; });
        if (moves) continue;
        for (const auto& [g, image] : exchange.groups) fixing.join(g, image);
    }
    return smallest(fixing);
}

} // namespace hw::proof
