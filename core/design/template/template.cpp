// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/template.h"

#include "core/design/template/generator.h"
#include "core/foundation/base/parallel.h"
#include "core/foundation/model/text_values.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hw {

std::optional<std::int64_t> Parameter::valueOf(const std::string& text) const
{
    if (const auto found = std::find(choices.begin(), choices.end(), text); found != choices.end()) return found - choices.begin();
    if (flag)
        if (const auto on = oneOfFlag(text)) return *on;
    std::int64_t value = 0;
    return text::fromText(text, value) ? std::optional(value) : std::nullopt;
}

std::string Parameter::textOf(std::int64_t value) const
{
    return value >= 0 && value < std::int64_t(choices.size()) ? choices[std::size_t(value)] : std::to_string(value);
}

Result<Template> Template::parse(const std::string& yaml, const std::string& where, const std::filesystem::path& folder)
{
    try {
        Template result;
        result.m_spec = readTemplate(yaml, where, folder);
        return result;
    } catch (const TemplateFailure& failure) {
        return tl::unexpected(failure.error);
    }
}

Result<Template> Template::load(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    if (!in) return fail(ErrorCode::Unreadable, file.string(), i18n("cannot be read"), i18n("check the path and its permissions"));
    std::ostringstream text;
    text << in.rdbuf();
    return parse(text.str(), file.filename().string(), file.parent_path());
}

const std::string& Template::name() const { return m_spec->name; }
const std::string& Template::title() const { return m_spec->title; }
const std::string& Template::summary() const { return m_spec->summary; }
const std::string& Template::source() const { return m_spec->source; }
const std::vector<Parameter>& Template::parameters() const { return m_spec->parameters; }
const std::string& Template::text() const { return m_spec->text; }

namespace {

/// What a parameter may be, for people.
Text allowed(const Parameter& p)
{
    if (!p.choices.empty()) return i18n("one of {}", listedNames(p.choices));
    return p.flag ? i18n("0 or 1") : i18n("{} to {}", p.minimum, p.maximum);
}

tl::unexpected<Error> outside(const Parameter& p, const std::string& value, const std::string& design, const std::string& limit)
{
    return fail(ErrorCode::Refused, fmt::format("{}={}", p.name, value),
                limit.empty() ? i18n("{} of {} must be {}", p.name, design, allowed(p))
                              : i18n("{} of {} must be {}: {}", p.name, design, allowed(p), resourceText(limit)),
                i18n("choose {}", allowed(p)));
}

tl::unexpected<Error> notAValue(const Parameter& p, const std::string& text, const std::string& limit)
{
    if (!p.choices.empty())
        return fail(ErrorCode::Refused, fmt::format("{}={}", p.name, text),
                    limit.empty() ? i18n("'{}' is not a valid choice for {}", text, p.name)
                                  : i18n("'{}' is not a valid choice for {}: {}", text, p.name, resourceText(limit)),
                    i18n("choose {}", allowed(p)));
    return fail(ErrorCode::Refused, fmt::format("{}={}", p.name, text), i18n("'{}' is not a valid whole number", text), i18n("use digits only"));
}

} // namespace

Result<ParameterValues> Template::complete(const ParameterValues& given) const
{
    std::vector<std::string> names;
    for (const auto& p : parameters()) names.push_back(p.name);
    for (const auto& [name, value] : given)
        if (std::find(names.begin(), names.end(), name) == names.end())
            return fail(ErrorCode::Usage, name, i18n("template '{}' has no parameter '{}'", this->name(), name),
                        names.empty() ? i18n("it has none") : i18n("use {}", listedNames(names)));
    ParameterValues result;
    for (const auto& p : parameters()) {
        const auto found = given.find(p.name);
        const std::int64_t value = found == given.end() ? p.defaultValue : found->second;
        const auto limit = m_spec->limits.find(p.name);
        if (value < p.minimum || value > p.maximum)
            return outside(p, std::to_string(value), this->name(), limit == m_spec->limits.end() ? std::string() : limit->second);
        result[p.name] = value;
    }
    return result;
}

Result<ParameterValues> Template::complete(const std::map<std::string, std::string>& given) const
{
    ParameterValues values;
    for (const auto& [name, text] : given) {
        const auto known = std::find_if(parameters().begin(), parameters().end(), [&](const Parameter& p) { return p.name == name; });
        if (known == parameters().end()) return complete(ParameterValues{{name, 0}});
        const auto value = known->valueOf(text);
        if (!value) return notAValue(*known, text, m_spec->limits.contains(name) ? m_spec->limits.at(name) : std::string());
        values[name] = *value;
    }
    return complete(values);
}

Result<std::vector<Template>> loadTemplates(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    if (error)
        return fail(ErrorCode::Unreadable, folder.string(), i18n("cannot be read: {}", error.message()),
                    i18n("reinstall Hallwright, or set HALLWRIGHT_RESOURCES"));
    std::sort(files.begin(), files.end());
    std::vector<std::optional<Result<Template>>> loaded(files.size());
    parallelFor(files.size(), {}, [&](std::size_t i) { loaded[i] = Template::load(files[i]); });
    std::vector<Template> result;
    for (auto& one : loaded) {
        if (!*one) return tl::unexpected(one->error());
        result.push_back(std::move(**one));
    }
    return result;
}

Result<SnapshotPtr> instantiate(const Template& design, const ParameterValues& values, const Catalog& catalog, const Progress& progress)
{
    const auto complete = design.complete(values);
    if (!complete) return tl::unexpected(complete.error());
    try {
        return Generator(design.spec(), *complete, catalog, progress).run();
    } catch (const TemplateFailure& failure) {
        return tl::unexpected(failure.error);
    }
}

Result<Template> templateOf(const Snapshot& snapshot)
{
    const auto text = snapshot.setting("template.text");
    if (text.empty())
        return fail(ErrorCode::Refused, "template", i18n("this project was not created from a template"), i18n("create a design with 'new'"));
    return Template::parse(text, snapshot.setting("template.name"));
}

ParameterValues parametersOf(const Snapshot& snapshot)
{
    constexpr std::string_view prefix = "parameter.";
    ParameterValues result;
    snapshot.settings.forEach([&](SettingId id) {
        const auto& key = snapshot.settings.key[id];
        if (std::int64_t value = 0; key.starts_with(prefix) && text::fromText(snapshot.settings.value[id], value))
            result[key.substr(prefix.size())] = value;
    });
    return result;
}

} // namespace hw
