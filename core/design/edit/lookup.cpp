// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/lookup.h"

#include "core/foundation/catalog/catalog.h"
#include "core/foundation/catalog/link_ends.h"
#include "core/foundation/model/text_values.h"

#include <algorithm>

namespace hw::edit {

void Lookup::Lists::put(std::uint32_t row, std::uint32_t to)
{
    if (row >= target.size()) {
        target.resize(row + 1, kNoRow);
        next.resize(row + 1, kNoRow);
        previous.resize(row + 1, kNoRow);
    }
    if (to == kNoRow) return;
    if (to >= first.size()) first.resize(to + 1, kNoRow);
    target[row] = to;
    previous[row] = kNoRow;
    next[row] = first[to];
    if (next[row] != kNoRow) previous[next[row]] = row;
    first[to] = row;
}

void Lookup::Lists::take(std::uint32_t row)
{
    if (row >= target.size() || target[row] == kNoRow) return;
    (previous[row] == kNoRow ? first[target[row]] : next[previous[row]]) = next[row];
    if (next[row] != kNoRow) previous[next[row]] = previous[row];
    target[row] = next[row] = previous[row] = kNoRow;
}

void Lookup::forget()
{
    m_lists = {};
    m_named = false;
    m_names.clear(), m_keys.clear(), m_slugs.clear(), m_portNames.clear(), m_nextIndex.clear();
}

void Lookup::follow(const SnapshotPtr& head)
{
    if (m_at == head) return;
    if (m_at && head)
        update(difference(*m_at, *head, {}), *head);
    else
        forget();
    m_at = head;
}

void Lookup::follow(const ChangeSet& changes, const SnapshotPtr& head)
{
    if (!m_at || m_at->revision != changes.revisionBefore) return follow(head);
    update(changes, *head);
    m_at = head;
}

void Lookup::learnNames()
{
    if (m_named) return;
    m_named = true;
    m_at->eachTable([&](const auto& table) {
        if constexpr (Named<decltype(table)>)
            table.forEach([&](auto id) {
                m_names.emplace(table.name[id], ref(id));
                if (!table.key[id].empty()) m_keys.emplace(table.key[id], ref(id));
            });
    });
    m_at->partTypes.forEach([&](PartTypeId id) { m_slugs.emplace(m_at->partTypes.slug[id], id); });
}

namespace {

void drop(std::unordered_multimap<std::string, EntityRef>& names, const std::string& name, EntityRef entity)
{
    const auto [from, to] = names.equal_range(name);
    const auto found = std::find_if(from, to, [&](const auto& entry) { return entry.second == entity; });
    if (found != to) names.erase(found);
}

} // namespace

void Lookup::update(const ChangeSet& changes, const Snapshot& after)
{
    constexpr std::size_t kMany = 4096; // chunks: a whole design is faster learned again
    if (changes.chunks.size() > kMany) return forget();
    if (changes.touchesAny<PartTypes>()) m_named = false, m_names.clear(), m_keys.clear(), m_slugs.clear();
    if (changes.touchesAny<Ports, Cages, PartTypes>() || changes.touches(&Devices::type)) m_portNames.clear();
    if (changes.touchesAlive<Devices>() || changes.touches(&Devices::index)) m_nextIndex.clear();
    after.eachTable([&](const auto& table) {
        using T = std::decay_t<decltype(table)>;
        auto& lists = m_lists[kNumberOf<T>];
        const bool listed = std::any_of(lists.begin(), lists.end(), [](const Lists& l) { return !l.first.empty(); });
        if (!(listed || (m_named && Named<T>)) || !changes.touchesAny<T>()) return;
        const RowChanges rows = changes.rows<T>();
        const T& before = m_at->of<T>();
        const auto renew = [&](std::uint32_t row) {
            eachReference(table, [&](const auto& column, std::size_t number) {
                if (number >= lists.size() || lists[number].first.empty()) return;
                lists[number].take(row);
                if (table.alive(row)) lists[number].put(row, rawOf(valueOf(column, row)));
            });
            if constexpr (Named<T>) {
                if (!m_named) return;
                const typename T::IdType id(row);
                const auto move = [&](const auto& column, const auto& old, Names& names) {
                    if (before.alive(row) && table.alive(row) && old[id] == column[id]) return;
                    if (before.alive(row)) drop(names, old[id], ref(id));
                    if (table.alive(row) && !column[id].empty()) names.emplace(column[id], ref(id));
                };
                move(table.name, before.name, m_names);
                move(table.key, before.key, m_keys);
            }
        };
        for (const auto row : rows.inserted) renew(row);
        for (const auto row : rows.erased) renew(row);
        for (const auto& update : rows.updated) renew(update.row);
    });
}

std::optional<EntityRef> Lookup::firstOf(const Names& names, std::string_view name, EntityKind wanted)
{
    const auto [from, to] = names.equal_range(std::string(name));
    if (from == to) return std::nullopt;
    const auto rank = [&](const auto& entry) { return std::pair(entry.second.kind != wanted, entry.second); };
    return std::min_element(from, to, [&](const auto& a, const auto& b) { return rank(a) < rank(b); })->second;
}

bool Lookup::taken(std::string_view name, EntityRef except)
{
    learnNames();
    const auto [from, to] = m_names.equal_range(std::string(name));
    return std::any_of(from, to, [&](const auto& entry) { return entry.second != except; });
}

std::optional<PartTypeId> Lookup::partType(std::string_view slug)
{
    learnNames();
    const auto found = m_slugs.find(std::string(slug));
    return found != m_slugs.end() ? std::optional(found->second) : std::nullopt;
}

std::int32_t Lookup::nextIndex(TierId tier)
{
    auto [next, fresh] = m_nextIndex.try_emplace(tier.value, 0);
    if (fresh)
        referring(&Devices::tier, tier.value,
                  [&](std::uint32_t row) { next->second = std::max(next->second, m_at->devices.index[DeviceId(row)] + 1); });
    return next->second;
}

std::optional<LinkId> Lookup::linkOf(PortId port)
{
    std::optional<LinkId> found;
    const auto take = [&](std::uint32_t row) { found = LinkId(row); };
    referring(&Links::from, port.value, take);
    referring(&Links::to, port.value, take);
    return found;
}

std::optional<PortId> Lookup::findPort(const ProjectParts& parts, DeviceId device, std::string_view port)
{
    auto [names, fresh] = m_portNames.try_emplace(device.value);
    if (fresh)
        referring(&Ports::device, device.value, [&](std::uint32_t row) {
            const PortId id(row);
            auto [at, first] = names->second.try_emplace(portName(*m_at, parts, id), id);
            if (!first && id < at->second) at->second = id;
        });
    const auto found = names->second.find(std::string(port));
    return found != names->second.end() ? std::optional(found->second) : std::nullopt;
}

std::optional<CageId> Lookup::findCage(DeviceId device, std::string_view cage)
{
    std::uint32_t number = 0;
    if (!cage.starts_with("cage") || !text::fromText(cage.substr(4), number)) return std::nullopt;
    std::optional<CageId> found;
    referring(&Cages::device, device.value, [&](std::uint32_t row) {
        if (m_at->cages.number[CageId(row)] + 1u == number) found = CageId(row);
    });
    return found;
}

std::optional<EntityRef> Lookup::findNamed(const ProjectParts& parts, std::string_view name, EntityKind wanted)
{
    learnNames();
    if (const auto found = firstOf(m_names, name, wanted)) return found;
    if (const auto found = firstOf(m_keys, name, wanted)) return found;
    if (name.starts_with("cable-")) {
        std::uint32_t number = 0;
        if (text::fromText(name.substr(6), number) && number > 0 && m_at->cables.alive(number - 1)) return ref(CableId(number - 1));
    }
    if (const auto type = partType(name)) return ref(*type);
    const auto colon = name.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto device = findNamed(parts, name.substr(0, colon), EntityKind::Device);
    if (!device || device->kind != EntityKind::Device) return std::nullopt;
    if (const auto port = findPort(parts, DeviceId(device->id), name.substr(colon + 1))) return ref(*port);
    if (const auto cage = findCage(DeviceId(device->id), name.substr(colon + 1))) return ref(*cage);
    return std::nullopt;
}

std::optional<EntityRef> Lookup::find(const ProjectParts& parts, std::string_view name, EntityKind wanted)
{
    if (const auto found = findNamed(parts, name, wanted)) return found;
    for (const auto& [first, second] : endsInName(name)) {
        const auto a = findNamed(parts, first, EntityKind::Port), b = a ? findNamed(parts, second, EntityKind::Port) : std::nullopt;
        if (!a || !b || a->kind != EntityKind::Port || b->kind != EntityKind::Port) continue;
        if (const auto link = linkOf(PortId(a->id)); link && linkOf(PortId(b->id)) == link) return ref(*link);
    }
    return std::nullopt;
}

std::size_t charactersOf(std::string_view text)
{
    return std::size_t(std::ranges::count_if(text, [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

std::string FreshNames::of(const std::string& name)
{
    if (taken(name)) return after(name);
    m_given.emplace(name, true);
    return name;
}

std::string FreshNames::after(const std::string& name)
{
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    const bool numbered = digits < name.size() && name.size() - digits < 10;
    constexpr std::size_t kLongestNumber = 10;
    std::string stem = numbered ? name.substr(0, digits) : name + "-";
    if (charactersOf(stem) > kLongestName - kLongestNumber) { // room for the number
        while (charactersOf(stem) >= kLongestName - kLongestNumber) stem.pop_back();
        stem += '-';
    }
    const std::size_t width = numbered ? name.size() - digits : 1;
    auto [next, fresh] = m_next.try_emplace(stem + '\n' + std::to_string(width), 2);
    if (fresh && numbered) next->second = std::stoll(name.substr(digits)) + 1;
    for (;; ++next->second) {
        std::string number = std::to_string(next->second);
        if (number.size() < width) number.insert(0, width - number.size(), '0');
        std::string found = stem + number;
        if (taken(found)) continue;
        m_given.emplace(found, true);
        return found;
    }
}

} // namespace hw::edit
