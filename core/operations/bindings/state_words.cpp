// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/state_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <vector>

#include <nlohmann/json.hpp>

namespace hw::bindings {

namespace {

/// Words for what the measure's 1 (or 100 %) means, and for its contrary; in small letters without blanks and signs, with '|' around each.
struct Words {
    Measure measure;
    std::string_view yes, no;
};
constexpr std::array kStates = std::to_array<Words>({
    {Measure::BreakerClosed, "|closed|close|on|connected|notisolated|energized|energised|",
     "|open|opened|off|tripped|isolated|disconnected|deenergized|deenergised|"},
    {Measure::Status,
     "|ok|good|normal|running|run|on|online|available|enabled|works|working|active|healthy|ready|started|operating|nofault|notisolated|noalarm|auto|",
     "|fault|faulty|failed|failure|bad|alarm|stopped|stop|off|offline|notavailable|unavailable|disabled|inactive|isolated|down|idle|notrunning|"},
    {Measure::Leak,
     "|leak|leaking|leakdetected|leakage|wet|water|waterdetected|moisture|alarm|warning|critical|detected|tripped|triggered|yes|true|on|active|set|",
     "|dry|noleak|noleakdetected|noleakage|nowater|nowaterdetected|nomoisture|normal|ok|good|healthy|noalarm|notdetected|no|none|false|off|inactive|"
     "clear|cleared|"},
    {Measure::LinkUp, "|up|connected|", "|down|disconnected|"},
    {Measure::ValvePosition, "|open|opened|", "|closed|close|shut|"},
    {Measure::DamperPosition, "|open|opened|", "|closed|close|shut|"},
    {Measure::PumpSpeed, "|on|running|run|started|", "|off|stopped|stop|"},
    {Measure::FanSpeed, "|on|running|run|started|", "|off|stopped|stop|"},
});

std::string plain(std::string_view text)
{
    std::string out;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) || (static_cast<unsigned char>(c) & 0x80))
            out += char(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

bool among(std::string_view words, const std::string& word) { return !word.empty() && words.find('|' + word + '|') != words.npos; }

/// The text of a value in [{"value": 0, "text": "Open"}, …] or "0=Open,1=Closed".
struct States {
    std::string zero, one;
    std::vector<std::pair<std::string, std::string>> all; ///< value and text
    int count = 0;
    void put(std::string value, const std::string& text)
    {
        value.erase(std::remove(value.begin(), value.end(), ' '), value.end());
        ++count;
        all.emplace_back(value, text);
        if (value == "0" || value == "0.0") zero = text;
        if (value == "1" || value == "1.0") one = text;
    }
};

States statesOf(std::string_view text)
{
    States all;
    if (text.starts_with('[') || text.starts_with('{')) {
        const auto json = nlohmann::json::parse(text, nullptr, false);
        const auto each = [&](const nlohmann::json& entry) {
            if (!entry.is_object()) return;
            if (entry.contains("value") && entry.contains("text") && entry["text"].is_string())
                all.put(entry["value"].is_string() ? entry["value"].get<std::string>() : entry["value"].dump(), entry["text"]);
            else
                for (const auto& [key, word] : entry.items())
                    if (word.is_string()) all.put(key, word);
        };
        if (json.is_array())
            for (const auto& entry : json) each(entry);
        else
            each(json);
        return all;
    }
    while (!text.empty()) {
        const auto end = std::min(text.find(','), text.size());
        const std::string_view one = text.substr(0, end);
        if (const auto equals = one.find_first_of("=:"); equals != one.npos)
            all.put(std::string(one.substr(0, equals)), std::string(one.substr(equals + 1)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return all;
}

} // namespace

std::optional<UnitReading> readStateUnit(std::string_view word, Measure measure)
{
    const auto words = std::ranges::find(kStates, measure, &Words::measure);
    if (measure == Measure::LinkUp && word == "ifOperStatus") return UnitReading{UnitReading::Kind::Converted, {-1, 2, false}}; // 1 up, 2 down
    // IB_PORT_DOWN 1 to IB_PORT_ACTIVE 4 (InfiniBand Architecture, PortState)
    if (measure == Measure::LinkUp && word == "PortState") return UnitReading{UnitReading::Kind::Converted, {1.0 / 3, -1.0 / 3, false}};
    if (words == kStates.end()) return std::nullopt;
    const double whole = infoOf(measure).unit == "%" ? 100 : 1;
    const std::string said = plain(word);
    if (among(words->yes, said)) return UnitReading{UnitReading::Kind::Converted, {whole, 0, false}};
    if (among(words->no, said)) return UnitReading{UnitReading::Kind::Converted, {-whole, whole, false}};
    return std::nullopt;
}

std::optional<UnitReading> readStateText(std::string_view stateText, Measure measure)
{
    const auto words = std::ranges::find(kStates, measure, &Words::measure);
    const States states = statesOf(stateText);
    if (words == kStates.end() || states.count == 0) return std::nullopt;
    UnitReading read{UnitReading::Kind::Converted, {}};
    bool known = false, whole = true;
    for (const auto& [value, text] : states.all) {
        std::uint32_t number = 0;
        const auto end = std::from_chars(value.data(), value.data() + value.size(), number);
        whole = whole && end.ec == std::errc() && number < 32;
        const std::string said = plain(text);
        const bool yes = among(words->yes, said), no = among(words->no, said);
        const bool fault = said.find("fault") != said.npos || said.find("fail") != said.npos || said.find("unknown") != said.npos ||
                           said.find("disabled") != said.npos || said.find("unavailable") != said.npos || said.find("offline") != said.npos;
        known = known || yes || no;
        if (whole && number < 32 && (yes || (measure == Measure::Leak && !no && !fault))) read.conversion.ones |= 1U << number;
    }
    if (measure == Measure::Leak && (!known || !whole || read.conversion.ones == 0)) return UnitReading{UnitReading::Kind::Converted, {}}; // 1 leaks
    if (!known || !whole || read.conversion.ones == 0 || infoOf(measure).unit == "%") return std::nullopt;
    return read;
}

bool reportsLeak(const ChannelText& channel)
{
    const auto small = [](std::string_view text) {
        std::string out(text);
        for (char& c : out) c = char(std::tolower(static_cast<unsigned char>(c)));
        return out;
    };
    const auto holds = [](std::string_view text, const auto& words) {
        return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != text.npos; });
    };
    const std::string head = small(std::string_view(channel.name).substr(0, channel.name.find('{')));
    if (const auto hash = head.find('#'); hash != head.npos) { // Redfish
        const std::string property = head.substr(hash + 1);
        return property.ends_with("detectorstate") || property.find("leakdetect") != property.npos ||
               (head.find("leakdetect") != head.npos && property == "status/health");
    }
    std::string_view point = head;
    if (head.starts_with("bms/")) { // BMS/v1/PUB/Value/CDU/LeakDetect/…: what stands behind is only a name
        for (int level = 0; level < 5; ++level) point.remove_prefix(std::min(point.find('/'), point.size() - 1) + 1);
        point = point.substr(0, point.find('/'));
    }
    constexpr auto kBeside = std::to_array<std::string_view>({"leakage", "fault", "request", "isolation", "available", "status", "health",
                                                              "threshold", "config", "count", "total", "setpoint", "metadata"});
    if (point.find("leak") != point.npos) return !holds(point, kBeside);
    for (const auto& [label, value] : channel.labels)
        if (label == "pointType" && small(value).find("leak") != std::string::npos) return !holds(small(value), kBeside);
    return false;
}

std::string stateUnit(std::string_view stateText)
{
    const States states = statesOf(stateText);
    return states.count == 2 ? states.one : std::string();
}

} // namespace hw::bindings
