// SPDX-License-Identifier: GPL-3.0-or-later
// Deployment and acceptance as a calendar: hours of each step, crews, shifts.
#include "simulation/questions/form.h"
#include "simulation/questions/kinds.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

/// What a step counts.
enum class Unit : std::uint8_t { Host, Switch, Link, Segment };
constexpr Unit kUnitList[] = {Unit::Host, Unit::Switch, Unit::Link, Unit::Segment};
const char* name(Unit unit)
{
    switch (unit) {
    case Unit::Host: return "host";
    case Unit::Switch: return "switch";
    case Unit::Link: return "link";
    case Unit::Segment: return "segment";
    }
    return "";
}

struct WorkStep {
    std::string step;
    Unit per = Unit::Host;
    double handMin = 0, automatedMin = 0;
    bool shared = true; ///< by the people of a crew; else it takes its time
};

struct DeploymentQuestion {
    std::string network = "backend", start = "2026-01-05";
    bool automated = true;
    double people = 4, crews = 1, shifts = 1, shiftH = 8, daysPerWeek = 5;
    std::vector<WorkStep> steps;
};

Json defaultSteps()
{
    struct Row {
        const char *step, *per;
        double hand, automated;
        bool shared;
    };
    Json out = Json::array();
    for (const Row& r : {Row{"address-plan", "switch", 30, 1, true},
                         {"switch-configuration", "switch", 45, 2, true},
                         {"cabling-check", "link", 1.5, 0.02, true},
                         {"host-configuration", "host", 35, 3, true},
                         {"configuration-audit", "host", 12, 0.5, true},
                         {"bandwidth-test", "host", 14, 6, true},
                         {"fault-repair", "host", 10, 6, true},
                         {"collective-test", "segment", 240, 180, false},
                         {"model-run-and-fault-injection", "segment", 480, 360, false}})
        out.push_back({{"step", r.step}, {"per", r.per}, {"by_hand_min", r.hand}, {"automated_min", r.automated}, {"shared", r.shared}});
    return out;
}

Form<DeploymentQuestion> deploymentForm()
{
    using Q = DeploymentQuestion;
    Form<WorkStep> step;
    step.to(&WorkStep::step, text("step", "step", {}, i18n("step of work")))
        .oneOf(&WorkStep::per, kUnitList, choice("per", Unit::Host, kUnitList, i18n("unit that the step is counted by")))
        .to(&WorkStep::handMin, number("by_hand_min", "min", 10.0, 0, 1e6, i18n("time per unit, by hand (assumed)")))
        .to(&WorkStep::automatedMin, number("automated_min", "min", 1.0, 0, 1e6, i18n("time per unit, automated (assumed)")))
        .to(&WorkStep::shared,
            boolean("shared", true, i18n("work is divided among the people of a crew; false: duration is independent of crew size")));
    Form<Q> form;
    form.to(&Q::network, text("network", "backend", {}, i18n("network to deploy")))
        .take(text("work", "automated", {"automated", "by-hand"}, i18n("working method on which the calendar is based")),
              [](Q& q, const Json& value) { q.automated = value == "automated"; })
        .to(&Q::people, number("people", "", 4.0, 1, 1000, i18n("people per crew")))
        .to(&Q::crews, number("crews", "", 1.0, 1, 100, i18n("number of crews; each free crew takes the next segment")))
        .to(&Q::shifts, number("shifts", "", 1.0, 1, 3, i18n("shifts per day")))
        .to(&Q::shiftH, number("shift_h", "h", 8.0, 1, 12, i18n("hours per shift")))
        .to(&Q::daysPerWeek, number("days_per_week", "d", 5.0, 1, 7, i18n("working days per week, from Monday")))
        .to(&Q::start, text("start", "2026-01-05", {}, i18n("first day, YYYY-MM-DD")))
        .each(&Q::steps, step, objects("steps", defaultSteps(), step.fields(), i18n("work steps, in order")));
    return form;
}

/// Of a segment, or of what belongs to none.
struct Part {
    std::map<Unit, double> count;
};

