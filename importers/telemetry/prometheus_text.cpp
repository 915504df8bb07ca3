// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/prometheus_text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace hw::telemetry {

namespace {

void skipSpace(std::string_view& text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
}

std::string_view word(std::string_view& text)
{
    const auto end = std::min(text.find_first_of(" \t"), text.size());
    const auto out = text.substr(0, end);
    text.remove_prefix(end);
    skipSpace(text);
    return out;
}

bool isName(std::string_view text)
{
    return !text.empty() && (text.front() < '0' || text.front() > '9') &&
           std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == ':'; });
}

/// "…" with \" \\ \n; false: not closed.
bool quoted(std::string_view& text, std::string& out)
{
    if (text.empty() || text.front() != '"') return false;
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '"') {
            text.remove_prefix(i + 1);
            return true;
        }
        if (text[i] == '\\' && i + 1 < text.size())
            ++i, out += text[i] == 'n' ? '\n' : text[i];
        else
            out += text[i];
    }
    return false;
}

bool readLabels(std::string_view& text, bindings::Labels& labels)
{
    text.remove_prefix(1);
    for (skipSpace(text); !text.empty() && text.front() != '}';) {
        const auto equals = text.find('=');
        if (equals == std::string_view::npos) return false;
        std::string_view name = text.substr(0, equals);
        while (name.ends_with(' ')) name.remove_suffix(1);
        text.remove_prefix(equals + 1);
        skipSpace(text);
        std::string value;
        if (!isName(name) || !quoted(text, value)) return false;
        labels.emplace_back(name, std::move(value));
        skipSpace(text);
        if (!text.empty() && text.front() == ',') text.remove_prefix(1);
        skipSpace(text);
    }
    if (text.empty()) return false;
    text.remove_prefix(1);
    std::ranges::sort(labels);
    return true;
}

std::optional<double> number(std::string_view text)
{
    const std::string copy(text);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    if (copy.empty() || end != copy.c_str() + copy.size()) return std::nullopt;
    return value;
}

} // namespace

std::optional<Exposed> readExposition(std::string_view line)
{
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    Exposed out;
    const auto end = std::min(line.find_first_of("{ \t"), line.size());
    out.metric = line.substr(0, end);
    if (!isName(out.metric)) return std::nullopt;
    line.remove_prefix(end);
    skipSpace(line);
    if (!line.empty() && line.front() == '{' && !readLabels(line, out.labels)) return std::nullopt;
    skipSpace(line);
    const auto value = number(word(line));
    if (!value) return std::nullopt;
    out.value = *value;
    if (line.empty() || line.front() == '#') return out; // an exemplar is of no use here
    const auto time = number(word(line));
    if (!time || !(std::abs(*time) < 9e15) || (!line.empty() && line.front() != '#')) return std::nullopt;
    out.timeMs = std::llround(std::abs(*time) < 1e11 ? *time * 1000 : *time);
    return out;
}

std::optional<std::pair<std::string, std::string>> readUnitLine(std::string_view line)
{
    if (word(line) != "#" || word(line) != "UNIT") return std::nullopt;
    const auto metric = word(line);
    return std::pair(std::string(metric), std::string(word(line)));
}

bool besideTheHall(const Exposed& sample)
{
    for (const auto* prefix : {"go_", "process_", "promhttp_", "python_", "scrape_"})
        if (sample.metric.starts_with(prefix)) return true;
    return std::ranges::any_of(sample.labels, [](const auto& label) { return label.first == "le" || label.first == "quantile"; });
}

} // namespace hw::telemetry
