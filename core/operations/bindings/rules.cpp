// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/rules.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/base/spelling.h"
#include "core/foundation/base/trim.h"
#include "core/foundation/model/setting_values.h"
#include "core/operations/bindings/units.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <sstream>

#include <yaml-cpp/yaml.h>

namespace hw::bindings {

namespace {

/// Where the first of several patterns of labels ends: at a comma behind which another label and its "=" stand. Other commas belong to a
/// pattern: "processArea=Primary,Inlet, phase=A".
std::size_t endOfLabel(std::string_view text)
{
    for (auto comma = text.find(','); comma != text.npos; comma = text.find(',', comma + 1)) {
        const std::string_view rest = trimmed(text.substr(comma + 1));
        const auto word = std::ranges::find_if_not(rest, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.' || c == '-'; });
        if (word != rest.begin() && word != rest.end() && *word == '=') return comma;
    }
    return text.size();
}

/// "Hostname={host}, gpu={gpu}".
Result<std::vector<std::pair<std::string, Pattern>>> readLabels(std::string_view text)
{
    std::vector<std::pair<std::string, Pattern>> out;
    while (!trimmed(text).empty()) {
        const auto end = endOfLabel(text);
        const std::string_view one = trimmed(text.substr(0, end));
        const auto equals = one.find('=');
        if (equals == one.npos || equals == 0)
            return fail(ErrorCode::Refused, "labels", i18n("'{}' is not a valid label pattern", one), i18n("use LABEL=PATTERN, separated by commas"));
        auto pattern = Pattern::of(trimmed(one.substr(equals + 1)));
        if (!pattern) return tl::unexpected(pattern.error());
        out.emplace_back(std::string(trimmed(one.substr(0, equals))), std::move(*pattern));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

tl::unexpected<Error> at(const char* column, Error error)
{
    error.where = column;
    return tl::unexpected(std::move(error));
}

tl::unexpected<Error> missing(const char* column, Text todo) { return fail(ErrorCode::Refused, column, i18n("empty"), std::move(todo)); }

/// Names that the patterns of a rule stand for.
std::vector<std::string> namesOf(const Rule& rule)
{
    auto names = rule.channel.names();
    for (const auto& [label, pattern] : rule.labels) std::ranges::copy(pattern.names(), std::back_inserter(names));
    return names;
}

Result<void> checkUnit(const std::string& unit, Measure measure)
{
    const auto read = readUnit(unit, measure);
    const std::string own(infoOf(measure).unit);
    if (read.kind == UnitReading::Kind::Unknown)
        return fail(ErrorCode::Refused, "unit", i18n("unknown unit '{}'", unit), i18n("use a unit symbol, for example kW or L/min"));
    if (read.kind == UnitReading::Kind::Other)
        return fail(ErrorCode::Refused, "unit", i18n("'{}' cannot be converted to the unit of {}", unit, wordOf(measure)),
                    own.empty() ? i18n("leave it empty") : i18n("use a unit such as {}", own));
    return {};
}

} // namespace

Result<Measure> readMeasure(std::string_view word)
{
    if (const auto measure = inEitherSpelling(word, fromWord<Measure>)) return *measure;
    return fail(ErrorCode::Refused, "measure", i18n("unknown measure '{}'", word), i18n("choose from {}", listedNames(kWords<Measure>)));
}

RuleText ruleText(const BindingRules& rules, BindingRuleId id)
{
    return {rules.name[id], rules.channel[id], rules.labels[id], rules.entity[id], rules.element[id], rules.measure[id], rules.unit[id]};
}

Result<Rule> readRule(const RuleText& text)
{
    Rule rule;
    rule.name = text.name, rule.unit = text.unit, rule.channelText = text.channel, rule.fallback = text.fallback;
    if (text.channel.empty()) return missing("channel", i18n("specify the pattern of its channels"));
    if (text.entity.empty()) return missing("entity", i18n("specify the entity, for example {{host}}"));
    rule.aside = text.entity == "-";
    if (rule.aside && !text.measure.empty()) return fail(ErrorCode::Refused, "measure", i18n("does not apply to entity '-'"), i18n("leave it empty"));
    if (!text.least.empty()) {
        double least = 0;
        const auto read = std::from_chars(text.least.data(), text.least.data() + text.least.size(), least);
        if (read.ec != std::errc() || read.ptr != text.least.data() + text.least.size())
            return fail(ErrorCode::Refused, "least", i18n("\"{}\" is not a number", text.least), i18n("correct the value"));
        rule.least = least;
    }
    if (text.measure.empty() && !rule.aside) return missing("measure", i18n("choose from {}", listedNames(kWords<Measure>)));
    auto channel = Pattern::of(text.channel);
    if (!channel) return at("channel", channel.error());
    rule.channel = std::move(*channel);
    auto labels = readLabels(text.labels);
    if (!labels) return at("labels", labels.error());
    rule.labels = std::move(*labels);
    if (rule.aside) return rule;
    const auto names = namesOf(rule);
    auto entity = Template::of(text.entity, names), element = Template::of(text.element, names), measure = Template::of(text.measure, names);
    if (!entity) return at("entity", entity.error());
    if (!element) return at("element", element.error());
    if (!measure) return at("measure", measure.error());
    auto doubled = Template::of(text.ifDoubled, names);
    if (!doubled) return at("if_doubled", doubled.error());
    rule.entity = std::move(*entity), rule.element = std::move(*element), rule.measure = std::move(*measure), rule.ifDoubled = std::move(*doubled);
    if (!rule.measure.fixed()) return rule;
    const auto word = readMeasure(text.measure);
    if (!word) return tl::unexpected(word.error());
    rule.fixed = *word;
    if (!rule.unit.empty())
        if (const auto fine = checkUnit(rule.unit, *word); !fine) return tl::unexpected(fine.error());
    return rule;
}

Result<void> checkRuleColumn(std::string_view column, const std::string& value, const RuleText& rest)
{
    const auto braces = [&](const char* where) -> Result<void> {
        if (const auto read = Pattern::of(value); !read) return at(where, read.error());
        return {};
    };
    if (column == "channel") return value.empty() ? missing("channel", i18n("specify the pattern of its channels")) : braces("channel");
    if (column == "entity") return value.empty() ? missing("entity", i18n("specify the entity, for example {{host}}")) : braces("entity");
    if (column == "element") return braces("element");
    if (column == "labels") {
        if (const auto read = readLabels(value); !read) return at("labels", read.error());
        return {};
    }
    const bool named = rest.measure.find('{') != std::string::npos;
    if (column == "unit" && !value.empty() && !rest.measure.empty() && !named)
        return readMeasure(rest.measure).and_then([&](Measure measure) { return checkUnit(value, measure); });
    if (column == "measure" && value.find('{') != std::string::npos) return braces("measure");
    if (column == "measure")
        return readMeasure(value).and_then([&](Measure measure) { return rest.unit.empty() ? Result<void>() : checkUnit(rest.unit, measure); });
    return {};
}

namespace {

struct Broken {
    Error error;
};

/// The maps of a file with rules.
class Reader {
public:
    Reader(std::string file, std::string set) : m_file(std::move(file)), m_set(std::move(set)) {}

    [[noreturn]] void refuse(const YAML::Node& node, const Text& what) const
    {
        throw Broken{{ErrorCode::Unreadable, m_file + ":" + std::to_string(node.Mark().line + 1), what, i18n("correct the file")}};
    }
    std::string text(const YAML::Node& map, const char* key, bool needed) const
    {
        const YAML::Node value = map[key];
        if (!value.IsDefined() && !needed) return {};
        if (!value.IsDefined() || !value.IsScalar()) refuse(value.IsDefined() ? value : map, i18n("{} must be a string", key));
        return value.Scalar();
    }
    void keys(const YAML::Node& map, std::initializer_list<std::string_view> known) const
    {
        if (!map.IsMap()) refuse(map, i18n("must be a mapping"));
        for (const auto& entry : map)
            if (std::ranges::find(known, entry.first.Scalar()) == known.end()) refuse(entry.first, i18n("unknown key {}", entry.first.Scalar()));
    }
    void list(const YAML::Node& map, const char* key, const auto& each) const
    {
        const YAML::Node all = map[key];
        if (!all.IsDefined()) return;
        if (!all.IsSequence()) refuse(all, i18n("must be a list"));
        for (const auto& one : all) each(one);
    }

    /// A group: rules, and the ways in which each of them finds its entity. `each`: words for which "@" stands in their channels and labels.
    void group(const YAML::Node& group, std::vector<RuleText>& out) const
    {
        keys(group, {"each", "identify", "rules", "fallback"});
        std::vector<std::string> words;
        list(group, "each", [&](const YAML::Node& word) { words.push_back(word.Scalar()); });
        if (words.empty()) words.emplace_back("@");
        for (const auto& word : words) members(group, word, out);
    }

private:
    static std::string with(std::string text, const std::string& word)
    {
        for (auto at = text.find('@'); at != text.npos; at = text.find('@', at + word.size())) text.replace(at, 1, word);
        return text;
    }

    void members(const YAML::Node& group, const std::string& word, std::vector<RuleText>& out) const
    {
        const std::string fallback = text(group, "fallback", false);
        if (!fallback.empty() && fallback != "true" && fallback != "false") refuse(group["fallback"], i18n("must be true or false"));
        const bool last = fallback == "true";
        list(group, "rules", [&](const YAML::Node& node) {
            keys(node, {"channel", "labels", "entity", "element", "measure", "unit", "if_doubled", "least"});
            const RuleText rule{{},
                                with(text(node, "channel", true), word),
                                with(text(node, "labels", false), word),
                                text(node, "entity", false),
                                text(node, "element", false),
                                text(node, "measure", false),
                                text(node, "unit", false),
                                text(node, "if_doubled", false),
                                last,
                                text(node, "least", false)};
            if (!group["identify"].IsDefined()) return put(node, rule, out);
            list(group, "identify", [&](const YAML::Node& way) {
                keys(way, {"labels", "entity"});
                RuleText whole = rule;
                const std::string labels = text(way, "labels", false);
                whole.labels += whole.labels.empty() || labels.empty() ? labels : ", " + labels;
                whole.entity = text(way, "entity", true);
                put(node, std::move(whole), out);
            });
        });
    }

    void put(const YAML::Node& node, RuleText rule, std::vector<RuleText>& out) const
    {
        rule.name = m_set + ": " + rule.channel + (rule.labels.empty() ? "" : " [" + rule.labels + "]");
        if (const auto read = readRule(rule); !read) refuse(node, i18n("{}: {}", read.error().where, read.error().what));
        out.push_back(std::move(rule));
    }

    std::string m_file, m_set;
};

} // namespace

Result<RuleSet> readRuleSet(const std::string& yaml, const std::string& file)
{
    RuleSet set;
    try {
        const YAML::Node all = YAML::Load(yaml);
        const Reader first(file, {});
        first.keys(all, {"set", "title", "source", "groups"});
        set.name = first.text(all, "set", true), set.title = first.text(all, "title", true), set.source = first.text(all, "source", true);
        const Reader reader(file, set.name);
        reader.list(all, "groups", [&](const YAML::Node& group) { reader.group(group, set.rules); });
    } catch (const Broken& broken) {
        return tl::unexpected(broken.error);
    } catch (const YAML::Exception& e) {
        return fail(ErrorCode::Unreadable, file + ":" + std::to_string(e.mark.line + 1), i18n("invalid YAML: {}", e.msg), i18n("correct the syntax"));
    }
    return set;
}

const Result<std::vector<RuleSet>>& shippedRuleSets()
{
    static const auto all = []() -> Result<std::vector<RuleSet>> {
        std::vector<RuleSet> sets;
        std::error_code error;
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(resourceFolder() / "telemetry" / "bindings", error))
            if (entry.path().extension() == ".yaml") files.push_back(entry.path());
        std::ranges::sort(files);
        for (const auto& file : files) {
            std::ifstream in(file, std::ios::binary);
            std::ostringstream text;
            text << in.rdbuf();
            if (!in) return fail(ErrorCode::Unreadable, file.string(), i18n("cannot be read"), i18n("check the installation"));
            auto set = readRuleSet(text.str(), file.string());
            if (!set) return tl::unexpected(set.error());
            sets.push_back(std::move(*set));
        }
        return sets;
    }();
    return all;
}

Result<std::vector<const RuleSet*>> ruleSetsOf(const Snapshot& snapshot) { return ruleSetsNamed(settingOf(snapshot, "telemetry.rule_sets")); }

Result<std::vector<const RuleSet*>> ruleSetsNamed(std::string_view said)
{
    const auto& shipped = shippedRuleSets();
    if (!shipped) return tl::unexpected(shipped.error());
    std::vector<const RuleSet*> out;
    std::vector<std::string> names{"all", "none"};
    for (const RuleSet& set : *shipped) {
        names.push_back(set.name);
        if (said == "all") out.push_back(&set);
    }
    if (said == "all" || said == "none" || said.empty()) return out;
    for (std::string_view rest = said; !trimmed(rest).empty();) {
        const auto end = std::min(rest.find(','), rest.size());
        const std::string_view name = trimmed(rest.substr(0, end));
        const auto found = std::ranges::find(*shipped, name, &RuleSet::name);
        if (found == shipped->end())
            return fail(ErrorCode::Refused, "telemetry.rule_sets", i18n("unknown rule set '{}'", name), i18n("choose from {}", listedNames(names)));
        out.push_back(&*found);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
}

} // namespace hw::bindings
