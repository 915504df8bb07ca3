// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/state_words.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <nlohmann/json.hpp>

namespace hw::live {

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
    {Measure::Leak, "|leak|leakdetected|wet|alarm|detected|yes|true|", "|dry|noleak|normal|ok|notdetected|no|false|"},
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
    int count = 0;
    void put(std::string value, const std::string& text)
    {
        value.erase(std::remove(value.begin(), value.end(), ' '), value.end());
        ++count;
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

std::string stateUnit(std::string_view stateText)
{
    const States states = statesOf(stateText);
    return states.count == 2 ? states.one : std::string();
}

} // namespace hw::live