std::map<std::pair<int, int>, Part> partsOf(const Snapshot& s, NetworkId network)
{
    std::map<std::pair<int, int>, Part> out;
    std::vector<std::uint8_t> hosts(s.devices.nextId(), 0);
    const auto keyOf = [&](DeviceId id) { return std::pair(int(s.devices.pod[id]), int(s.devices.segment[id])); };
    s.links.forEach([&](LinkId link) {
        const PortId from = s.links.from[link], to = s.links.to[link];
        const auto of = s.ports.network[from];
        if (!of || *of != network || s.ports.medium[from] != Medium::Data) return;
        const DeviceId a = s.ports.device[from], b = s.ports.device[to];
        out[std::max(keyOf(a), keyOf(b), [](const auto& x, const auto& y) { return x.second < y.second; })].count[Unit::Link] += 1;
        for (const DeviceId id : {a, b}) hosts[id.value] = hosts[id.value] || s.tiers.kind[s.devices.tier[id]] == TierKind::Server;
    });
    s.devices.forEach([&](DeviceId id) {
        if (hosts[id.value]) out[keyOf(id)].count[Unit::Host] += 1;
        const TierId tier = s.devices.tier[id];
        if (s.tiers.kind[tier] == TierKind::Switch && s.tiers.network[tier] && *s.tiers.network[tier] == network)
            out[keyOf(id)].count[Unit::Switch] += 1;
    });
    for (auto& [key, part] : out)
        if (part.count[Unit::Host] > 0) part.count[Unit::Segment] = 1;
    return out;
}

double hoursOf(const DeploymentQuestion& q, const WorkStep& step, const Part& part, bool automated)
{
    const auto count = part.count.find(step.per);
    const double minutes = (count == part.count.end() ? 0 : count->second) * (automated ? step.automatedMin : step.handMin);
    return minutes / 60 / (step.shared ? q.people : 1);
}

std::optional<std::chrono::sys_days> dateOf(const std::string& text)
{
    int y = 0, m = 0, d = 0, used = 0;
    if (std::sscanf(text.c_str(), "%4d-%2d-%2d%n", &y, &m, &d, &used) != 3 || std::size_t(used) != text.size()) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(y), std::chrono::month(unsigned(m)), std::chrono::day(unsigned(d))};
    if (!date.ok() || y < 1970) return std::nullopt;
    return std::chrono::sys_days(date);
}

