// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/kinds.h"

#include "core/foundation/model/snapshot.h"

#include <algorithm>
#include <map>

namespace hw::edit {

namespace {

const std::map<EntityKind, std::string>& kindWords()
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

const std::string& kindWord(EntityKind kind) { return kindWords().at(kind); }

std::optional<EntityKind> kindOfWord(std::string_view word)
{
    for (const auto& [kind, own] : kindWords())
        if (own == word && kind != EntityKind::None) return kind;
    return std::nullopt;
}

Text kindText(EntityKind kind)
{
    switch (kind) {
    case EntityKind::Network: return i18n("network");
    case EntityKind::Site: return i18n("site");
    case EntityKind::Structure: return i18n("structure");
    case EntityKind::Underlay: return i18n("drawing");
    case EntityKind::Phase: return i18n("phase");
    case EntityKind::Price: return i18n("price");
    case EntityKind::BindingRule: return i18n("binding rule");
    case EntityKind::Building: return i18n("building");
    case EntityKind::Hall: return i18n("hall");
    case EntityKind::Row: return i18n("row");
    case EntityKind::Rack: return i18n("rack");
    case EntityKind::Tray: return i18n("tray");
    case EntityKind::Tier: return i18n("tier");
    case EntityKind::Device: return i18n("device");
    case EntityKind::Port: return i18n("port");
    case EntityKind::PartType: return i18n("part-type");
    case EntityKind::Cage: return i18n("cage");
    case EntityKind::Link: return i18n("link");
    case EntityKind::Cable: return i18n("cable");
    case EntityKind::None: break;
    }
    return i18n("none");
}

Text kindText(PartKind kind)
{
    switch (kind) {
    case PartKind::Device: return i18n("device");
    case PartKind::Rack: return i18n("rack");
    case PartKind::Cable: return i18n("cable");
    case PartKind::Transceiver: return i18n("transceiver");
    case PartKind::Tray: return i18n("tray");
    }
    return {};
}

Text counted(std::size_t count, EntityKind kind)
{
    switch (kind) {
    case EntityKind::Network: return i18np(count, "{:L} network", "{:L} networks");
    case EntityKind::Site: return i18np(count, "{:L} site", "{:L} sites");
    case EntityKind::Structure: return i18np(count, "{:L} structure", "{:L} structures");
    case EntityKind::Underlay: return i18np(count, "{:L} drawing", "{:L} drawings");
    case EntityKind::Phase: return i18np(count, "{:L} phase", "{:L} phases");
    case EntityKind::Price: return i18np(count, "{:L} price", "{:L} prices");
    case EntityKind::BindingRule: return i18np(count, "{:L} binding rule", "{:L} binding rules");
    case EntityKind::Building: return i18np(count, "{:L} building", "{:L} buildings");
    case EntityKind::Hall: return i18np(count, "{:L} hall", "{:L} halls");
    case EntityKind::Row: return i18np(count, "{:L} row", "{:L} rows");
    case EntityKind::Rack: return i18np(count, "{:L} rack", "{:L} racks");
    case EntityKind::Tray: return i18np(count, "{:L} tray", "{:L} trays");
    case EntityKind::Tier: return i18np(count, "{:L} tier", "{:L} tiers");
    case EntityKind::Device: return i18np(count, "{:L} device", "{:L} devices");
    case EntityKind::Port: return i18np(count, "{:L} port", "{:L} ports");
    case EntityKind::PartType: return i18np(count, "{:L} part type", "{:L} part types");
    case EntityKind::Cage: return i18np(count, "{:L} cage", "{:L} cages");
    case EntityKind::Link: return i18np(count, "{:L} link", "{:L} links");
    case EntityKind::Cable: return i18np(count, "{:L} cable", "{:L} cables");
    case EntityKind::None: break;
    }
    return i18n("none");
}

} // namespace hw::edit
