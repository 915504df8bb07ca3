// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/mapping.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/base/yaml_keys.h"

#include <algorithm>
#include <optional>

namespace hw::telemetry {

namespace {

std::string optional(YamlKeys& keys, const std::string& key) { return keys.text(key, ""); }

/// One text, or a list of them; none where it is missing.
std::vector<std::string> oneOrMore(YamlKeys& keys, const std::string& key)
{
    if (!keys.has(key)) return {};
    return keys.isList(key) ? keys.texts(key) : std::vector{keys.text(key)};
}

/// JSON pointers (RFC 6901): of "~" only ~0 and ~1 are.
void checkPointer(const YamlKeys& keys, const std::string& key, const std::string& place)
{
    bool right = place.empty() || place.front() == '/';
    for (auto at = place.find('~'); at != place.npos; at = place.find('~', at + 1))
        right = right && at + 1 < place.size() && (place[at + 1] == '0' || place[at + 1] == '1');
    if (!right) keys.refuse(key, i18n("must be a location in the payload such as {}", "/value"));
}

std::string pointer(YamlKeys& keys, const std::string& key)
{
    auto found = optional(keys, key);
    checkPointer(keys, key, found);
    return found;
}

double msPerTime(YamlKeys& keys)
{
    const std::string unit = optional(keys, "time_unit");
    if (unit.empty() || unit == "ms") return 1;
    if (unit == "s") return 1000;
    if (unit == "us") return 1e-3;
    if (unit == "ns") return 1e-6;
    keys.refuse("time_unit", i18n("must be s, ms, us or ns"));
}

void checkFilter(const YamlKeys& keys, const std::string& key, const std::string& filter)
{
    const auto hash = filter.find('#');
    if (hash != std::string::npos && (hash + 1 != filter.size() || (hash > 0 && filter[hash - 1] != '/')))
        keys.refuse(key, i18n("# must be the last level"));
    for (std::size_t at = filter.find('+'); at != std::string::npos; at = filter.find('+', at + 1))
        if ((at > 0 && filter[at - 1] != '/') || (at + 1 < filter.size() && filter[at + 1] != '/'))
            keys.refuse(key, i18n("+ must occupy an entire level"));
}

void readDescribing(YamlKeys& keys, TopicMapping& topic)
{
    const auto wild = [](const std::string& filter) { return std::ranges::count_if(filter, [](char c) { return c == '+' || c == '#'; }); };
    checkFilter(keys, "describes", topic.describes);
    if (wild(topic.describes) != wild(topic.subscribe) || topic.describes.ends_with('#') != topic.subscribe.ends_with('#'))
        keys.refuse("describes", i18n("must have the same number of + and # as the filter of \"subscribe\""));
    topic.unitAt = pointer(keys, "unit_at");
}

void readValues(YamlKeys& keys, TopicMapping& topic)
{
    topic.values = keys.pairs("values");
    const bool one = keys.has("value");
    if (one == !topic.values.empty()) keys.refuse("value", i18n("specify either \"value\" or \"values\""));
    if (one) topic.values.emplace(pointer(keys, "value"), optional(keys, "unit"));
    for (const auto& [place, unit] : topic.values) checkPointer(keys, "values", place);
    topic.time = pointer(keys, "time");
    topic.msPerTime = msPerTime(keys);
    topic.quality = pointer(keys, "quality");
    topic.good = oneOrMore(keys, "good");
    if (topic.quality.empty() != topic.good.empty()) keys.refuse("quality", i18n("requires the list \"good\", and vice versa"));
    for (const auto& [word, number] : keys.pairs("words")) {
        double value = 0;
        if (!YAML::convert<double>::decode(YAML::Node(number), value)) keys.refuse("words", i18n("\"{}\" is not a number", number));
        topic.words.emplace(word, value);
    }
}

TopicMapping readTopic(YamlKeys& keys)
{
    TopicMapping topic;
    topic.subscribe = keys.text("subscribe");
    checkFilter(keys, "subscribe", topic.subscribe);
    topic.describes = optional(keys, "describes");
    if (topic.describes.empty())
        readValues(keys, topic);
    else
        readDescribing(keys, topic);
    keys.finish();
    return topic;
}

bool duration(const std::string& text)
{
    const auto digits = text.find_first_not_of("0123456789");
    return digits != std::string::npos && digits > 0 && text.find_first_not_of("0", 0) < digits && digits + 1 == text.size() &&
           (text[digits] == 's' || text[digits] == 'm' || text[digits] == 'h');
}

QueryMapping readQuery(YamlKeys& keys)
{
    QueryMapping query;
    query.metric = keys.text("metric");
    if (query.metric.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:") != std::string::npos)
        keys.refuse("metric", i18n("contains a character not allowed in metric names"));
    query.unit = optional(keys, "unit");
    query.unitLabel = optional(keys, "unit_label");
    query.rate = optional(keys, "rate");
    query.query = optional(keys, "query");
    if (!query.rate.empty() && !query.query.empty()) keys.refuse("rate", i18n("cannot be combined with \"query\"; include it in the query"));
    if (!query.unitLabel.empty() && (!query.unit.empty() || !query.rate.empty()))
        keys.refuse("unit_label", i18n("cannot be combined with \"unit\" or \"rate\""));
    if (!query.rate.empty() && !duration(query.rate)) keys.refuse("rate", i18n("must be a duration such as {}", "1m"));
    keys.finish();
    return query;
}

Mapping readAll(YamlKeys& keys)
{
    Mapping mapping;
    const std::string kind = keys.text("kind");
    if (kind != "mqtt" && kind != "prometheus") keys.refuse("kind", i18n("must be mqtt or prometheus"));
    mapping.kind = kind == "mqtt" ? Mapping::Kind::Mqtt : Mapping::Kind::Prometheus;
    if (mapping.kind == Mapping::Kind::Mqtt)
        for (YamlKeys& topic : keys.maps("topics")) mapping.topics.push_back(readTopic(topic));
    else {
        for (YamlKeys& query : keys.maps("queries")) mapping.queries.push_back(readQuery(query));
        mapping.without = oneOrMore(keys, "without");
    }
    return mapping;
}

} // namespace

std::string QueryMapping::answerUnit() const { return rate.empty() || unit.empty() ? unit : unit + "/s"; }

Result<Mapping> readMapping(const std::filesystem::path& file)
{
    Mapping mapping;
    if (const auto done = readYamlFile(file, i18n("check the path"), [&](YamlKeys& keys) { mapping = readAll(keys); }); !done)
        return tl::unexpected(done.error());
    mapping.file = file;
    return mapping;
}

Result<std::vector<Mapping>> mappingsOf(Mapping::Kind kind, const std::vector<std::filesystem::path>& files)
{
    std::vector<std::filesystem::path> all = files;
    std::error_code error;
    if (files.empty())
        for (const auto& entry : std::filesystem::directory_iterator(resourceFolder() / "telemetry", error))
            if (entry.path().extension() == ".yaml") all.push_back(entry.path());
    std::ranges::sort(all);
    std::vector<Mapping> out;
    for (const auto& file : all) {
        auto mapping = readMapping(file);
        if (!mapping) return tl::unexpected(mapping.error());
        if (mapping->kind == kind)
            out.push_back(std::move(*mapping));
        else if (!files.empty())
            return fail(ErrorCode::Usage, file.string(), i18n("mapping is for a different source type"), i18n("specify a mapping for this source"));
    }
    if (out.empty())
        return fail(ErrorCode::Unreadable, (resourceFolder() / "telemetry").string(), i18n("contains no mapping"), i18n("check the installation"));
    return out;
}

} // namespace hw::telemetry
