// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/fault_action.h"

#include "core/foundation/base/spelling.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::emulation {

namespace {

using json = nlohmann::json;

constexpr const char* kSchema = "hallwright.faults/1";

/// A key that takes a number, the verbs that take it, and what it may be.
struct NumberKey {
    const char* key;
    std::optional<double> FaultAction::*place;
    double least, most;
    std::vector<Verb> of;
};
const std::vector<NumberKey>& numberKeys()
{
    using enum Verb;
    static const std::vector<NumberKey> keys{
        {"lanes", &FaultAction::lanes, 1, 64, {Degrade}},
        {"gbps", &FaultAction::gbps, 0.1, 10'000, {Degrade, Misconfigure}},
        {"percent", &FaultAction::percent, 0, 100, {DropPackets, SilentLoss, Throttle, SensorMissing, SensorNan, ClockShift, Clog}},
        {"percent", &FaultAction::percent, 0, 300, {Overload}},
        {"by", &FaultAction::by, -1e12, 1e12, {SensorOffset, SensorJump, SensorScale, SensorDrift, ClockShift}},
        {"part", &FaultAction::part, 0, 255, {SensorStuck, SensorMissing, SensorOffset, SensorJump, SensorScale, SensorDrift, SensorNan}},
        {"gpu", &FaultAction::gpu, 0, 255, {Xid}},
        {"code", &FaultAction::code, 1, 1000, {Xid}},
        {"phase", &FaultAction::phase, 1, 3, {Replug}},
        {"every_s", &FaultAction::everyS, 1, 86'400, {Flap}}};
    return keys;
}

bool takesEntity(Verb verb) { return verb != Verb::Gap; }
/// Of one entity, or of a share of all sensors.
bool ofOneOrMany(Verb verb) { return verb == Verb::SensorMissing || verb == Verb::SensorNan || verb == Verb::ClockShift; }
bool needsEntity(Verb verb) { return takesEntity(verb) && verb != Verb::Restore && !ofOneOrMany(verb); }
bool takesReading(Verb verb)
{
    using enum Verb;
    return verb == SensorStuck || verb == SensorMissing || verb == SensorOffset || verb == SensorJump || verb == SensorScale || verb == SensorDrift ||
           verb == RenameChannel || verb == SensorNan || verb == SensorSwap;
}
bool takes(const NumberKey& key, Verb verb) { return std::ranges::find(key.of, verb) != key.of.end(); }

template <class E>
std::string wordsOf()
{
    return fmt::format("{}", fmt::join(kWords<E>, ", "));
}

tl::unexpected<Error> wrong(std::string where, Text what, Text todo)
{
    return fail(ErrorCode::Refused, std::move(where), std::move(what), std::move(todo));
}

/// The keys that a verb takes, for people.
std::string keysOf(Verb verb)
{
    std::vector<std::string> keys{"at_s", "do"};
    if (takesEntity(verb)) keys.emplace_back("entity");
    if (takesReading(verb)) keys.emplace_back("reading");
    for (const auto& key : numberKeys())
        if (takes(key, verb)) keys.emplace_back(key.key);
    if (verb == Verb::RenameChannel) keys.emplace_back("to");
    if (verb == Verb::SensorSwap) keys.emplace_back("with");
    if (verb != Verb::Restore) keys.emplace_back("for_s");
    return fmt::format("{}", fmt::join(keys, ", "));
}

/// Reads one deed; `place` says where it stands.
class Reader {
public:
    Reader(const json& from, std::string place) : m_from(from), m_place(std::move(place)) {}

    Result<FaultAction> read()
    {
        if (!m_from.is_object()) return wrong(m_place, i18n("is not a valid fault action"), i18n("use an object with the keys at_s, do and entity"));
        const auto verb = word<Verb>("do");
        if (!verb) return tl::unexpected(verb.error());
        if (!*verb) return wrong(m_place + ".do", i18n("missing"), i18n("use one of {}", wordsOf<Verb>()));
        m_deed.verb = **verb;
        m_deed.place = m_place;
        for (const auto& step : {&Reader::keys, &Reader::texts, &Reader::numbers, &Reader::whole})
            if (const auto fine = (this->*step)(); !fine) return tl::unexpected(fine.error());
        return std::move(m_deed);
    }

private:
    template <class E>
    Result<std::optional<E>> word(const char* key)
    {
        if (!m_from.contains(key)) return std::optional<E>();
        const auto text = m_from[key].is_string() ? m_from[key].get<std::string>() : m_from[key].dump();
        if (const auto known = inEitherSpelling(text, fromWord<E>); known && m_from[key].is_string()) return known;
        return wrong(m_place + "." + key, i18n("unknown value {}", text), i18n("use one of {}", wordsOf<E>()));
    }
    Result<void> keys()
    {
        for (const auto& [key, value] : m_from.items()) {
            bool known = key == "at_s" || key == "do" || (key == "entity" && takesEntity(m_deed.verb)) ||
                         (key == "reading" && takesReading(m_deed.verb)) || (key == "to" && m_deed.verb == Verb::RenameChannel) ||
                         (key == "with" && m_deed.verb == Verb::SensorSwap) || (key == "for_s" && m_deed.verb != Verb::Restore);
            for (const auto& number : numberKeys()) known = known || (key == number.key && takes(number, m_deed.verb));
            if (!known)
                return wrong(m_place + "." + key, i18n("is not a key of {}", std::string(wordOf(m_deed.verb))), i18n("use {}", keysOf(m_deed.verb)));
        }
        return {};
    }
    Result<void> texts()
    {
        for (const auto& [key, place] : {std::pair("entity", &m_deed.entity), std::pair("to", &m_deed.to), std::pair("with", &m_deed.with)}) {
            if (!m_from.contains(key)) continue;
            if (!m_from[key].is_string() || m_from[key].get<std::string>().empty())
                return wrong(m_place + "." + key, i18n("is not a valid name"), i18n("use a string"));
            *place = m_from[key].get<std::string>();
        }
        const auto reading = word<Reading>("reading");
        if (!reading) return tl::unexpected(reading.error());
        m_deed.reading = *reading;
        return {};
    }
    Result<double> number(const char* key, double least, double most)
    {
        const json& value = m_from[key];
        if (value.is_number() && value.get<double>() >= least && value.get<double>() <= most) return value.get<double>();
        return wrong(m_place + "." + key, i18n("{} is not a number in the allowed range", value.dump()),
                     i18n("use a number from {} to {}", least, most));
    }
    Result<void> numbers()
    {
        for (const auto& key : numberKeys()) {
            if (!m_from.contains(key.key) || !takes(key, m_deed.verb)) continue;
            const auto value = number(key.key, key.least, key.most);
            if (!value) return tl::unexpected(value.error());
            m_deed.*key.place = *value;
        }
        for (const auto& [key, place] : {std::pair("at_s", &m_deed.atS), std::pair("for_s", &m_deed.forS)}) {
            if (!m_from.contains(key)) continue;
            const auto value = number(key, 0, 1e9);
            if (!value) return tl::unexpected(value.error());
            *place = *value;
        }
        return {};
    }
    Result<void> whole()
    {
        using enum Verb;
        const auto need = [&](bool there, const char* key) -> Result<void> {
            if (there) return {};
            return wrong(m_place, i18n("{} requires {}", std::string(wordOf(m_deed.verb)), key), i18n("use {}", keysOf(m_deed.verb)));
        };
        const Verb v = m_deed.verb;
        if (needsEntity(v))
            if (auto fine = need(!m_deed.entity.empty(), "entity"); !fine) return fine;
        if (ofOneOrMany(v) && m_deed.entity.empty())
            if (auto fine = need(m_deed.percent.has_value(), "entity"); !fine) return fine;
        if (v == Degrade && m_deed.lanes && m_deed.gbps)
            return wrong(m_place, i18n("specifies both a number of lanes and a rate in Gb/s"), i18n("use one of them"));
        if (v == Degrade)
            if (auto fine = need(m_deed.lanes || m_deed.gbps, "lanes or gbps"); !fine) return fine; // no text: keys
        if (v == Misconfigure)
            if (auto fine = need(m_deed.gbps.has_value(), "gbps"); !fine) return fine;
        if (v == DropPackets || v == SilentLoss || v == Throttle || v == Clog || v == Overload)
            if (auto fine = need(m_deed.percent.has_value(), "percent"); !fine) return fine;
        if (v == Replug)
            if (auto fine = need(m_deed.phase.has_value(), "phase"); !fine) return fine;
        if (v == Flap)
            if (auto fine = need(m_deed.everyS.has_value(), "every_s"); !fine) return fine;
        if (v == SensorSwap)
            if (auto fine = need(!m_deed.with.empty(), "with"); !fine) return fine;
        if (v == SensorOffset || v == SensorJump || v == SensorScale || v == SensorDrift || v == ClockShift)
            if (auto fine = need(m_deed.by.has_value(), "by"); !fine) return fine;
        if (v == Xid)
            if (auto fine = need(m_deed.code.has_value(), "code"); !fine) return fine;
        if (v == Gap || v == Flap)
            if (auto fine = need(m_deed.forS > 0, "for_s"); !fine) return fine;
        if (ofOneOrMany(v) && !m_deed.entity.empty() && m_deed.percent)
            return wrong(m_place, i18n("specifies both an entity and a percentage of all sensors"), i18n("use one of them"));
        return {};
    }

    const json& m_from;
    std::string m_place;
    FaultAction m_deed;
};

} // namespace

Result<std::vector<FaultAction>> readScript(const std::string& text, const std::string& where)
{
    json script;
    try {
        script = json::parse(text);
    } catch (const json::parse_error& e) {
        const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(std::min(e.byte, text.size())), '\n');
        return fail(ErrorCode::Unreadable, fmt::format("{}:{}", where, line), i18n("invalid JSON: {}", e.what()), i18n("correct the file"));
    } catch (const json::exception& e) { // a number that nothing can hold
        return fail(ErrorCode::Unreadable, where, i18n("invalid JSON: {}", e.what()), i18n("correct the file"));
    }
    // "deeds" is the name that version 0.3 had for the list; read for one version more
    const char* actions = !script.is_object() ? nullptr : script.contains("actions") ? "actions" : script.contains("deeds") ? "deeds" : nullptr;
    if (!script.is_object() || script.value("schema", json()) != kSchema || !actions || !script[actions].is_array())
        return fail(ErrorCode::Unreadable, where, i18n("is not a fault script"),
                    i18n("use {}", R"({"schema": "hallwright.faults/1", "actions": [{"at_s": 10, "do": "fail", "entity": "NAME"}]})"));
    for (const auto& [key, value] : script.items())
        if (key != "schema" && key != actions && key != "note")
            return wrong(where + ": " + key, i18n("is not a fault script key"), i18n("use schema, actions, note"));
    std::vector<FaultAction> deeds;
    for (std::size_t i = 0; i < script[actions].size(); ++i) {
        auto deed = Reader(script[actions][i], fmt::format("{}: {}[{}]", where, actions, i)).read();
        if (!deed) return tl::unexpected(deed.error());
        deeds.push_back(std::move(*deed));
    }
    std::ranges::stable_sort(deeds, {}, &FaultAction::atS);
    return deeds;
}

Result<FaultAction> readLine(const std::string& line)
{
    std::istringstream in(line);
    json deed = json::object();
    std::string part, name;
    in >> part;
    deed["do"] = part;
    while (in >> part) {
        const auto equals = part.find('=');
        if (equals == std::string::npos) {
            name += (name.empty() ? "" : " ") + part; // names may have blanks
            continue;
        }
        const std::string value = part.substr(equals + 1);
        const json read = json::parse(value, nullptr, false);
        deed[part.substr(0, equals)] = read.is_number() ? read : json(value);
    }
    if (!name.empty()) deed["entity"] = name;
    return Reader(deed, line).read();
}

} // namespace hw::emulation
