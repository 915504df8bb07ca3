// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/yaml_reader.h"

#include "core/foundation/base/spelling.h"
#include "core/foundation/model/text_values.h"

#include <cmath>
#include <fmt/format.h>

namespace hw::catalog {

const std::vector<Unit> kPowerUnits{{"W", 1e3}, {"kW", 1e6}, {"MW", 1e9}};
const std::vector<Unit> kLengthUnits{{"mm", 1}, {"cm", 10}, {"m", 1e3}, {"km", 1e6}, {"in", 25.4}};
const std::vector<Unit> kWeightUnits{{"g", 1}, {"kg", 1e3}, {"t", 1e6}, {"lb", 453.59237}, {"oz", 28.349523125}};
const std::vector<Unit> kMoneyUnits{{"USD", 1e4}};
const std::vector<Unit> kMoneyPerMeterUnits{{"USD/m", 1e4}};
const std::vector<Unit> kShareUnits{{"%", 10}};
const std::vector<Unit> kRateUnits{{"Gb/s", 1}, {"Tb/s", 1e3}};
const std::vector<Unit> kComputeUnits{{"TFLOPS", 1}, {"PFLOPS", 1e3}};
const std::vector<Unit> kApparentUnits{{"VA", 1e3}, {"kVA", 1e6}, {"MVA", 1e9}};
const std::vector<Unit> kEnergyUnits{{"Wh", 1e3}, {"kWh", 1e6}};
const std::vector<Unit> kFlowUnits{{"L/min", 1}, {"m3/h", 1000.0 / 60}};
const std::vector<Unit> kTemperatureUnits{{"°C", 1}};
const std::vector<Unit> kDifferenceUnits{{"K", 1}};
const std::vector<Unit> kPressureUnits{{"kPa", 1}, {"bar", 100}, {"psi", 6.894757}};
const std::vector<Unit> kVolumeUnits{{"L", 1}, {"m3", 1e3}};
const std::vector<Unit> kKvUnits{{"m3/h", 1}};
const std::vector<Unit> kAirUnits{{"m3/s", 1}, {"m3/h", 1.0 / 3600}};
const std::vector<Unit> kAreaUnits{{"m2", 1}};
const std::vector<Unit> kSectionUnits{{"mm2", 1}};
const std::vector<Unit> kResistanceUnits{{"mohm/m", 1}};
const std::vector<Unit> kTimeUnits{{"s", 1}, {"min", 60}, {"h", 3600}};
const std::vector<Unit> kHourUnits{{"h", 1}, {"d", 24}};
const std::vector<Unit> kDayUnits{{"d", 1}, {"weeks", 7}};
const std::vector<Unit> kRarityUnits{{"1/y", 1}};
const std::vector<Unit> kCurrentUnits{{"A", 1e3}};
const std::vector<Unit> kMassPerMeterUnits{{"g/m", 1}, {"kg/m", 1e3}};
const std::vector<Unit> kDecibelUnits{{"dB", 1}};

std::string Source::at(int line) const
{
    if (mainLines < 0 || line <= mainLines) return fmt::format("{}:{}", main, line);
    return fmt::format("{}:{}", side, line - mainLines - 1); // the line between is the "---"
}

void Source::doubt(int line, const std::string& key, Text what) const
{
    if (lint) lint->push_back({fmt::format("{} {}", at(line), key), std::move(what)});
}

MapReader::MapReader(const Source& source, const YamlNode& node, std::string path) : m_source(&source), m_line(node.line()), m_path(std::move(path))
{
    if (!node.isMap()) fail("", i18n("not a mapping of keys to values"), i18n("use `key: value` lines"));
    for (const auto& [name, value] : node.entries()) {
        if (!name.isScalar()) fail("", i18n("contains a key that is not a string"));
        const auto& key = name.scalar();
        if (has(key)) fail(key, i18n("duplicate key"), i18n("keep only one"));
        m_nodes.emplace(key, &value);
    }
}

std::map<std::string, const YamlNode*>::const_iterator MapReader::find(const std::string& key) const
{
    const auto exact = m_nodes.find(key);
    const std::string_view other = exact == m_nodes.end() ? otherSpelling(key) : std::string_view();
    return other.empty() ? exact : m_nodes.find(std::string(other));
}

void MapReader::fail(const std::string& key, Text what, Text todo) const
{
    const auto it = find(key);
    const auto where = fmt::format("{} {}", m_source->at(it == m_nodes.end() ? m_line : it->second->line()), full(key));
    throw ParseFailure(Error{ErrorCode::Unreadable, where, std::move(what), std::move(todo)});
}

void MapReader::doubt(const std::string& key, Text what) const
{
    const auto it = find(key);
    m_source->doubt(it == m_nodes.end() ? m_line : it->second->line(), full(key), std::move(what));
}

const YamlNode* MapReader::take(const std::string& key)
{
    const auto it = find(key);
    m_used[it == m_nodes.end() ? key : it->first] = true;
    return it == m_nodes.end() || it->second->isNull() ? nullptr : it->second;
}

std::string MapReader::text(const std::string& key)
{
    const auto* node = take(key);
    if (!node) fail(key, i18n("missing"), i18n("add the key {}", full(key)));
    if (!node->isScalar()) fail(key, i18n("must be a string"));
    return node->scalar();
}

std::string MapReader::text(const std::string& key, std::string fallback) { return take(key) ? text(key) : std::move(fallback); }

double MapReader::number(const std::string& key)
{
    const auto written = text(key);
    const auto value = yamlNumber(written);
    if (!value) fail(key, i18n("'{}' is not a number", written));
    if (*value < 0) fail(key, i18n("{} is negative", written));
    return *value;
}

std::int64_t MapReader::integer(const std::string& key, std::int64_t fallback)
{
    if (!take(key)) return fallback;
    const double value = number(key);
    if (value != std::floor(value) || value > 1e15) fail(key, i18n("{} is not an integer", value));
    return std::int64_t(value);
}

bool MapReader::flag(const std::string& key, bool fallback)
{
    const auto* node = take(key);
    if (!node) return fallback;
    const auto value = node->flag();
    if (!value) fail(key, i18n("must be true or false"));
    return *value;
}

std::vector<std::string> MapReader::texts(const std::string& key)
{
    std::vector<std::string> result;
    const auto* node = take(key);
    if (!node) return result;
    if (!node->isSequence()) fail(key, i18n("must be a list"));
    for (const auto& item : node->items()) {
        if (!item.isScalar()) fail(key, i18n("must be a list of scalar values"));
        result.push_back(item.scalar());
    }
    return result;
}

std::vector<int> MapReader::integers(const std::string& key)
{
    std::vector<int> result;
    for (const auto& written : texts(key)) {
        int value = 0;
        if (!text::fromText(written, value) || value < 1) fail(key, i18n("'{}' is not a positive integer", written));
        result.push_back(value);
    }
    return result;
}

std::vector<MapReader> MapReader::maps(const std::string& key)
{
    std::vector<MapReader> result;
    const auto* node = take(key);
    if (!node) return result;
    if (!node->isSequence()) fail(key, i18n("must be a list"));
    for (std::size_t i = 0; i < node->items().size(); ++i) result.emplace_back(*m_source, node->items()[i], fmt::format("{}[{}]", full(key), i + 1));
    return result;
}

std::optional<MapReader> MapReader::map(const std::string& key)
{
    const auto* node = take(key);
    if (!node) return std::nullopt;
    return MapReader(*m_source, *node, full(key));
}

std::vector<std::string> MapReader::keys() const
{
    std::vector<std::string> result;
    for (const auto& [key, node] : m_nodes) result.push_back(key);
    return result;
}

std::int64_t MapReader::scaled(double value, const std::string& key, const std::string& unit, const std::vector<Unit>& units) const
{
    for (const auto& known : units) {
        if (known.name != unit) continue;
        const double result = value * known.size;
        if (std::abs(result) > 9e15) fail(key, i18n("too large"));
        return std::int64_t(std::llround(result));
    }
    std::vector<std::string_view> names;
    for (const auto& known : units) names.push_back(known.name);
    fail(key, i18n("unknown unit '{}'", unit), i18n("use {}", listedNames(names)));
}

Confidence confidenceOf(MapReader& reader)
{
    const auto written = reader.text("confidence");
    if (written.size() != 1 || written[0] < 'A' || written[0] > 'D')
        reader.fail("confidence", i18n("'{}' is not A, B, C or D", written),
                    i18n("use A (vendor or standard), B (secondary), C (assumed) or D (derived)"));
    return Confidence(written[0]);
}

Fact<double> MapReader::rawFact(const std::string& key, const std::vector<Unit>& units, bool whole)
{
    auto reader = map(key);
    if (!reader) return {};
    Fact<double> fact;
    const auto unit = reader->text("unit");
    const double value = reader->number("value");
    const auto stored = reader->scaled(value, "unit", unit, units);
    fact.value = double(stored);
    if (!whole)
        for (const auto& known : units)
            if (known.name == unit) fact.value = value * known.size;
    fact.source = reader->text("source");
    if (fact.source.empty()) reader->fail("source", i18n("empty"), i18n("cite the document, or describe the assumption"));
    fact.confidence = confidenceOf(*reader);
    (void)reader->text("date", {});
    reader->finish();
    return fact;
}

Fact<std::int32_t> MapReader::share(const std::string& key)
{
    const auto raw = rawFact(key, kShareUnits, true);
    if (raw.value > 1000) fail(key, i18n("exceeds 100 %"));
    return {std::int32_t(raw.value), raw.source, raw.confidence};
}

Fact<std::int32_t> MapReader::count(const std::string& key, const std::vector<Unit>& units)
{
    const auto raw = rawFact(key, units, true);
    if (raw.value > 2e9) fail(key, i18n("too large"));
    return {std::int32_t(raw.value), raw.source, raw.confidence};
}

void MapReader::finish() const
{
    for (const auto& [key, node] : m_nodes)
        if (!m_used.contains(key)) doubt(key, i18n("unknown key"));
}

} // namespace hw::catalog
