// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dxf/roles.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace hw::importers::dxf {

namespace {

/// Words of layers and blocks in drawings of offices that speak English, German or French.
constexpr std::array<std::pair<std::string_view, Role>, 35> kUsualWords = {{
    {"WALL", Role::Wall},      {"WALLS", Role::Wall},     {"WAND", Role::Wall},       {"WAENDE", Role::Wall},     {"MUR", Role::Wall},
    {"MURS", Role::Wall},      {"COL", Role::Column},     {"COLS", Role::Column},     {"COLUMN", Role::Column},   {"COLUMNS", Role::Column},
    {"PILLAR", Role::Column},  {"PILLARS", Role::Column}, {"STUETZE", Role::Column},  {"STUETZEN", Role::Column}, {"POTEAU", Role::Column},
    {"POTEAUX", Role::Column}, {"DOOR", Role::Door},      {"DOORS", Role::Door},      {"TUER", Role::Door},       {"TUEREN", Role::Door},
    {"PORTE", Role::Door},     {"PORTES", Role::Door},    {"GATE", Role::Door},       {"TOR", Role::Door},        {"RAMP", Role::Ramp},
    {"RAMPS", Role::Ramp},     {"RAMPE", Role::Ramp},     {"KEEPOUT", Role::KeepOut}, {"NOGO", Role::KeepOut},    {"SPERRFLAECHE", Role::KeepOut},
    {"ROOM", Role::Room},      {"ROOMS", Role::Room},     {"OUTLINE", Role::Room},    {"RAUM", Role::Room},       {"SALLE", Role::Room},
}};

/// Upper case, umlauts as two letters, words apart.
std::string plain(const std::string& name)
{
    static constexpr std::pair<std::string_view, std::string_view> kLetters[] = {{"\xC3\xA4", "AE"}, {"\xC3\x84", "AE"}, {"\xC3\xB6", "OE"},
                                                                                 {"\xC3\x96", "OE"}, {"\xC3\xBC", "UE"}, {"\xC3\x9C", "UE"}};
    std::string out;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto letter = std::ranges::find_if(kLetters, [&](const auto& pair) { return name.compare(i, 2, pair.first) == 0; });
        const char c = name[i];
        if (letter != std::end(kLetters)) {
            out += letter->second;
            ++i;
        } else if ((c >= 'a' && c <= 'z')) {
            out += char(c - 'a' + 'A');
        } else {
            out += (c >= 'A' && c <= 'Z') ? c : ' ';
        }
    }
    return out;
}

/// Whether a name is of a pattern in which * stands for anything; case does not count.
bool matches(std::string_view pattern, std::string_view name)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; };
    if (pattern.empty()) return name.empty();
    if (pattern.front() == '*') return matches(pattern.substr(1), name) || (!name.empty() && matches(pattern, name.substr(1)));
    return !name.empty() && lower(pattern.front()) == lower(name.front()) && matches(pattern.substr(1), name.substr(1));
}

Role roleNamed(std::string_view word)
{
    for (const Role role : kRoles)
        if (word == roleWord(role)) return role;
    return Role::None;
}

std::vector<std::string> split(const std::string& text, char at)
{
    std::vector<std::string> parts;
    std::size_t from = 0;
    while (from <= text.size()) {
        const auto end = std::min(text.find(at, from), text.size());
        parts.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return parts;
}

} // namespace

const char* roleWord(Role role)
{
    switch (role) {
    case Role::Room: return "room";
    case Role::Wall: return "walls";
    case Role::Column: return "columns";
    case Role::Door: return "doors";
    case Role::Ramp: return "ramps";
    case Role::KeepOut: return "keep-outs";
    case Role::None: break;
    }
    return "";
}

Role usualRole(const std::string& name)
{
    const std::string all = plain(name);
    for (const auto& word : split(all, ' '))
        for (const auto& [usual, role] : kUsualWords)
            if (word == usual) return role;
    return all.find("KEEP OUT") != std::string::npos || all.find("NO GO") != std::string::npos ? Role::KeepOut : Role::None;
}

Result<Roles> Roles::of(const std::string& stated, const std::set<std::string>& layers)
{
    Roles roles;
    const auto wrong = [&](const std::string& part, Text what, Text todo) {
        return fail(ErrorCode::Refused, "--layers " + part, std::move(what), std::move(todo));
    };
    for (const auto& part : stated.empty() ? std::vector<std::string>() : split(stated, ',')) {
        const auto equals = part.find('=');
        const Role role = roleNamed(part.substr(0, equals));
        if (equals == std::string::npos || role == Role::None)
            return wrong(part, i18n("does not say what a layer holds"),
                         i18n("write ROLE=LAYER with room, walls, columns, doors, ramps or keep-outs"));
        roles.m_stated.insert(role);
        const std::string pattern = part.substr(equals + 1);
        if (pattern.empty()) continue; // there are none
        bool any = false;
        for (const auto& layer : layers)
            if (matches(pattern, layer)) any = true, roles.m_layers[layer] = role;
        if (!any) {
            const std::vector<std::string> known(layers.begin(), layers.end());
            return wrong(part, i18n("the drawing has no such layer"), i18n("choose from {}", listedNames(known)));
        }
    }
    for (const auto& layer : layers)
        if (!roles.m_layers.contains(layer))
            if (const Role role = usualRole(layer); role != Role::None && !roles.m_stated.contains(role))
                roles.m_layers[layer] = role, roles.m_guessed.insert(layer);
    return roles;
}

Role Roles::of(const Shape& shape) const
{
    if (const auto found = m_layers.find(shape.layer); found != m_layers.end()) return found->second;
    const Role role = shape.block.empty() ? Role::None : usualRole(shape.block);
    return m_stated.contains(role) ? Role::None : role;
}

} // namespace hw::importers::dxf
