// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/kinds.h"

#include "core/model/snapshot.h"

#include <algorithm>
#include <map>

namespace hw::edit {

namespace {

const std::map<EntityKind, std::string>& words()
{
    static const auto all = [] {
        std::map<EntityKind, std::string> result;
        schemaSnapshot().eachTable([&](const auto& table) {
            std::string word(static_cast<const TableBase&>(table).name());
            if (word.ends_with('s')) word.pop_back();
            std::replace(word.begin(), word.end(), '_', '-');
            if (const auto kind = kKindOf<std::decay_t<decltype(table)>>; kind != EntityKind::None) result[kind] = word;
        });
        result[EntityKind::None] = "nothing";
        return result;
    }();
    return all;
}

} // namespace

const std::string& kindWord(EntityKind kind) { return words().at(kind); }

std::optional<EntityKind> kindOfWord(std::string_view word)
{
    for (const auto& [kind, own] : words())
        if (own == word && kind != EntityKind::None) return kind;
    return std::nullopt;
}

std::string counted(std::size_t count, EntityKind kind)
{
    std::string word = kindWord(kind);
    std::replace(word.begin(), word.end(), '-', ' ');
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

} // namespace hw::edit
