// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/yaml_keys.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace hw {

YamlKeys::YamlKeys(std::string file, std::string path, YAML::Node node) : m_file(std::move(file)), m_path(std::move(path)), m_node(std::move(node))
{
    if (!m_node.IsMap()) refuse("", i18n("must be a mapping"));
}

std::string YamlKeys::full(const std::string& key) const { return m_path.empty() ? key : key.empty() ? m_path : m_path + "." + key; }

void YamlKeys::refuse(const std::string& key, const Text& what) const
{
    int line = m_node.Mark().line;
    if (m_node.IsMap())
        for (const auto& entry : m_node)
            if (entry.first.Scalar() == key) line = entry.first.Mark().line;
    throw Failure{{ErrorCode::Unreadable, fmt::format("{}:{}: {}", m_file, line + 1, full(key)), what, i18n("correct the file")}};
}

bool YamlKeys::has(const std::string& key)
{
    m_asked.push_back(key);
    return node(key).IsDefined();
}

std::string YamlKeys::text(const std::string& key)
{
    if (!has(key)) refuse(key, i18n("missing"));
    if (!node(key).IsScalar() || node(key).Scalar().empty()) refuse(key, i18n("must be a string"));
    return node(key).Scalar();
}

std::string YamlKeys::text(const std::string& key, const std::string& fallback)
{
    if (!has(key)) return fallback;
    if (!node(key).IsScalar()) refuse(key, i18n("must be a string"));
    return node(key).Scalar();
}

double YamlKeys::number(const std::string& key, const YAML::Node& node) const
{
    double value = 0;
    if (!YAML::convert<double>::decode(node, value) || !std::isfinite(value)) refuse(key, i18n("must be a number"));
    return value;
}

double YamlKeys::number(const std::string& key, double least, double most)
{
    if (!has(key)) refuse(key, i18n("missing"));
    const double value = number(key, node(key));
    if (value < least || value > most) refuse(key, i18n("must be between {:g} and {:g}", least, most));
    return value;
}

bool YamlKeys::flag(const std::string& key, bool fallback)
{
    bool value = fallback;
    if (has(key) && !YAML::convert<bool>::decode(node(key), value)) refuse(key, i18n("must be true or false"));
    return value;
}

char YamlKeys::confidence()
{
    const std::string said = text("confidence");
    if (said.size() != 1 || said[0] < 'A' || said[0] > 'D') refuse("confidence", i18n("must be A, B, C or D"));
    return said[0];
}

std::vector<std::string> YamlKeys::texts(const std::string& key)
{
    if (!has(key) || !node(key).IsSequence()) refuse(key, i18n("must be a list"));
    std::vector<std::string> out;
    for (const auto& entry : node(key)) {
        if (!entry.IsScalar()) refuse(key, i18n("must be a list of strings"));
        out.push_back(entry.Scalar());
    }
    return out;
}

std::vector<double> YamlKeys::numbers(const std::string& key, const YAML::Node& node) const
{
    if (!node.IsSequence() || node.size() == 0) refuse(key, i18n("must be a list of numbers"));
    std::vector<double> out;
    for (const auto& entry : node) out.push_back(number(key, entry));
    return out;
}

std::vector<double> YamlKeys::numbers(const std::string& key)
{
    if (!has(key)) refuse(key, i18n("missing"));
    return numbers(key, node(key));
}

std::pair<double, double> YamlKeys::range(const std::string& key)
{
    const auto both = numbers(key);
    if (both.size() != 2 || !(both[0] < both[1])) refuse(key, i18n("must be two numbers in ascending order"));
    return {both[0], both[1]};
}

std::vector<std::vector<double>> YamlKeys::rows(const std::string& key)
{
    if (!has(key) || !node(key).IsSequence() || node(key).size() == 0) refuse(key, i18n("must be a list of rows"));
    std::vector<std::vector<double>> out;
    for (const auto& row : node(key)) out.push_back(numbers(key, row));
    return out;
}

std::map<std::string, std::string> YamlKeys::pairs(const std::string& key)
{
    std::map<std::string, std::string> out;
    if (!has(key)) return out;
    if (!node(key).IsMap()) refuse(key, i18n("must be a mapping"));
    for (const auto& entry : node(key)) {
        if (!entry.second.IsScalar() && !entry.second.IsNull()) refuse(key, i18n("must be a mapping of strings"));
        out.emplace(entry.first.Scalar(), entry.second.IsScalar() ? entry.second.Scalar() : std::string());
    }
    return out;
}

std::vector<YamlKeys> YamlKeys::maps(const std::string& key)
{
    if (!has(key) || !node(key).IsSequence() || node(key).size() == 0) refuse(key, i18n("must be a list of mappings"));
    std::vector<YamlKeys> out;
    for (const auto& entry : node(key)) out.emplace_back(m_file, full(key), entry);
    return out;
}

YamlKeys YamlKeys::under(const std::string& key)
{
    if (!has(key)) refuse(key, i18n("missing"));
    return {m_file, full(key), node(key)};
}

std::vector<std::string> YamlKeys::names() const
{
    std::vector<std::string> out;
    for (const auto& entry : m_node) out.push_back(entry.first.Scalar());
    return out;
}

void YamlKeys::finish() const
{
    for (const std::string& name : names())
        if (std::ranges::find(m_asked, name) == m_asked.end()) refuse(name, i18n("unknown key"));
}

Result<void> readYaml(const std::string& text, const std::string& file, const std::function<void(YamlKeys&)>& read)
{
    try {
        YamlKeys keys(file, "", YAML::Load(text));
        read(keys);
        keys.finish();
        return {};
    } catch (const YamlKeys::Failure& failure) {
        return tl::unexpected(failure.error);
    } catch (const YAML::Exception& e) {
        return fail(ErrorCode::Unreadable, fmt::format("{}:{}", file, e.mark.line + 1), i18n("invalid YAML: {}", e.msg), i18n("correct the syntax"));
    }
}

Result<void> readYamlFile(const std::filesystem::path& file, const Text& whenMissing, const std::function<void(YamlKeys&)>& read)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (in) text << in.rdbuf();
    if (!in) return fail(ErrorCode::Unreadable, file.string(), i18n("cannot be opened"), whenMissing);
    return readYaml(text.str(), file.string(), read);
}

} // namespace hw
