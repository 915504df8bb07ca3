// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/units.h"

#include "core/foundation/base/trim.h"
#include "core/operations/bindings/state_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <unordered_map>

namespace hw::bindings {

namespace {

/// What a unit is of. Values are kept in the unit that stands behind.
enum class Kind : std::uint8_t {
    Power,       // W
    Apparent,    // VA
    Energy,      // Wh
    Current,     // A
    Voltage,     // V
    Frequency,   // Hz
    Share,       // 1
    Temperature, // °C
    Flow,        // L/min
    Pressure,    // kPa
    Data,        // bit
    DataRate,    // bit/s
    Count,       // pieces
    Rate,        // pieces/s
    Rotation,    // 1/min
    Level        // dBm
};

struct Known {
    Kind kind = Kind::Share;
    double factor = 1, offset = 0;
};

using Units = std::unordered_map<std::string, Known>;

struct Prefix {
    const char *symbol, *word; ///< word null: as the one before
    double factor;
};
constexpr auto kUnitPrefixes = std::to_array<Prefix>({{"", "", 1},
                                                      {"k", "kilo", 1e3},
                                                      {"M", "mega", 1e6},
                                                      {"G", "giga", 1e9},
                                                      {"T", "tera", 1e12},
                                                      {"h", "hecto", 1e2},
                                                      {"m", "milli", 1e-3},
                                                      {"µ", "micro", 1e-6},
                                                      {"u", nullptr, 1e-6}});

struct Base {
    const char* symbol; ///< letter by letter
    const char* words;  ///< in small letters without spaces and signs, parted by '|'
    Kind kind;
    double factor; ///< of the bare one
};
constexpr auto kBases =
    std::to_array<Base>({{"W", "w|watt|watts", Kind::Power, 1},
                         {"VA", "va|voltampere|voltamperes|voltamp|voltamps", Kind::Apparent, 1},
                         {"V.A", "", Kind::Apparent, 1},
                         {"Wh", "wh|watthour|watthours|whr", Kind::Energy, 1},
                         {"W.h", "", Kind::Energy, 1},
                         {"J", "j|joule|joules", Kind::Energy, 1.0 / 3600},
                         {"A", "a|ampere|amperes|amp|amps", Kind::Current, 1},
                         {"V", "v|volt|volts", Kind::Voltage, 1},
                         {"Hz", "hz|hertz", Kind::Frequency, 1},
                         {"Pa", "pa|pascal|pascals", Kind::Pressure, 1e-3},
                         {"bar", "bar|bars", Kind::Pressure, 100},
                         {"bit/s", "bitpersecond|bitspersecond|bitpersec|bitspersec|bps|bits/s|bit/s", Kind::DataRate, 1},
                         {"bps", "", Kind::DataRate, 1},
                         {"b/s", "", Kind::DataRate, 1},
                         {"bit", "bit|bits", Kind::Data, 1},
                         {"B", "byte|bytes|octet|octets", Kind::Data, 8},
                         {"By", "", Kind::Data, 8},
                         {"B/s", "bytepersecond|bytespersecond|octetspersecond|bytepersec|bytespersec|bytes/s|octets/s|byte/s", Kind::DataRate, 8},
                         {"By/s", "", Kind::DataRate, 8}});

struct Word {
    const char* words;
    Kind kind;
    double factor = 1, offset = 0;
};
/// What takes no prefix; words in small letters without spaces and signs.
constexpr double kFahrenheit = 5.0 / 9, kGallon = 3.785411784, kPsi = 6.894757293168, kFoot3 = 28.316846592;
constexpr std::array kWordUnits = std::to_array<Word>({
    {"%|percent|pct|percentage|percentrelativehumidity|%rh|rh|percentrh|percentopen", Kind::Share, 0.01},
    {"1|ratio|unity|one|fraction|num|nounits|dimensionless|powerfactor|unitless", Kind::Share, 1},
    {"permille|‰", Kind::Share, 0.001},
    {"c|°c|degc|celsius|degreecelsius|degreescelsius|cel|℃", Kind::Temperature, 1},
    {"f|°f|degf|fahrenheit|degreefahrenheit|degreesfahrenheit|℉", Kind::Temperature, kFahrenheit, -32 * kFahrenheit},
    {"k|kelvin|kelvins|degk|degreeskelvin", Kind::Temperature, 1, -273.15},
    {"lpm|l/min|lmin|litreperminute|litresperminute|literperminute|litersperminute|lpermin|litpermin|literspermin", Kind::Flow, 1},
    {"lps|l/s|litrespersecond|literspersecond|literpersecond|litrepersecond|lpersec|lpers", Kind::Flow, 60},
    {"l/h|lph|litresperhour|litersperhour|lperhr|lperhour", Kind::Flow, 1.0 / 60},
    {"m3/h|m³/h|cmh|m3h|cubicmetresperhour|cubicmetersperhour|m3perhr|m3perhour|m^3/h|cubicmeterperhour", Kind::Flow, 1000.0 / 60},
    {"m3/s|m³/s|cms|cubicmetrespersecond|cubicmeterspersecond|m3persec|m3pers|m^3/s|cubicmeterpersecond", Kind::Flow, 60'000},
    {"m3/min|m³/min|cubicmetresperminute|cubicmetersperminute|m3permin", Kind::Flow, 1000},
    {"gpm|gal/min|galusmin|galuspermin|galusperminute|galpermin|usgpm|usgallonsperminute|gallonsperminute|usgal/min|galus/min", Kind::Flow, kGallon},
    {"cfm|ft3/min|ft³/min|cubicfeetperminute|ft3permin|cft_i/min|cfti/min", Kind::Flow, kFoot3},
    {"psi|psig|poundsforcepersquareinch|poundspersquareinch|lbfperin2|lbf/in2|psid", Kind::Pressure, kPsi},
    {"kpag", Kind::Pressure, 1},
    {"barg|bard", Kind::Pressure, 100},
    {"inh2o|inwc|inchesofwater|inh2og", Kind::Pressure, 0.24908891},
    {"mh2o|mwc|metresofwater|metersofwater", Kind::Pressure, 9.80665},
    {"atm|atmosphere", Kind::Pressure, 101.325},
    {"mmhg|torr|millimetersofmercury", Kind::Pressure, 0.1333223684},
    {"btu/h|btuh|btusperhour|btuperhr|btuithr|btuitperhr", Kind::Power, 0.29307107},
    {"hp|horsepower", Kind::Power, 745.69987},
    {"tonsofrefrigeration|rt|tonofrefrigeration|tonfg|tonref", Kind::Power, 3516.8528},
    {"kib|kibibyte|kibibytes", Kind::Data, 8.0 * 1024},
    {"mib|mebibyte|mebibytes", Kind::Data, 8.0 * 1024 * 1024},
    {"gib|gibibyte|gibibytes", Kind::Data, 8.0 * 1024 * 1024 * 1024},
    {"count|counts|packets|packet|frames|frame|errors|error|drops|pieces|events", Kind::Count, 1},
    {"1/s|/s|persecond|packets/s|packetspersecond|pps|frames/s|framespersecond|errors/s|errorspersecond|drops/s|events/s|countpersecond|{packets}/s",
     Kind::Rate, 1},
    {"rpm|rev/min|{rev}/min|revolutionsperminute|revpermin|/min|1/min", Kind::Rotation, 1},
    {"dbm|dbmw|decibelmilliwatts|decibelsmilliwatts", Kind::Level, 1},
});

/// Small letters (of ASCII); without blanks, hyphens, underscores, dots and brackets.
std::string squashed(std::string_view text)
{
    std::string out;
    for (const char c : text)
        if (std::string_view(" \t-_.[]()").find(c) == std::string_view::npos) out += char(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

void eachWord(std::string_view words, const auto& f)
{
    while (!words.empty()) {
        const auto end = std::min(words.find('|'), words.size());
        f(std::string(words.substr(0, end)));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
}

/// By symbol, letter by letter: "mW" is not "MW".
const Units& symbols()
{
    static const Units all = [] {
        Units made;
        for (const Base& base : kBases)
            for (const Prefix& prefix : kUnitPrefixes) made[std::string(prefix.symbol) + base.symbol] = {base.kind, base.factor * prefix.factor, 0};
        made["kW.hr"] = {Kind::Energy, 1e3, 0}, made["kW-h"] = {Kind::Energy, 1e3, 0};
        made["K"] = {Kind::Temperature, 1, -273.15}, made["C"] = {Kind::Temperature, 1, 0};
        made["F"] = {Kind::Temperature, kFahrenheit, -32 * kFahrenheit};
        return made;
    }();
    return all;
}

/// By words: "kilowatts", and QUDT's "KiloW-HR", "KiloPA".
const Units& spelled()
{
    static const Units all = [] {
        Units made;
        for (const Word& unit : kWordUnits)
            eachWord(unit.words, [&](const std::string& word) { made[squashed(word)] = {unit.kind, unit.factor, unit.offset}; });
        for (const Base& base : kBases)
            for (const Prefix& prefix : kUnitPrefixes)
                eachWord(base.words, [&](const std::string& word) {
                    if (prefix.word && (prefix.factor != 1 || word.size() > 1))
                        made.try_emplace(prefix.word + word, Known{base.kind, base.factor * prefix.factor, 0});
                });
        // Symbols in any letters, where they leave no doubt: no other prefix is written with the same letter.
        for (const char* symbol : {"kW", "kVA", "kWh", "MWh", "kV", "kA", "kPa", "hPa", "mbar", "MHz", "GHz", "kHz", "kbps", "Mbps", "Gbps", "Tbps"})
            made.try_emplace(squashed(symbol), symbols().at(symbol));
        for (const char* letter : {"A", "V", "W"}) made.try_emplace(squashed(letter), symbols().at(letter));
        return made;
    }();
    return all;
}

/// "unit:KiloW", "http://qudt.org/vocab/unit/KiloW" → "KiloW"
std::string_view withoutVocabulary(std::string_view unit)
{
    if (unit.starts_with("unit:")) unit.remove_prefix(5);
    if (unit.starts_with("http"))
        if (const auto slash = unit.rfind('/'); slash != unit.npos) unit.remove_prefix(slash + 1);
    return unit;
}

/// UCUM's annotations, "{rev}/min" and "{packets}/s", say what is counted: without them.
std::string withoutNotes(std::string_view unit)
{
    std::string out;
    int depth = 0;
    for (const char c : unit) {
        if (c == '{') ++depth;
        if (depth == 0) out += c;
        if (c == '}') --depth;
    }
    return out;
}

/// "0.01 kW": hundredths of a kilowatt. Takes the number away; 1 where there is none.
double takeNumber(std::string_view& unit)
{
    double number = 0;
    const auto read = std::from_chars(unit.data(), unit.data() + unit.size(), number);
    const auto length = std::size_t(read.ptr - unit.data());
    if (read.ec != std::errc() || !(number > 0) || length >= unit.size() || unit[length] != ' ') return 1;
    unit = trimmed(unit.substr(length));
    return number;
}

std::optional<Known> known(std::string_view unit)
{
    if (const auto found = symbols().find(std::string(unit)); found != symbols().end()) return found->second;
    if (const auto found = spelled().find(squashed(unit)); found != spelled().end()) return found->second;
    return std::nullopt;
}

/// What values of a measure are kept in.
Known keptIn(Measure measure)
{
    const std::string_view unit = infoOf(measure).unit;
    if (unit == "MHz") return {Kind::Frequency, 1e6, 0};
    if (unit == "m³/s") return {Kind::Flow, 60'000, 0};
    if (unit == "%") return {Kind::Share, 0.01, 0};
    if (unit == "1/s") return {Kind::Rate, 1, 0};
    if (unit == "B") return {Kind::Data, 8, 0};
    return unit.empty() ? Known{} : known(unit).value_or(Known{});
}

/// What a quantity that is counted up rises by in a second.
std::optional<Known> perSecond(const Known& unit)
{
    switch (unit.kind) {
    case Kind::Data: return Known{Kind::DataRate, unit.factor, 0};
    case Kind::Count: return Known{Kind::Rate, unit.factor, 0};
    case Kind::Share: return Known{Kind::Rate, unit.factor, 0}; // "1 total"
    case Kind::Energy: return Known{Kind::Power, unit.factor * 3600, 0};
    default: return std::nullopt;
    }
}

} // namespace

UnitReading readUnit(std::string_view said, Measure measure)
{
    std::string_view unit = withoutVocabulary(trimmed(said));
    bool counter = false;
    for (const std::string_view end : {" total", "_total", " counter"})
        if (unit.size() > end.size() && unit.ends_with(end)) counter = true, unit = trimmed(unit.substr(0, unit.size() - end.size()));
    if (unit == "total") counter = true, unit = "count";
    if (const auto state = readStateUnit(unit, measure)) return *state;
    const double times = takeNumber(unit);
    std::optional<Known> from = known(unit);
    if (!from) from = known(withoutNotes(unit));
    if (!from) return {};
    from->factor *= times;
    const Known to = keptIn(measure);
    const bool amount = from->kind == Kind::Data || from->kind == Kind::Count || from->kind == Kind::Share;
    const bool flows = to.kind == Kind::DataRate ? measure != Measure::LinkRate : to.kind == Kind::Rate;
    counter = counter || (amount && flows); // an amount of what is measured in a second was counted up
    if (counter) from = perSecond(*from);
    if (!from) return {UnitReading::Kind::Other, {}};
    const bool pieces = to.kind == Kind::Share && to.factor == 1 && from->kind == Kind::Count; // lanes
    const bool events = to.kind == Kind::Rate && from->kind == Kind::Frequency;
    if ((from->kind != to.kind && !pieces && !events) || (infoOf(measure).state && from->factor != 1)) return {UnitReading::Kind::Other, {}};
    return {UnitReading::Kind::Converted, {from->factor / to.factor, (from->offset - to.offset) / to.factor, counter}};
}

} // namespace hw::bindings
