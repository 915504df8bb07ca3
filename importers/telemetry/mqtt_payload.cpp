// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/mqtt_payload.h"

#include "importers/telemetry/iso_time.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

namespace hw::telemetry {

namespace {

using nlohmann::json;

/// Cuts the first level off.
std::string_view level(std::string_view& rest)
{
    const auto slash = std::min(rest.find('/'), rest.size());
    const auto first = rest.substr(0, slash);
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    return first;
}

std::optional<double> numberIn(std::string_view text)
{
    if (text == "NaN" || text == "nan") return std::numeric_limits<double>::quiet_NaN();
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<double> numberOf(const json& node, const std::map<std::string, double>& words)
{
    if (node.is_number()) return node.get<double>();
    if (node.is_boolean()) return node.get<bool>() ? 1 : 0;
    if (node.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!node.is_string()) return std::nullopt;
    const auto& text = node.get_ref<const std::string&>();
    if (const auto word = words.find(text); word != words.end()) return word->second;
    return numberIn(text);
}

const json* at(const json& root, const std::string& pointer)
{
    if (pointer.empty()) return &root;
    const json* node = &root; // RFC 6901, step by step: what a payload lacks is nothing, and no exception
    for (std::string_view rest = pointer; !rest.empty();) {
        if (rest.front() != '/') return nullptr;
        rest.remove_prefix(1);
        const auto end = std::min(rest.find('/'), rest.size());
        std::string step(rest.substr(0, end));
        rest.remove_prefix(end);
        for (const auto& [coded, letter] : {std::pair("~1", "/"), std::pair("~0", "~")})
            for (std::size_t at = 0; (at = step.find(coded, at)) != step.npos; ++at) step.replace(at, 2, letter);
        if (node->is_object()) {
            const auto found = node->find(step);
            if (found == node->end()) return nullptr;
            node = &*found;
            continue;
        }
        std::size_t index = 0;
        const auto [last, error] = std::from_chars(step.data(), step.data() + step.size(), index);
        const bool number = error == std::errc() && last == step.data() + step.size() && (step.size() == 1 || step.front() != '0');
        if (!node->is_array() || !number || index >= node->size()) return nullptr;
        node = &(*node)[index];
    }
    return node;
}

/// A list with commas; a pair of a value and its word (stateText of DSX) as 0=Open.
std::string shown(const json& node);
std::string shownList(const json& list)
{
    std::string out;
    for (const auto& entry : list) {
        if (!out.empty()) out += ',';
        out += entry.is_object() && entry.contains("value") && entry.contains("text") ? shown(entry["value"]) + '=' + shown(entry["text"])
                                                                                      : shown(entry);
    }
    return out;
}

std::string shown(const json& node) { return node.is_string() ? node.get<std::string>() : node.dump(-1, ' ', false, json::error_handler_t::replace); }

/// The plain form that nearly all messages have, without building a tree: {"value":22.96,"timestamp":1743620423000,"quality":1}
class FlatObject {
public:
    explicit FlatObject(std::string_view text) : m_text(text) {}
    /// Calls each(key, number) for the members; false where it is not of this form.
    template <class Each>
    bool read(const Each& each)
    {
        if (!take('{')) return false;
        do {
            std::string_view key;
            double number = 0;
            if (!word(key) || !take(':') || !value(number)) return false;
            each(key, number);
        } while (take(','));
        return take('}') && (space(), m_text.empty());
    }

private:
    void space()
    {
        while (!m_text.empty() && (m_text.front() == ' ' || m_text.front() == '\n' || m_text.front() == '\r' || m_text.front() == '\t'))
            m_text.remove_prefix(1);
    }
    bool take(char c)
    {
        space();
        if (m_text.empty() || m_text.front() != c) return false;
        m_text.remove_prefix(1);
        return true;
    }
    bool word(std::string_view& key)
    {
        if (!take('"')) return false;
        const auto end = m_text.find_first_of("\"\\");
        if (end == std::string_view::npos || m_text[end] != '"') return false;
        key = m_text.substr(0, end);
        m_text.remove_prefix(end + 1);
        return true;
    }
    bool value(double& number)
    {
        space();
        if (m_text.empty() || (m_text.front() != '-' && (m_text.front() < '0' || m_text.front() > '9'))) return false;
        const auto read = std::from_chars(m_text.data(), m_text.data() + m_text.size(), number);
        if (read.ec != std::errc()) return false;
        m_text.remove_prefix(std::size_t(read.ptr - m_text.data()));
        return true;
    }
    std::string_view m_text;
};

bool names(const std::string& pointer, std::string_view key)
{
    return pointer.size() == key.size() + 1 && std::string_view(pointer).substr(1) == key;
}

bool isGood(const TopicMapping& mapping, double quality)
{
    return std::ranges::any_of(mapping.good, [&](const std::string& good) { return numberIn(good) == quality; });
}

bool sound(double timeMs) { return std::abs(timeMs) < 9e15; }

bool readFlat(const TopicMapping& mapping, std::string_view text, Payload& into)
{
    if (mapping.values.size() != 1) return false;
    const std::string& pointer = mapping.values.begin()->first;
    bool found = false, timed = mapping.time.empty(), rated = mapping.quality.empty();
    const bool flat = FlatObject(text).read([&](std::string_view key, double number) {
        if (names(pointer, key)) found = true, into.values.push_back({0, number});
        if (names(mapping.time, key) && sound(number * mapping.msPerTime)) timed = true, into.timeMs = std::llround(number * mapping.msPerTime);
        if (names(mapping.quality, key)) rated = true, into.good = isGood(mapping, number);
    });
    return flat && found && timed && rated && into.values.size() == 1;
}

/// A number in the mapping's unit, or ISO 8601.
std::optional<std::int64_t> timeOf(const json& node, double msPerTime)
{
    if (const auto time = numberOf(node, {}); time && sound(*time * msPerTime)) return std::llround(*time * msPerTime);
    return node.is_string() ? isoTime(node.get<std::string>()) : std::nullopt;
}

bool readTree(const TopicMapping& mapping, std::string_view text, Payload& into)
{
    const json root = json::parse(text, nullptr, false);
    if (root.is_discarded()) { // a bare word or number that is no JSON
        if (mapping.values.size() != 1 || !mapping.values.begin()->first.empty()) return false;
        const auto number = numberOf(json(std::string(text)), mapping.words);
        if (number) into.values.push_back({0, *number});
        return number.has_value();
    }
    std::size_t place = 0;
    for (const auto& [pointer, unit] : mapping.values) {
        const json* node = at(root, pointer);
        const auto number = node ? numberOf(*node, mapping.words) : std::nullopt;
        if (number) into.values.push_back({place, *number});
        ++place;
    }
    if (const json* node = mapping.time.empty() ? nullptr : at(root, mapping.time); node && !node->is_null()) {
        into.timeMs = timeOf(*node, mapping.msPerTime);
        if (!into.timeMs) return false; // of an unknown time
    }
    if (!mapping.quality.empty()) {
        const json* node = at(root, mapping.quality);
        into.good =
            !node || (node->is_number() ? isGood(mapping, node->get<double>()) : std::ranges::find(mapping.good, shown(*node)) != mapping.good.end());
    }
    return !into.values.empty();
}

} // namespace

bool matches(std::string_view filter, std::string_view topic)
{
    if (topic.starts_with('$') && !filter.starts_with('$')) return false;
    while (!filter.empty()) {
        if (filter == "#") return true;
        if (topic.empty()) return false;
        const bool more = filter.find('/') != std::string_view::npos, deeper = topic.find('/') != std::string_view::npos;
        const auto wanted = level(filter);
        const auto is = level(topic);
        if (wanted != "+" && wanted != is) return false;
        if (more && !deeper) return filter == "#"; // "a/#" holds "a"
        if (!more) return !deeper;
    }
    return topic.empty();
}

std::string describedTopic(const TopicMapping& mapping, std::string_view topic)
{
    std::vector<std::string_view> wild;
    for (std::string_view filter = mapping.subscribe; !filter.empty();) {
        if (filter == "#") {
            wild.push_back(topic);
            break;
        }
        const bool any = level(filter) == "+";
        const auto is = level(topic);
        if (any) wild.push_back(is);
    }
    std::string out;
    std::size_t next = 0;
    for (const char c : mapping.describes)
        if (c == '+' || c == '#')
            out += next < wild.size() ? wild[next++] : std::string_view();
        else
            out += c;
    return out;
}

bool readPayload(const TopicMapping& mapping, std::string_view text, Payload& into)
{
    into.values.clear();
    into.timeMs.reset();
    into.good = true;
    if (readFlat(mapping, text, into)) return true;
    into.values.clear();
    into.timeMs.reset();
    into.good = true;
    return readTree(mapping, text, into);
}

std::optional<bindings::ChannelText> readDescription(const TopicMapping& mapping, std::string_view text)
{
    const json root = json::parse(text, nullptr, false);
    if (!root.is_object()) return std::nullopt;
    bindings::ChannelText out;
    for (const auto& [key, value] : root.items()) {
        if (value.is_null()) continue;
        out.labels.emplace_back(key, value.is_array() ? shownList(value) : shown(value));
    }
    std::ranges::sort(out.labels);
    if (const json* unit = mapping.unitAt.empty() ? nullptr : at(root, mapping.unitAt); unit && unit->is_string())
        out.unit = unit->get<std::string>();
    return out;
}

} // namespace hw::telemetry
