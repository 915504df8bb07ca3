// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/schema.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/changeset.h"

#include <unordered_map>

namespace hw::edit {

/// Names and references of one design, found without looking at every row. Made when first asked for, then kept from
/// edit to edit: `follow` brings it to the next state at the cost of what changed. Lives on one thread.
class Lookup {
public:
    Lookup() = default;
    explicit Lookup(SnapshotPtr at) : m_at(std::move(at)) {}

    /// The state that it answers for. With the changes that lead there it need not look for them.
    void follow(const SnapshotPtr& head);
    void follow(const ChangeSet& changes, const SnapshotPtr& head);

    /// As `findEntity`, and cages ("device:cage3") and part types by their slug besides. Of several things of one name the first, or the first of
    /// the kind that is `wanted`.
    [[nodiscard]] std::optional<EntityRef> find(const ProjectParts& parts, std::string_view name, EntityKind wanted = EntityKind::None);
    [[nodiscard]] bool taken(std::string_view name, EntityRef except = {});
    [[nodiscard]] std::optional<PartTypeId> partType(std::string_view slug);
    /// A running number that no device of the tier has; the last of all is given again where somebody set it by hand.
    [[nodiscard]] std::int32_t nextIndex(TierId tier);

    /// Calls f(row) for every row of a table whose column refers to `target`: `referring(&Ports::device, device, f)`.
    template <class T, class C, class F>
    void referring(C T::*column, std::uint32_t target, F&& f)
    {
        const T& table = m_at->of<T>();
        eachReference(table, [&](const auto& c, std::size_t number) {
            if (static_cast<const void*>(&c) == static_cast<const void*>(&(table.*column))) referring(table, c, number, target, f);
        });
    }
    template <class T, class C, class F>
    void referring(const T&, const C& column, std::size_t number, std::uint32_t target, F&& f)
    {
        const Lists& lists = listsOf<T>(column, number);
        for (std::uint32_t row = target < lists.first.size() ? lists.first[target] : kNoRow; row != kNoRow; row = lists.next[row]) f(row);
    }
    /// The link of a port, in any medium.
    [[nodiscard]] std::optional<LinkId> linkOf(PortId port);

private:
    /// Rows by what one of their columns refers to: doubly linked lists through the rows.
    struct Lists {
        std::vector<std::uint32_t> first; ///< by target
        std::vector<std::uint32_t> next, previous, target;
        void put(std::uint32_t row, std::uint32_t to);
        void take(std::uint32_t row);
    };
    using Names = std::unordered_multimap<std::string, EntityRef>;

    template <class T, class C>
    Lists& listsOf(const C& column, std::size_t number)
    {
        auto& of = m_lists[kNumberOf<T>];
        if (of.size() <= number) of.resize(number + 1);
        if (of[number].first.empty()) {
            of[number].first.assign(1, kNoRow);
            const T& table = m_at->of<T>();
            const auto& own = static_cast<const ValueColumn<typename C::Value>&>(column);
            for (auto id : reversed(table)) of[number].put(id, rawOf(valueOf(own, id)));
        }
        return of[number];
    }
    template <class T>
    static std::vector<std::uint32_t> reversed(const T& table)
    {
        std::vector<std::uint32_t> rows;
        table.forEach([&](auto id) { rows.push_back(id.value); });
        return {rows.rbegin(), rows.rend()};
    }
    template <class V>
    static const V& valueOf(const ValueColumn<V>& column, std::uint32_t row)
    {
        return column.at(row);
    }
    void forget();
    void learnNames();
    void update(const ChangeSet& changes, const Snapshot& after);
    [[nodiscard]] std::optional<EntityRef> findNamed(const ProjectParts& parts, std::string_view name, EntityKind wanted); ///< all but links
    [[nodiscard]] std::optional<PortId> findPort(const ProjectParts& parts, DeviceId device, std::string_view port);
    [[nodiscard]] std::optional<CageId> findCage(DeviceId device, std::string_view cage);
    [[nodiscard]] static std::optional<EntityRef> firstOf(const Names& names, std::string_view name, EntityKind wanted);

    SnapshotPtr m_at;
    std::array<std::vector<Lists>, Snapshot::kTables> m_lists; ///< by table and column, empty until asked for
    bool m_named = false;
    Names m_names, m_keys;
    std::unordered_map<std::string, PartTypeId> m_slugs;
    std::unordered_map<std::uint32_t, std::unordered_map<std::string, PortId>> m_portNames; ///< by device, of those asked for
    std::unordered_map<std::uint32_t, std::int32_t> m_nextIndex;                            ///< by tier
};

inline constexpr std::int32_t kLastIndex = 2'000'000; ///< of devices in their tier
inline constexpr std::size_t kLongestName = 100;      ///< characters
/// Of a text in UTF-8.
[[nodiscard]] std::size_t charactersOf(std::string_view text);

/// Names for new things: the given one with its last number counted on until nothing has it. Knows what it gave.
class FreshNames {
public:
    explicit FreshNames(Lookup& lookup) : m_lookup(lookup) {}
    /// `name` itself where it is free.
    [[nodiscard]] std::string of(const std::string& name);
    /// The next free one after `name`: rack-07 → rack-08, hall → hall-2.
    [[nodiscard]] std::string after(const std::string& name);

private:
    [[nodiscard]] bool taken(const std::string& name) { return m_given.contains(name) || m_lookup.taken(name); }
    Lookup& m_lookup;
    std::unordered_map<std::string, std::int64_t> m_next; ///< by stem and width of the number
    std::unordered_map<std::string, bool> m_given;
};

} // namespace hw::edit
