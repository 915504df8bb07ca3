// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/simulators/epanet_reader.h"

#include "core/foundation/base/trim.h"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers {

namespace {

using nlohmann::json;

constexpr std::size_t kLongestLine = 1024, kMostTokens = 40, kLongestId = 31; ///< EPANET 2.3
constexpr double kFootM = 0.3048, kInchMm = 25.4, kHorsepowerW = 745.7;
constexpr double kWaterM2s = 1.1e-5 * kFootM * kFootM; ///< EPANET's viscosity at 20 °C, which a multiplier multiplies
constexpr double kWaterKgM3 = 62.4 * 16.018463374;     ///< its specific weight, lb/ft³
constexpr double kOpenK = 1e-6;                        ///< loss coefficient of what is open without loss

struct FlowUnit {
    std::string_view name;
    double lps;
    bool metric;
};
constexpr std::array kFlowUnits{FlowUnit{"CFS", 28.316846592, false},
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

/// EPANET knows sections by their first letters.
constexpr std::array kSections{std::pair{"[TITL", Section::Title},    std::pair{"[JUNC", Section::Junctions}, std::pair{"[RESE", Section::Reservoirs},
                               std::pair{"[TANK", Section::Tanks},    std::pair{"[PIPE", Section::Pipes},     std::pair{"[PUMP", Section::Pumps},
                               std::pair{"[VALV", Section::Valves},   std::pair{"[CONT", Section::Controls},  std::pair{"[RULE", Section::Rules},
                               std::pair{"[DEMA", Section::Demands},  std::pair{"[EMIT", Section::Emitters},  std::pair{"[LEAK", Section::Leakage},
                               std::pair{"[PATT", Section::Patterns}, std::pair{"[CURV", Section::Curves},    std::pair{"[STAT", Section::Status},
                               std::pair{"[TIME", Section::Times},    std::pair{"[OPTI", Section::Options},   std::pair{"[TAGS", Section::Tags},
                               std::pair{"[QUAL", Section::Ignored},  std::pair{"[SOUR", Section::Ignored},   std::pair{"[ENER", Section::Ignored},
                               std::pair{"[REAC", Section::Ignored},  std::pair{"[MIXI", Section::Ignored},   std::pair{"[REPO", Section::Ignored},
                               std::pair{"[COOR", Section::Ignored},  std::pair{"[VERT", Section::Ignored},   std::pair{"[LABE", Section::Ignored},
                               std::pair{"[BACK", Section::Ignored},  std::pair{"[ROUG", Section::Ignored},   std::pair{"[END", Section::End}};

/// Options that change how EPANET calculates or prints, and not what flows.
constexpr std::array kQuietOptions{"QUALITY",   "DIFFUSIVITY", "TRIALS",    "ACCURACY", "UNBALANCED", "TOLERANCE", "MAP",
                                   "HEADERROR", "FLOWCHANGE",  "CHECKFREQ", "MAXCHECK", "DAMPLIMIT",  "EMITTER",   "VERIFY",
                                   "MINIMUM",   "REQUIRED",    "SEGMENTS",  "HTOL",     "QTOL",       "BACKFLOW"};

std::string upper(std::string_view text)
{
    std::string out(text);
    for (char& c : out)
        if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
    return out;
}

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

class EpanetReader {
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

std::vector<std::string> EpanetReader::words(std::string_view line, int number) const
{
    constexpr std::string_view kBlank = " \t,\r";
    std::vector<std::string> out;
    for (std::size_t at = line.find_first_not_of(kBlank); at != line.npos; at = line.find_first_not_of(kBlank, at)) {
        if (out.size() == kMostTokens) refuse(number, i18n("has more than {} columns", kMostTokens), i18n("split the line"));
        std::size_t end;
        if (line[at] == '"') {
            end = std::min(line.find('"', at + 1), line.size());
            out.emplace_back(line.substr(at + 1, end - at - 1));
            at = std::min(end + 1, line.size());
            continue;
        }
        end = std::min(line.find_first_of(kBlank, at), line.size());
        out.emplace_back(line.substr(at, end - at));
        at = end;
    }
    return out;
}

void EpanetReader::split(std::string_view text)
{
    Section section = Section::None;
    for (int number = 1; !text.empty() && section != Section::End; ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t comment = line.find(';');
        if (std::min(comment, line.size()) > kLongestLine) refuse(number, i18n("line is longer than {} characters", kLongestLine), i18n("split it"));
        line = line.substr(0, comment);
        if (const auto title = trimmed(line); section == Section::Title && !title.empty() && title[0] != '[') {
            if (m_out.title.empty()) m_out.title = title;
            continue;
        }
        EpanetRow row{number, words(line, number)};
        if (row.words.empty()) continue;
        if (row.words[0][0] == '[') {
            const std::string name = upper(row.words[0]);
            const auto found = std::ranges::find_if(kSections, [&](const auto& known) { return name.starts_with(known.first); });
            if (found == kSections.end()) refuse(number, i18n("unknown section {}", row.words[0]), i18n("remove it, or correct its name"));
            section = found->second;
            continue;
        }
        if (section == Section::None) refuse(number, i18n("is in no section"), i18n("specify an EPANET input file (.inp)"));
        if (section != Section::Ignored) m_rows[section].push_back(std::move(row));
    }
}

void EpanetReader::options()
{
    for (const auto& row : rows(Section::Options)) option(row);
    m_out.flowUnit = m_unit.name;
    if (m_out.pressureUnit.empty()) m_out.pressureUnit = m_unit.metric ? "METERS" : "PSI";
    if (m_out.headLoss.empty()) m_out.headLoss = "H-W";
}

void EpanetReader::option(const EpanetRow& row)
{
    const std::string key = upper(row.words[0]), second = row.words.size() > 1 ? upper(row.words[1]) : "";
    const auto oneOf = [&](std::initializer_list<const char*> known) {
        if (std::ranges::find(known, second) == known.end())
            refuse(row.line, i18n("{}: unknown value \"{}\"", key, second),
                   i18n("use {}", listedNames(std::vector<std::string>(known.begin(), known.end()))));
        return second;
    };
    const auto setUnit = [&](const std::string& name) {
        const auto found = std::ranges::find(kFlowUnits, name, &FlowUnit::name);
        if (found == kFlowUnits.end())
            refuse(row.line, i18n("unknown flow unit \"{}\"", name), i18n("use CFS, GPM, MGD, IMGD, AFD, LPS, LPM, MLD, CMH, CMD or CMS"));
        m_unit = *found;
    };
    if (key == "UNITS" || key == "FLOW")
        setUnit(key == "FLOW" && second == "UNITS" && row.words.size() > 2 ? upper(row.words[2]) : second);
    else if (std::ranges::find(kFlowUnits, key, &FlowUnit::name) != kFlowUnits.end() && second.empty())
        setUnit(key);
    else if (key == "HEADLOSS") {
        m_out.headLoss = oneOf({"H-W", "D-W", "C-M"});
        m_formula = second == "H-W" ? "hazen-williams" : second == "D-W" ? "darcy-weisbach" : "chezy-manning";
    } else if (key == "PRESSURE" && second == "EXPONENT") {
    } else if (key == "PRESSURE")
        m_out.pressureUnit = oneOf({"PSI", "KPA", "METERS", "FEET", "BAR", "M", "METRES"});
    else if (key == "VISCOSITY") {
        const double value = number(row, 1);
        if (!(value > 0)) refuse(row.line, i18n("VISCOSITY must be greater than 0"), i18n("correct the value"));
        m_viscosity = value; // which it is depends on the unit of flow, which may follow
    } else if (key == "SPECIFIC") {
        m_gravity = number(row, 2);
        if (!(m_gravity > 0)) refuse(row.line, i18n("SPECIFIC GRAVITY must be greater than 0"), i18n("correct the value"));
    } else if (key == "PATTERN")
        m_defaultPattern = row.words.size() > 1 ? row.words[1] : "";
    else if (key == "DEMAND" && second == "MULTIPLIER")
        m_multiplier = number(row, 2);
    else if (key == "DEMAND" && second == "MODEL") {
        if (row.words.size() > 2 && upper(row.words[2]) != "DDA")
            refuse(row.line, i18n("pressure-driven demands (PDA) are not supported"), i18n("set DEMAND MODEL to DDA"), ErrorCode::Refused);
    } else if (key == "HYDRAULICS") {
        note(row.line, i18n("a saved hydraulics file has no effect: flows are calculated"));
    } else if (std::ranges::find(kQuietOptions, key) == kQuietOptions.end()) {
        note(row.line, i18n("option {} has no effect", key));
    }
}

double EpanetReader::seconds(const EpanetRow& row, std::size_t i) const
{
    if (i >= row.words.size()) refuse(row.line, i18n("no time given"), i18n("add it, in hours or as H:MM"));
    const std::string& word = row.words[i];
    if (word.find(':') == word.npos) {
        const std::string unit = i + 1 < row.words.size() ? upper(row.words[i + 1]) : "";
        double factor = 3600;
        if (unit.starts_with("SEC")) factor = 1;
        if (unit.starts_with("MIN")) factor = 60;
        if (unit.starts_with("DAY")) factor = 86400;
        return number(row.line, word) * factor;
    }
    double sum = 0, factor = 3600;
    std::string_view rest = word;
    while (factor >= 1) {
        const auto colon = rest.find(':');
        sum += number(row.line, rest.substr(0, colon)) * factor;
        if (colon == rest.npos) return sum;
        rest.remove_prefix(colon + 1);
        factor /= 60;
    }
    refuse(row.line, i18n("\"{}\" is not a time", word), i18n("specify H:MM or H:MM:SS"));
}

void EpanetReader::times()
{
    for (const auto& row : rows(Section::Times)) {
        const std::string key = upper(row.words[0]), second = row.words.size() > 1 ? upper(row.words[1]) : "";
        if (key == "DURATION" && seconds(row, 1) > 0)
            note(row.line, i18n("only one time step of the {} h simulation is calculated", seconds(row, 1) / 3600));
        if (key != "PATTERN") continue;
        if (second == "START")
            m_patternStart = seconds(row, 2);
        else
            m_patternStep = seconds(row, 2);
        if (!(m_patternStep > 0) || m_patternStart < 0)
            refuse(row.line, i18n("the time step of patterns must be greater than 0"), i18n("correct the value"));
    }
}

void EpanetReader::patterns()
{
    for (const auto& row : rows(Section::Patterns)) {
        auto& list = m_patterns[id(row)];
        if (row.words.size() == 3 && (upper(row.words[1]) == "FIXED" || upper(row.words[1]) == "VARIABLE"))
            refuse(row.line, i18n("pattern types are not supported"), i18n("write the multipliers of the pattern"), ErrorCode::Refused);
        for (std::size_t i = 1; i < row.words.size(); ++i) list.push_back(number(row, i));
    }
}

double EpanetReader::factor(const std::string& pattern, int line) const
{
    if (pattern.empty()) return 1;
    const auto found = m_patterns.find(pattern);
    if (found == m_patterns.end()) refuse(line, i18n("unknown pattern \"{}\"", pattern), i18n("add it to [PATTERNS]"));
    if (found->second.empty()) return 1;
    const double period = std::floor((m_hour * 3600 + m_patternStart) / m_patternStep);
    return found->second[std::size_t(std::fmod(period, double(found->second.size())))];
}

void EpanetReader::curves()
{
    for (const auto& row : rows(Section::Curves)) {
        if (row.words.size() == 2) continue; // the type of a curve, as EPANET 2.3 writes it
        m_curves[id(row)].emplace_back(number(row, 1), number(row, 2));
    }
}

EpanetNode& EpanetReader::addNode(const EpanetRow& row)
{
    if (!m_nodeOf.emplace(id(row), m_nodes.size()).second)
        refuse(row.line, i18n("duplicate node \"{}\"", row.words[0]), i18n("use a unique id for each"));
    EpanetNode& made = m_nodes.emplace_back();
    made.id = row.words[0], made.line = row.line;
    return made;
}

void EpanetReader::nodes()
{
    for (const auto& row : rows(Section::Junctions)) {
        EpanetNode& made = addNode(row);
        if (row.words.size() > 1) made.elevation = lengthM(number(row, 1));
        if (row.words.size() > 2) made.demands.emplace_back(number(row, 2), row.words.size() > 3 ? row.words[3] : "");
    }
    const auto reservoir = [&](const EpanetRow& row) {
        EpanetNode& made = addNode(row);
        made.fixed = true, made.elevation = made.head = lengthM(number(row, 1));
        if (row.words.size() > 2) made.headPattern = row.words[2];
    };
    for (const auto& row : rows(Section::Reservoirs)) reservoir(row);
    for (const auto& row : rows(Section::Tanks)) {
        if (row.words.size() < 4) { // a tank without levels is a reservoir
            reservoir(row);
            continue;
        }
        EpanetNode& made = addNode(row);
        made.fixed = made.tank = true;
        made.elevation = lengthM(number(row, 1)), made.head = made.elevation + lengthM(number(row, 2));
        if (number(row, 2) < number(row, 3) || (row.words.size() > 4 && number(row, 2) > number(row, 4)))
            refuse(row.line, i18n("initial level of tank \"{}\" is not between its lowest and highest", made.id), i18n("correct the levels"));
    }
    if (m_nodes.size() < 2) refuse(0, i18n("has fewer than two nodes"), i18n("specify a network with junctions and a reservoir or tank"));
}

void EpanetReader::demands()
{
    for (const auto& row : rows(Section::Demands)) {
        if (upper(row.words[0]).starts_with("MULT")) {
            m_multiplier = number(row, 1);
            continue;
        }
        EpanetNode& at = m_nodes[node(row, 0)];
        if (at.fixed) refuse(row.line, i18n("\"{}\" is not a junction", at.id), i18n("remove its demand"));
        if (!at.listed) at.demands.clear(), at.listed = true;
        at.demands.emplace_back(number(row, 1), row.words.size() > 2 ? row.words[2] : "");
    }
}

std::size_t EpanetReader::node(const EpanetRow& row, std::size_t i) const
{
    if (i >= row.words.size()) refuse(row.line, i18n("has {} columns", row.words.size()), i18n("add the missing values"));
    const auto found = m_nodeOf.find(row.words[i]);
    if (found == m_nodeOf.end()) refuse(row.line, i18n("unknown node \"{}\"", row.words[i]), i18n("add it to [JUNCTIONS], [RESERVOIRS] or [TANKS]"));
    return found->second;
}

EpanetLink& EpanetReader::addLink(const EpanetRow& row, EpanetLink::Kind kind)
{
    if (!m_linkOf.emplace(id(row), m_links.size()).second)
        refuse(row.line, i18n("duplicate link \"{}\"", row.words[0]), i18n("use a unique id for each"));
    const std::size_t from = node(row, 1), to = node(row, 2);
    if (from == to) refuse(row.line, i18n("\"{}\" starts and ends at the same node", row.words[0]), i18n("correct its nodes"));
    EpanetLink& made = m_links.emplace_back();
    made.id = row.words[0], made.line = row.line, made.kind = kind, made.from = from, made.to = to;
    return made;
}

void EpanetReader::pipes()
{
    for (const auto& row : rows(Section::Pipes)) {
        EpanetLink& pipe = addLink(row, EpanetLink::Kind::Pipe);
        pipe.length = lengthM(number(row, 3)), pipe.diameter = diameterMm(number(row, 4)), pipe.roughness = number(row, 5);
        if (m_formula == "darcy-weisbach" && !m_unit.metric) pipe.roughness *= kFootM; // thousandths of a foot; millimetres otherwise
        const auto status = [&](const std::string& word) {
            const std::string large = upper(word);
            if (large == "CV")
                pipe.check = true;
            else if (large == "CLOSED")
                pipe.status = EpanetStatus::Closed;
            else if (large != "OPEN")
                return false;
            return true;
        };
        if (row.words.size() > 6 && !status(row.words[6])) pipe.minor = number(row, 6);
        if (row.words.size() > 7 && !status(row.words[7]))
            refuse(row.line, i18n("unknown status \"{}\"", row.words[7]), i18n("use OPEN, CLOSED or CV"));
    }
}

void EpanetReader::pumps()
{
    for (const auto& row : rows(Section::Pumps)) {
        EpanetLink& pump = addLink(row, EpanetLink::Kind::Pump);
        if (row.words.size() % 2 == 0 || row.words.size() < 5)
            refuse(row.line, i18n("pump \"{}\" has no pairs of keyword and value", pump.id), i18n("add HEAD with a curve, or POWER"));
        for (std::size_t i = 3; i + 1 < row.words.size(); i += 2) {
            const std::string key = upper(row.words[i]);
            if (key == "HEAD")
                pump.curve = row.words[i + 1];
            else if (key == "POWER")
                pump.power = number(row, i + 1) * (m_unit.metric ? 1000 : kHorsepowerW);
            else if (key == "SPEED")
                pump.speed = number(row, i + 1);
            else if (key == "PATTERN")
                pump.pattern = row.words[i + 1];
            else
                refuse(row.line, i18n("unknown keyword \"{}\"", row.words[i]), i18n("use HEAD, POWER, SPEED or PATTERN"));
        }
        if (pump.curve.empty() && !(pump.power > 0))
            refuse(row.line, i18n("pump \"{}\" has neither a curve nor a power", pump.id), i18n("add HEAD or POWER"));
        if (pump.speed < 0) refuse(row.line, i18n("negative speed"), i18n("correct the value"));
    }
}

void EpanetReader::valves()
{
    for (const auto& row : rows(Section::Valves)) {
        EpanetLink& valve = addLink(row, EpanetLink::Kind::Valve);
        if (row.words.size() < 6) refuse(row.line, i18n("has {} columns", row.words.size()), i18n("add the missing values"));
        valve.diameter = diameterMm(number(row, 3));
        valve.type = upper(row.words[4]);
        if (valve.type == "GPV" || valve.type == "PCV")
            valve.curve = row.words[5];
        else if (valve.type == "PRV" || valve.type == "PSV" || valve.type == "PBV" || valve.type == "FCV" || valve.type == "TCV")
            valve.setting = number(row, 5);
        else
            refuse(row.line, i18n("unknown valve type \"{}\"", row.words[4]), i18n("use PRV, PSV, PBV, FCV, TCV or GPV"));
        if (row.words.size() > 6) valve.minor = number(row, 6);
        const bool byPressure = valve.type == "PRV" || valve.type == "PSV" || valve.type == "FCV";
        if (byPressure && (m_nodes[valve.from].fixed || m_nodes[valve.to].fixed))
            refuse(row.line, i18n("valve \"{}\" of type {} ends at a reservoir or tank", valve.id, valve.type),
                   i18n("put a short pipe between them"));
    }
}

void EpanetReader::setStatus(EpanetLink& link, const std::string& word, int line)
{
    const std::string large = upper(word);
    if (link.check) refuse(line, i18n("the status of a check valve cannot be set"), i18n("remove the line"));
    if (large == "OPEN")
        link.status = EpanetStatus::Open;
    else if (large == "CLOSED")
        link.status = EpanetStatus::Closed;
    else if (large == "ACTIVE" && link.kind == EpanetLink::Kind::Valve)
        link.status = EpanetStatus::Active;
    else if (link.kind == EpanetLink::Kind::Pipe)
        refuse(line, i18n("unknown status \"{}\"", word), i18n("use OPEN or CLOSED"));
    else {
        const double value = number(line, word);
        (link.kind == EpanetLink::Kind::Pump ? link.speed : link.setting) = value;
        link.status = EpanetStatus::Active;
        if (link.kind == EpanetLink::Kind::Pump && value < 0) refuse(line, i18n("negative speed"), i18n("correct the value"));
    }
}

void EpanetReader::statuses()
{
    for (const auto& row : rows(Section::Status)) {
        if (row.words.size() < 2) refuse(row.line, i18n("has {} columns", row.words.size()), i18n("add the missing values"));
        const auto found = m_linkOf.find(row.words[0]);
        if (found == m_linkOf.end()) refuse(row.line, i18n("unknown link \"{}\"", row.words[0]), i18n("correct the id"));
        setStatus(m_links[found->second], row.words[1], row.line);
    }
    for (auto& link : m_links)
        if (link.kind == EpanetLink::Kind::Pump && !link.pattern.empty()) link.speed = factor(link.pattern, link.line);
}

/// LINK id status IF NODE id BELOW value · LINK id status AT TIME t.
void EpanetReader::control(const EpanetRow& row)
{
    const auto& w = row.words;
    if (w.size() < 6) refuse(row.line, i18n("has {} columns", w.size()), i18n("specify LINK id status IF NODE id ABOVE value, or AT TIME t"));
    const auto link = m_linkOf.find(w[1]);
    if (link == m_linkOf.end()) refuse(row.line, i18n("unknown link \"{}\"", w[1]), i18n("correct the id"));
    const std::string when = upper(w[3]), what = upper(w[4]);
    if (when == "AT") {
        if (what != "TIME") return note(row.line, i18n("time-of-day control has no effect"));
        if (seconds(row, 5) <= m_hour * 3600) setStatus(m_links[link->second], w[2], row.line);
        return;
    }
    if (when != "IF" || w.size() < 8) refuse(row.line, i18n("unknown control"), i18n("specify IF NODE id ABOVE value, or AT TIME t"));
    const EpanetNode& at = m_nodes[node(row, 5)];
    const std::string side = upper(w[6]);
    if (side != "ABOVE" && side != "BELOW") refuse(row.line, i18n("unknown control"), i18n("specify ABOVE or BELOW"));
    if (!at.tank) return note(row.line, i18n("control by the pressure at \"{}\" has no effect: only tank levels are evaluated", at.id));
    const double level = at.elevation + lengthM(number(row, 7));
    if (side == "BELOW" ? at.head <= level : at.head >= level) setStatus(m_links[link->second], w[2], row.line);
}

void EpanetReader::controls()
{
    for (const auto& row : rows(Section::Controls)) control(row);
}

void EpanetReader::unsupported()
{
    for (const auto& row : rows(Section::Emitters))
        if (row.words.size() > 1 && number(row, 1) != 0)
            refuse(row.line, i18n("emitters are not supported"), i18n("replace it by a demand"), ErrorCode::Refused);
    for (const auto& row : rows(Section::Leakage))
        refuse(row.line, i18n("leakage is not supported"), i18n("replace it by demands, or remove it"), ErrorCode::Refused);
    if (const auto& rules = rows(Section::Rules); !rules.empty()) note(rules.front().line, i18n("rules have no effect on a steady state"));
    const bool tanks = std::ranges::any_of(m_nodes, &EpanetNode::tank);
    if (tanks && m_hour > 0) note(0, i18n("tanks stay at their initial levels: steady state, not an extended-period simulation"));
}

void EpanetReader::tags()
{
    for (const auto& row : rows(Section::Tags))
        if (row.words.size() > 2 && upper(row.words[0]) == "LINK" && m_linkOf.contains(row.words[1])) m_out.tags[row.words[1]] = row.words[2];
}

void EpanetReader::count()
{
    for (const auto& n : m_nodes) ++(n.tank ? m_out.tanks : n.fixed ? m_out.reservoirs : m_out.junctions);
    for (const auto& l : m_links) ++(l.kind == EpanetLink::Kind::Pipe ? m_out.pipes : l.kind == EpanetLink::Kind::Pump ? m_out.pumps : m_out.valves);
}

const std::vector<std::pair<double, double>>& EpanetReader::curve(const std::string& id, int line) const
{
    const auto found = m_curves.find(id);
    if (found == m_curves.end()) refuse(line, i18n("unknown curve \"{}\"", id), i18n("add it to [CURVES]"));
    return found->second;
}

/// In L/s and m.
json EpanetReader::points(const EpanetLink& link) const
{
    json out = json::array();
    for (const auto& [x, y] : curve(link.curve, link.line)) out.push_back({x * m_unit.lps, lengthM(y)});
    return out;
}

json EpanetReader::pumpJson(const EpanetLink& link, json row) const
{
    row["kind"] = "pump";
    if (link.status == EpanetStatus::Closed || link.speed == 0) row["open"] = false;
    if (link.curve.empty()) {
        row["law"] = "constant-power", row["power_w"] = link.power;
        return row;
    }
    row["curve_lps_m"] = points(link);
    const auto& list = curve(link.curve, link.line);
    for (std::size_t p = 1; p < list.size(); ++p)
        if (list[p].second >= list[p - 1].second || list[p].first <= list[p - 1].first)
            refuse(link.line, i18n("the head of curve \"{}\" does not fall as its flow rises", link.curve), i18n("correct the curve"));
    if (list.size() == 3 && list[0].first == 0) row["law"] = "power-law";
    if (link.speed != 1 && link.speed > 0) row["speed"] = link.speed;
    return row;
}

json EpanetReader::pipeJson(json row, double lengthM, double diameterMm, double roughness, double k) const
{
    row["kind"] = "pipe", row["length_m"] = lengthM, row["diameter_mm"] = diameterMm, row["minor_loss_k"] = k;
    row[m_formula == "hazen-williams" ? "hw_c" : m_formula == "darcy-weisbach" ? "roughness_mm" : "manning_n"] = roughness;
    return row;
}

json EpanetReader::valveJson(const EpanetLink& link, json row)
{
    if (link.status == EpanetStatus::Closed) row["open"] = false;
    // What is fixed, or throttles by a coefficient, is a pipe without length.
    const auto fitting = [&](double k) {
        const double roughness = m_formula == "hazen-williams" ? 100 : m_formula == "darcy-weisbach" ? 0 : 0.01;
        return pipeJson(std::move(row), 0, link.diameter, roughness, std::max(k, kOpenK));
    };
    if (link.status != EpanetStatus::Active) return fitting(link.minor);
    if (link.type == "TCV") return fitting(link.setting);
    row["kind"] = "valve";
    if (link.type == "GPV") {
        row["loss_lps_m"] = points(link);
        return row;
    }
    if (link.type == "FCV") {
        row["wanted_lps"] = link.setting * m_unit.lps;
        ++m_flowValves;
        return row;
    }
    refuse(link.line, i18n("valve \"{}\" of type {} follows pressures, which the solver does not control", link.id, link.type),
           i18n("fix it as OPEN or CLOSED in [STATUS], or replace it by a TCV"), ErrorCode::Refused);
}

json EpanetReader::network()
{
    json out = {{"formula", m_formula}, {"density_kg_m3", kWaterKgM3 * m_gravity}, {"nodes", json::array()}, {"links", json::array()}};
    if (!m_out.title.empty()) out["note"] = m_out.title;
    const bool multiplier = m_viscosity != kWaterM2s && m_viscosity > 1e-3;
    const double metric = m_unit.metric || m_viscosity == kWaterM2s ? 1 : kFootM * kFootM;
    out["kinematic_viscosity_m2_s"] = multiplier ? m_viscosity * kWaterM2s : m_viscosity * metric;
    for (const auto& n : m_nodes) {
        json row = {{"id", n.id}, {"kind", n.fixed ? "fixed" : "junction"}, {"elevation_m", n.elevation}};
        if (n.fixed) {
            row["head_m"] = n.head * factor(n.headPattern, n.line);
        } else {
            double demand = 0;
            for (const auto& [base, pattern] : n.demands) {
                const bool usual = pattern.empty() && m_patterns.contains(m_defaultPattern);
                demand += base * factor(usual ? m_defaultPattern : pattern, n.line);
            }
            row["demand_lps"] = demand * m_multiplier * m_unit.lps;
        }
        out["nodes"].push_back(std::move(row));
    }
    for (const auto& l : m_links) {
        json row = {{"id", l.id}, {"from", m_nodes[l.from].id}, {"to", m_nodes[l.to].id}};
        if (l.kind == EpanetLink::Kind::Pump) {
            if (l.curve.empty() && l.speed != 1 && l.speed > 0) note(l.line, i18n("the speed of a constant-power pump has no effect"));
            out["links"].push_back(pumpJson(l, std::move(row)));
        } else if (l.kind == EpanetLink::Kind::Valve) {
            out["links"].push_back(valveJson(l, std::move(row)));
        } else {
            if (l.check) row["check_valve"] = true;
            if (l.status == EpanetStatus::Closed) row["open"] = false;
            out["links"].push_back(pipeJson(std::move(row), l.length, l.diameter, l.roughness, l.minor));
        }
    }
    if (m_flowValves > 0)
        note(0,
             i18np(m_flowValves, "{:L} flow control valve is held at its flow setting: insufficient head is an error here, an open valve in EPANET",
                   "{:L} flow control valves are held at their flow settings: insufficient head is an error here, an open valve in EPANET"));
    return out;
}

} // namespace

bool looksLikeEpanet(std::string_view content)
{
    bool nodes = false, links = false;
    for (std::size_t lines = 0; !content.empty() && lines < 200000 && !(nodes && links); ++lines) {
        const std::size_t end = std::min(content.find('\n'), content.size());
        const std::string line = upper(trimmed(content.substr(0, end)));
        content.remove_prefix(std::min(end + 1, content.size()));
        if (line.starts_with("[COND") || line.starts_with("[SUBC")) return false; // of SWMM
        nodes = nodes || line.starts_with("[JUNC") || line.starts_with("[RESE");
        links = links || line.starts_with("[PIPE") || line.starts_with("[PUMP") || line.starts_with("[VALV");
    }
    return nodes && links;
}

Result<EpanetFile> readEpanet(std::string_view text, const std::string& file, const coolant::Library& library, double hour)
{
    try {
        EpanetReader reader(file, hour);
        reader.read(text);
        const json network = reader.network();
        EpanetFile out = reader.take();
        auto checked = hydraulics::readNetwork(network.dump(-1, ' ', false, json::error_handler_t::replace), file, library);
        if (!checked) return tl::unexpected(checked.error());
        out.network = std::move(*checked);
        return out;
    } catch (const EpanetFailure& failure) {
        return tl::unexpected(failure.error);
    } catch (const json::exception& e) {
        return fail(ErrorCode::Unreadable, file, i18n("cannot be read: {}", e.what()), i18n("correct the file"));
    }
}

} // namespace hw::importers
