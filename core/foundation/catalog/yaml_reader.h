// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/yaml_tree.h"
#include "core/foundation/catalog/catalog.h"

#include <exception>

namespace hw::catalog {

/// Thrown inside this module only; `Catalog::parse` turns it into its Result.
struct ParseFailure : std::exception {
    Error error;
    explicit ParseFailure(Error e) : error(std::move(e)) {}
};

/// Where a definition's text came from: one name, or a main file followed by its sidecar.
struct Source {
    std::string main, side;
    int mainLines = -1; ///< lines of the main file, -1 = all in one text
    std::vector<LintIssue>* lint = nullptr;

    [[nodiscard]] std::string at(int line) const;
    void doubt(int line, const std::string& key, Text what) const;
};

/// The part of a definition, parsed only where the process has not done so before.
[[nodiscard]] Result<std::shared_ptr<const Part>> parsedOnce(const std::string& definition, const Source& source);

/// One unit that a value may be written in and its size in what we store: {"kW", 1'000'000} for mW.
struct Unit {
    std::string_view name;
    double size;
};
extern const std::vector<Unit> kPowerUnits, kLengthUnits, kWeightUnits, kMoneyUnits, kMoneyPerMeterUnits, kShareUnits, kRateUnits, kComputeUnits,
    kFlowUnits, kApparentUnits, kEnergyUnits, kTemperatureUnits, kDifferenceUnits, kPressureUnits, kVolumeUnits, kKvUnits, kAirUnits, kAreaUnits,
    kSectionUnits, kTimeUnits, kHourUnits, kDayUnits, kRarityUnits, kCurrentUnits, kMassPerMeterUnits, kDecibelUnits, kResistanceUnits;

/// Reads the keys of one YAML map, remembers which were read, and doubts the rest in `finish`.
/// Malformed values throw ParseFailure with file, line and key. Refers to the node.
class MapReader {
public:
    MapReader(const Source& source, const YamlNode& node, std::string path = {});

    [[nodiscard]] bool has(const std::string& key) const { return find(key) != m_nodes.end(); }
    [[nodiscard]] std::string text(const std::string& key); ///< must be there
    [[nodiscard]] std::string text(const std::string& key, std::string fallback);
    [[nodiscard]] double number(const std::string& key);
    [[nodiscard]] std::int64_t integer(const std::string& key, std::int64_t fallback);
    [[nodiscard]] bool flag(const std::string& key, bool fallback);
    [[nodiscard]] std::vector<std::string> texts(const std::string& key); ///< empty when absent
    [[nodiscard]] std::vector<int> integers(const std::string& key);
    [[nodiscard]] std::vector<MapReader> maps(const std::string& key);
    [[nodiscard]] std::optional<MapReader> map(const std::string& key);
    [[nodiscard]] std::vector<std::string> keys() const;

    /// {value, unit, source, confidence} as an integer of our unit; the default fact when absent.
    template <class Q>
    Fact<Q> fact(const std::string& key, const std::vector<Unit>& units)
    {
        const auto raw = rawFact(key, units, true);
        return {Q(typename std::remove_cvref_t<decltype(Q().count())>(raw.value)), raw.source, raw.confidence};
    }
    [[nodiscard]] Fact<std::int32_t> share(const std::string& key);
    [[nodiscard]] Fact<double> compute(const std::string& key) { return rawFact(key, kComputeUnits, false); }
    [[nodiscard]] Fact<double> flow(const std::string& key) { return rawFact(key, kFlowUnits, false); } ///< liters per minute
    /// The same as a number that need not be whole.
    [[nodiscard]] Fact<double> real(const std::string& key, const std::vector<Unit>& units) { return rawFact(key, units, false); }
    /// A whole number of our unit.
    [[nodiscard]] Fact<std::int32_t> count(const std::string& key, const std::vector<Unit>& units);
    [[nodiscard]] std::int64_t scaled(double value, const std::string& key, const std::string& unit, const std::vector<Unit>& units) const;

    [[noreturn]] void fail(const std::string& key, Text what, Text todo = {}) const;
    void doubt(const std::string& key, Text what) const;
    void finish() const;
    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    [[nodiscard]] Fact<double> rawFact(const std::string& key, const std::vector<Unit>& units, bool whole);
    [[nodiscard]] const YamlNode* take(const std::string& key);
    /// Of a key in either spelling.
    [[nodiscard]] std::map<std::string, const YamlNode*>::const_iterator find(const std::string& key) const;
    [[nodiscard]] std::string full(const std::string& key) const { return m_path.empty() ? key : key.empty() ? m_path : m_path + "." + key; }

    const Source* m_source;
    int m_line;
    std::string m_path;
    std::map<std::string, const YamlNode*> m_nodes;
    std::map<std::string, bool> m_used;
};

/// Parses "A" … "D".
[[nodiscard]] Confidence confidenceOf(MapReader& reader);

// main_document.cpp: device and rack types
void readDevice(MapReader& reader, Part& part);
void readRack(MapReader& reader, Part& part);
/// Of a device whose power nobody states: what NetBox says of its power ports, as an assumption that is reported.
void assumePower(MapReader& reader, DeviceSpec& device);
// sidecar.cpp: what NetBox has no place for
void readSidecar(MapReader& reader, Part& part);
/// `failures`, `repair`, `lead_time` of any part.
void readUpkeep(MapReader& reader, Part& part);
// sidecar_cooling.cpp: the map `cooling` of a device
void readCooling(MapReader& reader, DeviceSpec& device);
void lintCooling(const Part& part, const std::string& where, std::vector<LintIssue>& lint);
// own_types.cpp: kinds that have no NetBox document
void readTransceiver(MapReader& reader, Part& part);
void readCable(MapReader& reader, Part& part);
void readTray(MapReader& reader, Part& part);
// lint.cpp: doubts that need the whole part
void lintDevice(const Part& part, const std::string& comments, const std::string& where, std::vector<LintIssue>& lint);

} // namespace hw::catalog
