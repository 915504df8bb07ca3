// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/preview.h"

#include "core/foundation/base/trim.h"

#include <algorithm>
#include <bit>

#include <nlohmann/json.hpp>

namespace hw::bindings {

namespace {

using nlohmann::json;

constexpr std::string_view kMetadata = "/PUB/Metadata/";

std::string scalarText(const json& value)
{
    return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// [{"value": 0, "text": "Open"}, …] as "0=Open,…", other lists joined by commas.
std::string labelText(const json& value)
{
    if (!value.is_array()) return scalarText(value);
    std::string out;
    for (const auto& one : value) {
        if (!out.empty()) out += ',';
        out += one.is_object() && one.contains("value") && one.contains("text") ? scalarText(one["value"]) + '=' + scalarText(one["text"])
                                                                                : scalarText(one);
    }
    return out;
}

/// The channels of a file, each once; what is said later of one replaces what was said before.
class Channels {
public:
    void put(ChannelText channel)
    {
        std::ranges::sort(channel.labels);
        if (2 * (m_all.size() + 1) > m_places.size()) grow(4 * (m_all.size() + 1));
        Place& at = placeOf(channel.name, std::hash<std::string_view>()(channel.name));
        if (at.number != kFree) {
            if (!channel.labels.empty() || !channel.unit.empty()) m_all[at.number] = std::move(channel);
            return;
        }
        at.number = std::uint32_t(m_all.size());
        m_all.push_back(std::move(channel));
    }
    void reserve(std::size_t channels) { m_all.reserve(channels), grow(2 * channels); }
    [[nodiscard]] std::vector<ChannelText> take() { return std::move(m_all); }

private:
    // A million of nodes of a hash table cost more than all else here: places lie side by side.
    static constexpr std::uint32_t kFree = 0xFFFFFFFFu;
    struct Place {
        std::uint32_t number = kFree, hash = 0; ///< of a channel; upper half of the hash of its name
    };
    /// Where a name is, or a free place with its hash.
    Place& placeOf(std::string_view name, std::size_t hash)
    {
        const auto upper = std::uint32_t(hash >> 32);
        for (std::size_t i = hash & (m_places.size() - 1);; i = (i + 1) & (m_places.size() - 1)) {
            Place& at = m_places[i];
            if (at.number == kFree) return at.hash = upper, at;
            if (at.hash == upper && m_all[at.number].name == name) return at;
        }
    }
    void grow(std::size_t least)
    {
        m_places.assign(std::bit_ceil(std::max<std::size_t>(least, 16)), {});
        for (std::uint32_t i = 0; i < m_all.size(); ++i) placeOf(m_all[i].name, std::hash<std::string_view>()(m_all[i].name)).number = i;
    }
    std::vector<ChannelText> m_all;
    std::vector<Place> m_places; ///< a power of two, at most half of them taken
};

/// `name{a="x",b="y"}` with its labels; false where quotes or braces do not close.
bool readSeries(std::string_view text, ChannelText& out)
{
    const auto brace = text.find('{');
    std::string_view rest = text.substr(brace + 1);
    while (!rest.empty() && rest.front() != '}') {
        const auto equals = rest.find("=\"");
        if (equals == rest.npos) return false;
        std::string label(trimmed(rest.substr(0, equals))), value;
        rest.remove_prefix(equals + 2);
        while (!rest.empty() && rest.front() != '"') {
            if (rest.front() == '\\' && rest.size() > 1) rest.remove_prefix(1);
            value += rest.front();
            rest.remove_prefix(1);
        }
        if (rest.empty()) return false;
        rest.remove_prefix(1);
        out.labels.emplace_back(std::move(label), std::move(value));
        rest = trimmed(rest);
        if (!rest.empty() && rest.front() == ',') rest = trimmed(rest.substr(1));
    }
    if (rest.empty()) return false;
    std::ranges::sort(out.labels);
    out.name = std::string(trimmed(text.substr(0, brace))) + '{';
    for (const auto& [label, value] : out.labels) {
        out.name += (out.name.back() == '{' ? "" : ",") + label + "=\"";
        for (const char c : value) (c == '"' || c == '\\' ? out.name += '\\' : out.name) += c;
        out.name += '"';
    }
    out.name += '}';
    return true;
}

/// One entry of JSON: a message with topic and payload, or a line of a recording that declares a channel.
bool putEntry(const json& entry, Channels& out)
{
    if (!entry.is_object()) return false;
    if (entry.contains("topic") && entry["topic"].is_string()) {
        out.put(channelOfMetadata(entry["topic"], entry.contains("payload")    ? entry["payload"]
                                                  : entry.contains("metadata") ? entry["metadata"]
                                                                               : json::object()));
        return true;
    }
    for (const char* key : {"name", "channel"}) {
        if (!entry.contains(key) || !entry[key].is_string()) continue;
        ChannelText channel;
        channel.name = entry[key];
        if (entry.contains("labels") && entry["labels"].is_object())
            for (const auto& [label, value] : entry["labels"].items()) channel.labels.emplace_back(label, scalarText(value));
        if (entry.contains("unit") && entry["unit"].is_string()) channel.unit = entry["unit"];
        out.put(std::move(channel));
        return true;
    }
    return true; // other lines of a recording
}

Result<void> putDocument(const json& all, const std::string& file, Channels& out, std::vector<Error>& left)
{
    if (all.is_object() && all.contains("messages")) return putDocument(all["messages"], file, out, left);
    if (all.is_array()) {
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].is_string())
                out.put(channelOfMetadata(all[i], json::object()));
            else if (!putEntry(all[i], out))
                left.push_back({ErrorCode::Unreadable, file + ": [" + std::to_string(i) + "]", i18n("neither a topic nor an object with a topic"),
                                i18n("use the form {{\"topic\": …, \"payload\": …}}")});
        return {};
    }
    if (all.is_object() && !all.contains("topic"))
        for (const auto& [topic, payload] : all.items()) {
            if (payload.is_object() || payload.is_null())
                out.put(channelOfMetadata(topic, payload));
            else
                left.push_back({ErrorCode::Unreadable, file + ": " + topic, i18n("not an object"), i18n("specify the metadata of the topic")});
        }
    else if (!putEntry(all, out))
        return fail(ErrorCode::Unreadable, file, i18n("contains no channels"), i18n("specify topics with their metadata"));
    return {};
}

std::string lineOf(const std::string& file, std::size_t number) { return file + ":" + std::to_string(number); }

/// "name value time" of Prometheus' text format, or a name alone.
Result<void> putLine(std::string_view text, const std::string& file, std::size_t lineNo, Channels& out)
{
    ChannelText channel;
    if (const auto brace = text.find('{'); brace != text.npos && text.find("=\"") != text.npos && text.find(' ') > brace) {
        if (!readSeries(text, channel))
            return fail(ErrorCode::Unreadable, lineOf(file, lineNo), i18n("labels are not closed"), i18n("correct the line"));
    } else {
        const auto blank = text.find(' ');
        const bool number = blank != text.npos && text.substr(blank + 1).find_first_not_of("0123456789+-.eE NaInf") == text.npos;
        return out.put(channelOfMetadata(std::string(number ? text.substr(0, blank) : text), json::object())), Result<void>();
    }
    out.put(std::move(channel));
    return {};
}

} // namespace

