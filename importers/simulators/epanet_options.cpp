// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/simulators/epanet_parts.h"

#include <cmath>

#include <fmt/format.h>

namespace hw::importers::epanet {

namespace {

/// Options that change how EPANET calculates or prints, and not what flows.
constexpr std::array kQuietOptions{"QUALITY",   "DIFFUSIVITY", "TRIALS",    "ACCURACY", "UNBALANCED", "TOLERANCE", "MAP",
                                   "HEADERROR", "FLOWCHANGE",  "CHECKFREQ", "MAXCHECK", "DAMPLIMIT",  "EMITTER",   "VERIFY",
                                   "MINIMUM",   "REQUIRED",    "SEGMENTS",  "HTOL",     "QTOL",       "BACKFLOW"};

} // namespace

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

} // namespace hw::importers::epanet
