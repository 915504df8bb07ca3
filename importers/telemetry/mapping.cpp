// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/mapping.h"

#include "core/base/resources.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace hw::telemetry {

namespace {

struct Failure {
    Error error;
};

/// One map of the file; every key must be asked for.
class Keys {
public:
    Keys(std::string file, YAML::Node node) : m_file(std::move(file)), m_node(std::move(node))
    {
        if (!m_node.IsMap()) refuse(m_node, i18n("must be a map"));
    }
    [[noreturn]] void refuse(const YAML::Node& at, const Text& what) const
    {
        throw Failure{{ErrorCode::Unreadable, fmt::format("{}:{}", m_file, at.Mark().line + 1), what, i18n("correct the file")}};
    }
    [[noreturn]] void refuseKey(const std::string& key, const Text& what) const
    {
        refuse(has(key) ? m_node[key] : m_node, i18n("{}: {}", key, what));
    }
    [[nodiscard]] bool has(const std::string& key) const { return m_node[key].IsDefined(); }

    YAML::Node node(const std::string& key)
    {
        m_asked.push_back(key);
        return m_node[key];
    }
    std::string text(const std::string& key)
    {
        const YAML::Node found = node(key);
        if (!found.IsDefined()) return {};
        if (!found.IsScalar()) refuseKey(key, i18n("must be a text"));
        return found.Scalar();
    }
    std::string needed(const std::string& key)
    {
        auto found = text(key);
        if (found.empty()) refuseKey(key, i18n("is missing"));
        return found;
    }
    /// JSON pointers (RFC 6901): of "~" only ~0 and ~1 are.
    void checkPointer(const std::string& key, const std::string& place) const
    {
        bool right = place.empty() || place.front() == '/';
        for (auto at = place.find('~'); at != place.npos; at = place.find('~', at + 1))
            right = right && at + 1 < place.size() && (place[at + 1] == '0' || place[at + 1] == '1');
        if (!right) refuseKey(key, i18n("must be a place in the payload such as {}", "/value"));
    }
    std::string pointer(const std::string& key)
    {
        auto found = text(key);
        checkPointer(key, found);
        return found;
    }
    std::vector<std::string> texts(const std::string& key)
    {
        std::vector<std::string> out;
        const YAML::Node found = node(key);
        if (!found.IsDefined()) return out;
        if (found.IsScalar()) return {found.Scalar()};
        if (!found.IsSequence()) refuseKey(key, i18n("must be a list"));
        for (const auto& entry : found) {
            if (!entry.IsScalar()) refuseKey(key, i18n("must be a list of texts"));
            out.push_back(entry.Scalar());
        }
        return out;
    }
    std::map<std::string, std::string> pairs(const std::string& key)
    {
        std::map<std::string, std::string> out;
        const YAML::Node found = node(key);
        if (!found.IsDefined()) return out;
        if (!found.IsMap()) refuseKey(key, i18n("must be a map"));
        for (const auto& entry : found) {
            if (!entry.second.IsScalar() && !entry.second.IsNull()) refuseKey(key, i18n("must be a map of texts"));
            out.emplace(entry.first.Scalar(), entry.second.IsScalar() ? entry.second.Scalar() : std::string());
        }
        return out;
    }
    std::vector<Keys> maps(const std::string& key)
    {
        std::vector<Keys> out;
        const YAML::Node found = node(key);
        if (!found.IsDefined() || !found.IsSequence() || found.size() == 0) refuseKey(key, i18n("must be a list of maps"));
        for (const auto& entry : found) out.emplace_back(m_file, entry);
        return out;
    }
    void finish() const
    {
        for (const auto& entry : m_node)
            if (std::ranges::find(m_asked, entry.first.Scalar()) == m_asked.end())
                refuse(entry.first, i18n("{}: {}", entry.first.Scalar(), i18n("is no key here")));
    }

private:
    std::string m_file;
    YAML::Node m_node;
    std::vector<std::string> m_asked;
};

double msPerTime(Keys& keys)
{
    const std::string unit = keys.text("time_unit");
    if (unit.empty() || unit == "ms") return 1;
    if (unit == "s") return 1000;
    if (unit == "us") return 1e-3;
    if (unit == "ns") return 1e-6;
    keys.refuseKey("time_unit", i18n("must be s, ms, us or ns"));
}

void checkFilter(const Keys& keys, const std::string& key, const std::string& filter)
{
    const auto hash = filter.find('#');
    if (hash != std::string::npos && (hash + 1 != filter.size() || (hash > 0 && filter[hash - 1] != '/')))
        keys.refuseKey(key, i18n("# must be the last level"));
    for (std::size_t at = filter.find('+'); at != std::string::npos; at = filter.find('+', at + 1))
        if ((at > 0 && filter[at - 1] != '/') || (at + 1 < filter.size() && filter[at + 1] != '/'))
            keys.refuseKey(key, i18n("+ must be a whole level"));
}

void readDescribing(Keys& keys, TopicMapping& topic)
{
    const auto wild = [](const std::string& filter) { return std::ranges::count_if(filter, [](char c) { return c == '+' || c == '#'; }); };
    checkFilter(keys, "describes", topic.describes);
    if (wild(topic.describes) != wild(topic.subscribe) || topic.describes.ends_with('#') != topic.subscribe.ends_with('#'))
        keys.refuseKey("describes", i18n("must have as many + and # as the filter of \"subscribe\""));
    topic.unitAt = keys.pointer("unit_at");
}

void readValues(Keys& keys, TopicMapping& topic)
{
    topic.values = keys.pairs("values");
    const bool one = keys.has("value");
    if (one == !topic.values.empty()) keys.refuseKey("value", i18n("give either \"value\" or \"values\""));
    if (one) topic.values.emplace(keys.pointer("value"), keys.text("unit"));
    for (const auto& [pointer, unit] : topic.values) keys.checkPointer("values", pointer);
    topic.time = keys.pointer("time");
    topic.msPerTime = msPerTime(keys);
    topic.quality = keys.pointer("quality");
    topic.good = keys.texts("good");
    if (topic.quality.empty() != topic.good.empty()) keys.refuseKey("quality", i18n("needs the list \"good\", and the list needs it"));
    for (const auto& [word, number] : keys.pairs("words")) {
        double value = 0;
        if (!YAML::convert<double>::decode(YAML::Node(number), value)) keys.refuseKey("words", i18n("\"{}\" is no number", number));
        topic.words.emplace(word, value);
    }
}

TopicMapping readTopic(Keys& keys)
{
    TopicMapping topic;
    topic.subscribe = keys.needed("subscribe");
    checkFilter(keys, "subscribe", topic.subscribe);
    topic.describes = keys.text("describes");
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

QueryMapping readQuery(Keys& keys)
{
    QueryMapping query;
    query.metric = keys.needed("metric");
    if (query.metric.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:") != std::string::npos)
        keys.refuseKey("metric", i18n("has a character that no metric has"));
    query.unit = keys.text("unit");
    query.unitLabel = keys.text("unit_label");
    query.rate = keys.text("rate");
    query.query = keys.text("query");
    if (!query.rate.empty() && !query.query.empty()) keys.refuseKey("rate", i18n("cannot be asked together with \"query\"; write it into the query"));
    if (!query.unitLabel.empty() && (!query.unit.empty() || !query.rate.empty()))
        keys.refuseKey("unit_label", i18n("cannot stand beside \"unit\" or \"rate\""));
    if (!query.rate.empty() && !duration(query.rate)) keys.refuseKey("rate", i18n("must be a time such as {}", "1m"));
    keys.finish();
    return query;
}

Mapping readFile(const std::filesystem::path& file)
{
    Mapping mapping;
    mapping.file = file;
    Keys keys(file.string(), YAML::LoadFile(file.string()));
    const std::string kind = keys.needed("kind");
    if (kind != "mqtt" && kind != "prometheus") keys.refuseKey("kind", i18n("must be mqtt or prometheus"));
    mapping.kind = kind == "mqtt" ? Mapping::Kind::Mqtt : Mapping::Kind::Prometheus;
    if (mapping.kind == Mapping::Kind::Mqtt)
        for (Keys& topic : keys.maps("topics")) mapping.topics.push_back(readTopic(topic));
    else {
        for (Keys& query : keys.maps("queries")) mapping.queries.push_back(readQuery(query));
        mapping.without = keys.texts("without");
    }
    keys.finish();
    return mapping;
}

} // namespace

std::string QueryMapping::answerUnit() const { return rate.empty() || unit.empty() ? unit : unit + "/s"; }

Result<Mapping> readMapping(const std::filesystem::path& file)
{
    try {
        return readFile(file);
    } catch (const Failure& failure) {
        return tl::unexpected(failure.error);
    } catch (const YAML::BadFile&) {
        return fail(ErrorCode::Unreadable, file.string(), i18n("cannot be read"), i18n("check the path"));
    } catch (const YAML::Exception& error) {
        return fail(ErrorCode::Unreadable, fmt::format("{}:{}", file.string(), error.mark.line + 1), verbatim(error.msg), i18n("correct the file"));
    }
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
            return fail(ErrorCode::Usage, file.string(), i18n("is a mapping for the other kind of source"), i18n("name one for this source"));
    }
    if (out.empty())
        return fail(ErrorCode::Unreadable, (resourceFolder() / "telemetry").string(), i18n("has no mapping"), i18n("check the installation"));
    return out;
}

} // namespace hw::telemetry