ChannelText channelOfMetadata(const std::string& topic, const json& metadata)
{
    ChannelText channel;
    channel.name = topic;
    if (metadata.is_object())
        for (const auto& [key, value] : metadata.items())
            if (!value.is_null()) channel.labels.emplace_back(key, labelText(value));
    std::ranges::sort(channel.labels);
    if (metadata.is_object() && metadata.contains("engUnit") && metadata["engUnit"].is_string()) channel.unit = metadata["engUnit"];
    const bool integrated =
        metadata.is_object() && metadata.contains("integration") && metadata["integration"].is_string() && !metadata["integration"].empty();
    if (const auto at = channel.name.find(kMetadata); at != std::string::npos && channel.name.starts_with("BMS/"))
        channel.name.replace(at, kMetadata.size(), integrated ? '/' + metadata["integration"].get<std::string>() + "/Value/" : "/PUB/Value/");
    return channel;
}

Result<std::vector<ChannelText>> channelsOf(const std::string& content, const std::string& file, std::vector<Error>& left)
{
    Channels out;
    const auto done = [&]() -> Result<std::vector<ChannelText>> {
        auto all = out.take();
        if (all.empty() && !left.empty()) return tl::unexpected(left.front());
        return all;
    };
    const auto first = content.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && (content[first] == '[' || content[first] == '{')) {
        const json all = json::parse(content, nullptr, false);
        if (!all.is_discarded()) {
            if (const auto read = putDocument(all, file, out, left); !read) return tl::unexpected(read.error());
            return done();
        }
    }
    out.reserve(std::min(std::size_t(std::ranges::count(content, '\n')), content.size() / 8));
    std::size_t number = 0;
    for (std::string_view rest = content; !rest.empty();) {
        const auto end = std::min(rest.find('\n'), rest.size());
        const std::string_view text = trimmed(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        if (text.empty() || text.front() == '#') continue;
        if (text.front() != '{' && text.front() != '[') {
            if (const auto read = putLine(text, file, number, out); !read) left.push_back(read.error());
            continue;
        }
        const json entry = json::parse(text, nullptr, false);
        if (entry.is_discarded()) {
            if (rest.empty() && number > 1) break; // the last line of a recording that was cut off
            left.push_back({ErrorCode::Unreadable, lineOf(file, number), i18n("invalid JSON"), i18n("correct the line")});
            continue;
        }
        putEntry(entry, out);
    }
    return done();
}

} // namespace hw::bindings