/// The day on which the working day `number` (from 0) is.
std::string workingDay(std::chrono::sys_days start, double number, double daysPerWeek)
{
    const auto works = [&](std::chrono::sys_days day) { return double(std::chrono::weekday(day).iso_encoding()) <= daysPerWeek; };
    auto day = start;
    while (!works(day)) day += std::chrono::days(1);
    for (long left = long(std::min(number, 20'000.0)); left > 0; --left) do
            day += std::chrono::days(1);
        while (!works(day));
    const std::chrono::year_month_day date(day);
    return fmt::format("{:04}-{:02}-{:02}", int(date.year()), unsigned(date.month()), unsigned(date.day()));
}

/// Segments go to the crew that is free first; what belongs to none comes before them.
double elapsedH(const DeploymentQuestion& q, const std::map<std::pair<int, int>, Part>& parts, bool automated, Json* calendar,
                std::chrono::sys_days start)
{
    std::vector<double> free(std::size_t(q.crews), 0.0);
    const double dayH = q.shifts * q.shiftH;
    double common = 0, last = 0;
    const auto hours = [&](const Part& part) {
        double sum = 0;
        for (const WorkStep& step : q.steps) sum += hoursOf(q, step, part, automated);
        return sum;
    };
    for (const auto& [key, part] : parts)
        if (key.second < 0) common += hours(part) / std::floor(q.crews);
    std::ranges::fill(free, common);
    const auto put = [&](const std::string& what, int crew, double fromH, double toH) {
        if (calendar)
            calendar->push_back({{"segment", what},
                                 {"crew", crew},
                                 {"start_day", fromH / dayH},
                                 {"end_day", toH / dayH},
                                 {"start", workingDay(start, std::floor(fromH / dayH + 1e-9), q.daysPerWeek)},
                                 {"end", workingDay(start, std::max(std::ceil(toH / dayH - 1e-9) - 1, 0.0), q.daysPerWeek)}});
    };
    if (common > 0) put("common", 0, 0, common);
    last = common;
    for (const auto& [key, part] : parts) {
        if (key.second < 0) continue;
        const auto crew = std::ranges::min_element(free);
        const double from = *crew, to = from + hours(part);
        *crew = to, last = std::max(last, to);
        put(key.first < 0 ? std::to_string(key.second + 1) : fmt::format("{}/{}", key.first + 1, key.second + 1), int(crew - free.begin()) + 1, from,
            to);
    }
    return last;
}

Result<ScenarioOutcome> runDeployment(const ScenarioDesign& design, const DeploymentQuestion& q, const Progress&)
{
    const Snapshot& s = *design.snapshot;
    std::optional<NetworkId> network;
    s.networks.forEach([&](NetworkId id) {
        if (s.networks.key[id] == q.network || s.networks.name[id] == q.network) network = id;
    });
    if (!network) return fail(ErrorCode::Refused, "network", i18n("'{}' is not in this design", q.network), i18n("specify a network of the design"));
    const auto start = dateOf(q.start);
    if (!start) return fail(ErrorCode::Refused, "start", i18n("'{}' is not a date", q.start), i18n("use YYYY-MM-DD"));
    const auto parts = partsOf(s, *network);
    const double dayH = q.shifts * q.shiftH;
    Json calendar = Json::array(), steps = Json::array();
    const double hand = elapsedH(q, parts, false, q.automated ? nullptr : &calendar, *start);
    const double automated = elapsedH(q, parts, true, q.automated ? &calendar : nullptr, *start);
    for (const WorkStep& step : q.steps) {
        double count = 0, byHand = 0, byTool = 0;
        for (const auto& [key, part] : parts) {
            if (const auto of = part.count.find(step.per); of != part.count.end()) count += of->second;
            byHand += hoursOf(q, step, part, false), byTool += hoursOf(q, step, part, true);
        }
        steps.push_back({{"step", step.step}, {"per", name(step.per)}, {"count", count}, {"by_hand_h", byHand}, {"automated_h", byTool}});
    }
    ScenarioOutcome out;
    out.results = {{"days_by_hand", hand / dayH},
                   {"days_automated", automated / dayH},
                   {"time_saved_share", hand > 0 ? 1 - automated / hand : 0},
                   {"steps", steps},
                   {"calendar", calendar}};
    out.notes = {i18n("Durations are in working days. Steps of a segment run in sequence; each segment is assigned to the first free crew. by_hand_h "
                      "and automated_h are hours "
                      "of one crew."),
                 i18n("Step times are assumed and calibrated to one published case: 19 days by hand and 4.5 automated for 256 hosts in two segments. "
                      "Replace them with "
                      "your own times.")};
    double hosts = 0, segments = 0;
    for (const auto& [key, part] : parts)
        for (const auto& [unit, count] : part.count)
            (unit == Unit::Host ? hosts : segments) += unit == Unit::Host || unit == Unit::Segment ? count : 0;
    constexpr double kSmall = 32, kCalibrated = 128;
    if (segments > 0 && hosts / segments < kSmall)
        out.notes.push_back(i18n("Times of steps per segment are for segments of {:g} hosts; a segment of this design has {:.3g}. Set these steps to "
                                 "times per host, or reduce their times.",
                                 kCalibrated, hosts / segments));
    return out;
}

} // namespace

std::vector<ScenarioKind> deploymentKinds()
{
    return {formKind("deployment",
                     i18n("Calendar of configuration and acceptance testing by segment: hours per step by hand and automated, crews, shifts"),
                     deploymentForm(), runDeployment)};
}

} // namespace questions
} // namespace hw::sim
