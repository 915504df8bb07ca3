// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/simulators/epanet_reader.h"

#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace hw::importers::epanet {

inline constexpr std::size_t kLongestId = 31; ///< EPANET 2.3
inline constexpr double kFootM = 0.3048, kInchMm = 25.4;
inline constexpr double kWaterM2s = 1.1e-5 * kFootM * kFootM; ///< EPANET's viscosity at 20 °C, which a multiplier multiplies

struct FlowUnit {
    std::string_view name;
    double lps;
    bool metric;
};
inline constexpr std::array kFlowUnits{FlowUnit{"CFS", 28.316846592, false},
                                       FlowUnit{"GPM", 3.785411784 / 60, false},
                                       FlowUnit{"MGD", 3785411.784 / 86400, false},
                                       FlowUnit{"IMGD", 4546090.0 / 86400, false},
                                       FlowUnit{"AFD", 1233481.83754752 / 86400, false},
                                       FlowUnit{"LPS", 1, true},
                                       FlowUnit{"LPM", 1.0 / 60, true},
                                       FlowUnit{"MLD", 1e6 / 86400, true},
                                       FlowUnit{"CMH", 1 / 3.6, true},
                                       FlowUnit{"CMD", 1000.0 / 86400, true},
                                       FlowUnit{"CMS", 1000, true}};

enum class Section : std::uint8_t {
    None,
    Title,
    Junctions,
    Reservoirs,
    Tanks,
    Pipes,
    Pumps,
    Valves,
    Controls,
    Demands,
    Emitters,
    Leakage,
    Patterns,
    Curves,
    Status,
    Times,
    Options,
    Tags,
    Rules,
    Ignored,
    End
};

[[nodiscard]] std::string upper(std::string_view text);

struct EpanetRow {
    int line = 0;
    std::vector<std::string> words;
};

struct EpanetFailure {
    Error error;
};

enum class EpanetStatus : std::uint8_t { Active, Open, Closed };

struct EpanetNode {
    std::string id;
    int line = 0;
    bool fixed = false, tank = false;
    double elevation = 0, head = 0; ///< m
    std::string headPattern;
    std::vector<std::pair<double, std::string>> demands; ///< in the file's unit, pattern
    bool listed = false;                                 ///< [DEMANDS] has replaced what [JUNCTIONS] says
};

struct EpanetLink {
    std::string id;
    int line = 0;
    enum class Kind : std::uint8_t { Pipe, Pump, Valve } kind = Kind::Pipe;
    std::size_t from = 0, to = 0;
    EpanetStatus status = EpanetStatus::Active;
    bool check = false;
    double length = 0, diameter = 0, roughness = 0, minor = 0; ///< m, mm, mm or number, –
    std::string type;                                          ///< of a valve: TCV
    double setting = 0;                                        ///< as written
    std::string curve, pattern;
    double power = 0, speed = 1; ///< W
};

/// Reads sections in the order in which they depend on one another: epanet_reader.cpp the lines, epanet_options.cpp what holds for all of them,
/// epanet_elements.cpp nodes and links, epanet_network.cpp writes the network.
class EpanetReader {
    using json = nlohmann::json;

public:
    EpanetReader(const std::string& file, double hour) : m_file(file), m_hour(hour) {}

    void read(std::string_view text)
    {
        split(text);
        options();
        times();
        patterns();
        curves();
        nodes();
        demands();
        pipes();
        pumps();
        valves();
        statuses();
        controls();
        unsupported();
        tags();
        count();
    }
    json network();
    [[nodiscard]] EpanetFile take() { return std::move(m_out); }

private:
    [[noreturn]] void refuse(int line, const Text& what, const Text& todo, ErrorCode code = ErrorCode::Unreadable) const
    {
        throw EpanetFailure{{code, line > 0 ? fmt::format("{}:{}", m_file, line) : m_file, what, todo}};
    }
    void note(int line, Text what) { m_out.issues.push_back({line > 0 ? fmt::format("{}:{}", m_file, line) : m_file, std::move(what)}); }
    [[nodiscard]] const std::vector<EpanetRow>& rows(Section section) const
    {
        static const std::vector<EpanetRow> none;
        const auto found = m_rows.find(section);
        return found == m_rows.end() ? none : found->second;
    }
    double number(const EpanetRow& row, std::size_t i) const
    {
        if (i >= row.words.size()) refuse(row.line, i18n("has {} columns", row.words.size()), i18n("add the missing values"));
        return number(row.line, row.words[i]);
    }
    double number(int line, std::string_view word) const
    {
        std::string_view rest = word;
        if (rest.starts_with('+')) rest.remove_prefix(1);
        double value = 0;
        const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
        if (code != std::errc{} || end != rest.data() + rest.size() || !std::isfinite(value))
            refuse(line, i18n("\"{}\" is not a number", word), i18n("correct the value"));
        return value;
    }
    const std::string& id(const EpanetRow& row) const
    {
        if (row.words[0].size() > kLongestId)
            refuse(row.line, i18n("id \"{}\" is longer than {} characters", row.words[0], kLongestId), i18n("shorten it"));
        return row.words[0];
    }

    void split(std::string_view text);
    [[nodiscard]] std::vector<std::string> words(std::string_view line, int number) const;
    void options();
    void option(const EpanetRow& row);
    void times();
    [[nodiscard]] double seconds(const EpanetRow& row, std::size_t i) const;
    void patterns();
    [[nodiscard]] double factor(const std::string& pattern, int line) const;
    void curves();
    void nodes();
    EpanetNode& addNode(const EpanetRow& row);
    void demands();
    EpanetLink& addLink(const EpanetRow& row, EpanetLink::Kind kind);
    [[nodiscard]] std::size_t node(const EpanetRow& row, std::size_t i) const;
    void pipes();
    void pumps();
    void valves();
    void setStatus(EpanetLink& link, const std::string& word, int line);
    void statuses();
    void controls();
    void control(const EpanetRow& row);
    void unsupported();
    void tags();
    void count();

    json pumpJson(const EpanetLink& link, json row) const;
    json valveJson(const EpanetLink& link, json row);
    json pipeJson(json row, double lengthM, double diameterMm, double roughness, double k) const;
    [[nodiscard]] const std::vector<std::pair<double, double>>& curve(const std::string& id, int line) const;
    json points(const EpanetLink& link) const;

    const std::string& m_file;
    double m_hour;
    EpanetFile m_out;
    std::map<Section, std::vector<EpanetRow>> m_rows;
    FlowUnit m_unit = kFlowUnits[1];
    std::string m_formula = "hazen-williams", m_defaultPattern = "1";
    double m_viscosity = kWaterM2s, m_gravity = 1, m_multiplier = 1;
    double m_patternStep = 3600, m_patternStart = 0;
    std::int64_t m_flowValves = 0;
    std::map<std::string, std::vector<double>> m_patterns;
    std::map<std::string, std::vector<std::pair<double, double>>> m_curves;
    std::vector<EpanetNode> m_nodes;
    std::vector<EpanetLink> m_links;
    std::map<std::string, std::size_t> m_nodeOf, m_linkOf;

    [[nodiscard]] double lengthM(double value) const { return m_unit.metric ? value : value * kFootM; }
    [[nodiscard]] double diameterMm(double value) const { return m_unit.metric ? value : value * kInchMm; }
};

} // namespace hw::importers::epanet
