// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dxf/roles.h"

#include "core/foundation/base/text_encoding.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace hw::importers::dxf {

namespace {

/// Words of layers and blocks, in capitals without accents: English, German, French, Spanish, Portuguese, Italian, Russian.
struct Usual {
    Role role;
    std::string_view words;
};
constexpr auto kUsualWords = std::to_array<Usual>({
    {Role::Wall, " WALL WALLS PARTITION PARTITIONS WAND WAENDE MAUER MAUERN MAUERWERK MUR MURS CLOISON CLOISONS MURO MUROS MURI MURATURA MURATURE "
                 "PARED PAREDES PAREDE PARETE PARETI TABIQUE TABIQUES TRAMEZZO TRAMEZZI СТЕНА СТЕНЫ СТЕН ПЕРЕГОРОДКА ПЕРЕГОРОДКИ "},
    {Role::Column, " COL COLS COLUMN COLUMNS PILLAR PILLARS STUETZE STUETZEN PFEILER SAEULE SAEULEN POTEAU POTEAUX PILIER PILIERS COLONNE "
                   "COLONNES COLONNA PILAR PILARES COLUMNA COLUMNAS COLUNA COLUNAS PILASTRO PILASTRI КОЛОННА КОЛОННЫ КОЛОНН СТОЛБ СТОЛБЫ "},
    {Role::Door, " DOOR DOORS GATE GATES TUER TUEREN TOR TORE PORTE PORTES PORTAIL PUERTA PUERTAS PORTA PORTAS PORTON PORTONE ДВЕРЬ ДВЕРИ ВОРОТА "},
    {Role::Ramp, " RAMP RAMPS RAMPE RAMPEN RAMPES RAMPA RAMPAS ПАНДУС ПАНДУСЫ РАМПА "},
    {Role::KeepOut, " KEEPOUT NOGO SPERRFLAECHE SPERRFLAECHEN SPERRZONE "},
    {Role::Room, " ROOM ROOMS OUTLINE RAUM RAEUME UMRISS SALLE SALLES PIECE CONTOUR SALA SALAS STANZA STANZE CONTORNO ПОМЕЩЕНИЕ ПОМЕЩЕНИЯ КОНТУР "},
});
/// German joins its words: AUSSENWAND, BRANDSCHUTZTUEREN.
constexpr auto kUsualEndings =
    std::to_array<Usual>({{Role::Wall, " WAND WAENDE MAUER MAUERN "}, {Role::Column, " STUETZE STUETZEN "}, {Role::Door, " TUER TUEREN "}});
/// Chinese, Japanese and Korean write without blanks.
constexpr auto kUsualSigns = std::to_array<Usual>({{Role::Wall, " 墙 墻 牆 壁 벽 "},
                                                   {Role::Column, " 柱 기둥 "},
                                                   {Role::Door, " 门 門 扉 ドア "},
                                                   {Role::Ramp, " 坡道 斜坡 "},
                                                   {Role::KeepOut, " 禁区 禁止 "},
                                                   {Role::Room, " 房间 房間 机房 機房 轮廓 輪廓 "}});
/// Of what is written about these, of windows and of the grid of columns.
constexpr std::string_view kOtherSigns = " 窗 轴 軸 网 網 标注 標注 文字 编号 編號 ";

void eachWord(std::string_view words, const auto& f)
{
    while (!words.empty()) {
        const auto end = std::min(words.find(' '), words.size());
        if (end > 0) f(words.substr(0, end));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
}

/// A Latin letter without its accent; umlauts are two. Empty: no letter.
std::string_view latin(char32_t c)
{
    struct Range {
        char32_t first, last;
        std::string_view letters;
    };
    static constexpr Range kRanges[] = {{0xC0, 0xC3, "A"}, {0xC4, 0xC4, "AE"}, {0xC5, 0xC5, "A"},  {0xC6, 0xC6, "AE"}, {0xC7, 0xC7, "C"},
                                        {0xC8, 0xCB, "E"}, {0xCC, 0xCF, "I"},  {0xD1, 0xD1, "N"},  {0xD2, 0xD5, "O"},  {0xD6, 0xD6, "OE"},
                                        {0xD8, 0xD8, "O"}, {0xD9, 0xDB, "U"},  {0xDC, 0xDC, "UE"}, {0xDF, 0xDF, "SS"}};
    if (c >= 0xE0 && c <= 0xFE) c -= 0x20;
    for (const Range& range : kRanges)
        if (c >= range.first && c <= range.last) return range.letters;
    return {};
}

/// In capitals without accents; what is no letter is a blank.
std::string plain(const std::string& name)
{
    std::string out;
    for (std::size_t i = 0; i < name.size();) {
        const auto lead = static_cast<unsigned char>(name[i]);
        std::size_t more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        char32_t c = more == 0 ? lead : lead & (0x3F >> more);
        for (++i; more > 0 && i < name.size(); --more) c = c << 6 | (static_cast<unsigned char>(name[i++]) & 0x3F);
        if (c >= 'a' && c <= 'z') c -= 'a' - 'A';
        if (c >= 0x430 && c <= 0x44F) c -= 0x20; // Cyrillic
        if (c == 0x401 || c == 0x451) c = 0x415; // ё is written as е
        if ((c >= 'A' && c <= 'Z') || (c >= 0x410 && c <= 0x42F) || c >= 0x2E80)
            appendUtf8(out, c);
        else
            out += latin(c).empty() ? " " : latin(c);
    }
    return out;
}

bool among(std::string_view words, std::string_view word) { return words.find(' ' + std::string(word) + ' ') != words.npos; }

Role roleOfWord(std::string_view word)
{
    for (const Usual& usual : kUsualWords)
        if (among(usual.words, word)) return usual.role;
    Role found = Role::None;
    for (const Usual& usual : kUsualEndings)
        eachWord(usual.words, [&](std::string_view ending) {
            if (word.ends_with(ending)) found = usual.role;
        });
    return found;
}

Role roleOfSigns(std::string_view name)
{
    Role found = Role::None;
    for (const Usual& usual : kUsualSigns)
        eachWord(usual.words, [&](std::string_view sign) {
            if (found == Role::None && name.find(sign) != name.npos) found = usual.role;
        });
    eachWord(kOtherSigns, [&](std::string_view sign) {
        if (name.find(sign) != name.npos) found = Role::None;
    });
    return found;
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

bool matchesPattern(std::string_view pattern, std::string_view name, std::string* star)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; };
    if (pattern.empty()) return name.empty();
    if (pattern.front() == '*') {
        for (std::size_t length = 0; length <= name.size(); ++length) {
            if (!matchesPattern(pattern.substr(1), name.substr(length))) continue;
            if (star) *star = name.substr(0, length);
            return true;
        }
        return false;
    }
    return !name.empty() && lower(pattern.front()) == lower(name.front()) && matchesPattern(pattern.substr(1), name.substr(1), star);
}

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
    if (among(" " + all + " ", "REFR") || among(" " + all + " ", "EQPM")) return Role::None; // of a drawing below, of equipment
    for (const auto& word : split(all, ' '))
        if (const Role role = word.empty() ? Role::None : roleOfWord(word); role != Role::None) return role;
    if (all.find("KEEP OUT") != std::string::npos || all.find("NO GO") != std::string::npos) return Role::KeepOut;
    return roleOfSigns(all);
}

