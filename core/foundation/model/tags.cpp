// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/tags.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>

namespace hw {

namespace {

struct KindWord {
    EntityKind kind;
    std::string_view word;
};
#define HW_KIND_WORD(Table, member, One, stored) KindWord{EntityKind::One, stored},
#define HW_NO_KIND_WORD(Table, member, One, stored)
constexpr auto kKindWords = std::to_array<KindWord>({HW_TABLES(HW_KIND_WORD, HW_NO_KIND_WORD)});
#undef HW_KIND_WORD
#undef HW_NO_KIND_WORD

/// The key of a setting takes no blanks or points.
std::string tagKey(const std::string& slug, const char* what)
{
    std::string name;
    for (const char c : slug) name += c == '.' || c == ' ' || static_cast<unsigned char>(c) < 0x20 ? '-' : c;
    return "tag." + name + "." + what;
}

void readRanges(const Snapshot& s, EntityKind kind, std::string_view text, std::set<EntityRef>& on)
{
    std::uint32_t next = 0;
    s.eachTable([&](const auto& table) {
        if (table.rowKind() == kind) next = table.nextId();
    });
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find(',', at), text.size());
        const char *from = text.data() + at, *to = text.data() + end;
        at = end + 1;
        std::uint32_t first = 0, last = 0;
        auto read = std::from_chars(from, to, first);
        last = first;
        if (read.ec == std::errc() && read.ptr != to && *read.ptr == '-') read = std::from_chars(read.ptr + 1, to, last);
        if (read.ec != std::errc() || read.ptr != to || last < first) continue;
        for (std::uint32_t id = first; id < next && id <= last; ++id)
            if (living(s, {kind, id})) on.insert({kind, id});
    }
}

} // namespace

std::string taggedText(const std::set<EntityRef>& on)
{
    std::string out;
    for (auto it = on.begin(); it != on.end();) {
        const EntityRef first = *it;
        std::uint32_t last = first.id;
        for (++it; it != on.end() && it->kind == first.kind && it->id == last + 1; ++it) last = it->id;
        const auto word = std::ranges::find(kKindWords, first.kind, &KindWord::kind);
        if (word == kKindWords.end()) continue;
        const std::string head = std::string(word->word) + ':';
        const auto table = out.rfind(';') == std::string::npos ? 0 : out.rfind(';') + 1;
        if (out.compare(table, head.size(), head) == 0)
            out += ',';
        else
            out += (out.empty() ? "" : ";") + head;
        out += std::to_string(first.id);
        if (last != first.id) out += '-' + std::to_string(last);
    }
    return out;
}

std::set<EntityRef> readTagged(const Snapshot& s, std::string_view text)
{
    std::set<EntityRef> on;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find(';', at), text.size());
        const std::string_view one = text.substr(at, end - at);
        at = end + 1;
        const auto colon = one.find(':');
        if (colon == one.npos) continue;
        const auto word = std::ranges::find(kKindWords, one.substr(0, colon), &KindWord::word);
        if (word != kKindWords.end()) readRanges(s, word->kind, one.substr(colon + 1), on);
    }
    return on;
}

std::vector<ObjectTag> objectTags(const Snapshot& s)
{
    std::map<std::string, ObjectTag> tags;
    s.settings.forEach([&](SettingId id) {
        const std::string& key = s.settings.key[id];
        const auto end = key.rfind('.');
        if (!key.starts_with("tag.") || end <= 4 || s.settings.value[id].empty()) return;
        ObjectTag& tag = tags[key.substr(4, end - 4)];
        const std::string_view what = std::string_view(key).substr(end + 1);
        const std::string& value = s.settings.value[id];
        if (what == "name") tag.name = value;
        if (what == "color") tag.color = value;
        if (what == "on") tag.on = readTagged(s, value);
    });
    std::vector<ObjectTag> all;
    for (auto& [slug, tag] : tags) {
        if (tag.on.empty()) continue;
        tag.slug = slug;
        if (tag.name.empty()) tag.name = slug;
        all.push_back(std::move(tag));
    }
    return all;
}

std::vector<std::string> tagNamesOf(const Snapshot& s, EntityRef entity)
{
    std::vector<std::string> names;
    for (ObjectTag& tag : objectTags(s))
        if (tag.on.contains(entity)) names.push_back(std::move(tag.name));
    return names;
}

void putObjectTag(Snapshot& s, const ObjectTag& tag)
{
    const bool any = !tag.on.empty();
    const auto write = [&](const char* what, const std::string& value) {
        const std::string key = tagKey(tag.slug, what);
        if (s.setting(key) != value) s.putSetting(key, value);
    };
    write("name", any ? tag.name : std::string());
    write("color", any ? tag.color : std::string());
    write("on", any ? taggedText(tag.on) : std::string());
}

} // namespace hw