Result<Roles> Roles::of(const std::string& stated, const std::set<std::string>& layers, const std::set<std::string>& hidden)
{
    Roles roles;
    const auto wrong = [&](const std::string& part, Text what, Text todo) {
        return fail(ErrorCode::Refused, "--layers " + part, std::move(what), std::move(todo));
    };
    for (const auto& part : stated.empty() ? std::vector<std::string>() : split(stated, ',')) {
        const auto equals = part.find('=');
        const Role role = roleNamed(part.substr(0, equals));
        if (equals == std::string::npos || role == Role::None)
            return wrong(part, i18n("does not assign a role to a layer"),
                         i18n("use ROLE=LAYER with room, walls, columns, doors, ramps or keep-outs"));
        roles.m_stated.insert(role);
        const std::string pattern = part.substr(equals + 1);
        if (pattern.empty()) continue; // there are none
        bool any = false;
        for (const auto& layer : layers)
            if (matchesPattern(pattern, layer)) any = true, roles.m_layers[layer] = role;
        if (!any) {
            const std::vector<std::string> known(layers.begin(), layers.end());
            return wrong(part, i18n("layer not found in the drawing"), i18n("choose from {}", listedNames(known)));
        }
    }
    for (const auto& layer : layers)
        if (!roles.m_layers.contains(layer) && !hidden.contains(layer))
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
