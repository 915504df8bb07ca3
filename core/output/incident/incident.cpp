// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/incident/incident.h"

#include "core/derived/impact/story_coolant.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/monitoring/incident/alarm_texts.h"
#include "core/operations/monitoring/incident/capacity.h"
#include "core/operations/monitoring/incident/event_output.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

namespace hw::monitoring {

using document::Paragraph, document::Section, document::Tone;

namespace {

constexpr std::int64_t kBeforeMs = 120'000;
constexpr std::size_t kMostEvents = 400, kMostCurves = 3, kMostCharts = 4;

/// "2026-01-05 08:02:01 UTC".
std::string momentText(std::int64_t ms)
{
    std::string text = timeText(ms);
    return text.replace(10, 1, " ").substr(0, 19) + " UTC"; // no text: a time
}

bool isCause(const Event& e) { return e.kind == Event::Kind::Alarm && e.alarm.kind == AlarmKind::Cause; }

/// Every cause with its last words.
std::vector<Alarm> causesIn(const Incident& incident)
{
    std::map<std::string, Alarm> last;
    std::vector<std::string> order;
    for (const Event& e : incident.events) {
        if (e.kind == Event::Kind::Trouble && e.trouble.judgedAnew) // what still holds is named again
            for (auto& [id, alarm] : last)
                if (alarm.clearedMs == 0) alarm.clearedMs = e.atMs;
        if (e.alarm.kind != AlarmKind::Cause || e.alarm.id.empty()) continue;
        if (isCause(e)) order.push_back(e.alarm.id);
        if (e.kind == Event::Kind::AlarmEnds && last.contains(e.alarm.id))
            last[e.alarm.id].clearedMs = e.alarm.clearedMs; // what it said while it stood
        else
            last[e.alarm.id] = e.alarm;
    }
    std::vector<Alarm> out;
    for (const std::string& id : order) out.push_back(last[id]); // each was put there
    return out;
}

/// Writes the sections; borrowed for the call.
class Writer {
public:
    explicit Writer(const Incident& incident) : i(incident), f(*incident.frame->design), m_causes(causesIn(incident)) {}

    std::vector<Section> sections()
    {
        std::vector<Section> out{summary()};
        int n = 0;
        for (const Alarm& alarm : m_causes) out.push_back(ofCause(alarm, ++n));
        if (auto charts = curves(); !charts.blocks.empty()) out.push_back(std::move(charts));
        out.push_back(deviations());
        out.push_back(course());
        return out;
    }
    [[nodiscard]] document::Tiles tiles() const
    {
        std::uint32_t lost = 0, reserve = 0;
        double ride = -1;
        for (const Alarm& a : m_causes) {
            lost = std::max(lost, a.gpusLost), reserve = std::max(reserve, a.redundancyLost);
            if (a.rideThroughS >= 0) ride = ride < 0 ? a.rideThroughS : std::min(ride, a.rideThroughS);
        }
        document::Tiles t;
        t.tiles = {{i18n("{}", m_causes.size()), i18n("probable causes"), {}, m_causes.empty() ? Tone::Plain : Tone::Bad},
                   {i18n("{:L}", lost), i18n("GPUs at risk"), i18n("from the design's failure analysis"), lost ? Tone::Bad : Tone::Good},
                   {i18n("{:L}", reserve), i18n("components without redundancy"), {}, reserve ? Tone::Warning : Tone::Plain}};
        if (ride >= 0)
            t.tiles.push_back(
                {impact::timeText(std::llround(ride * 1000)), i18n("ride-through"), i18n("from the failure, without intervention"), Tone::Warning});
        return t;
    }

private:
    [[nodiscard]] std::string name(EntityRef e) const { return entityName(*f.snapshot, *f.parts, e); }

    /// With the part of it that is no entity, as "cdu1, Secondary".
    [[nodiscard]] Text placeText(const Compared& c) const
    {
        return c.element.empty() ? verbatim(name(c.entity)) : listedNames(std::vector{name(c.entity), c.element});
    }

    Section summary() const
    {
        Section s{i18n("Summary"), 1, "incident.summary", {}};
        document::Points said;
        for (const Alarm& a : m_causes) said.points.push_back({i18n("{} {}", momentText(a.sinceMs), a.what), Tone::Bad});
        if (said.points.empty())
            s.blocks.push_back(Paragraph{i18n("No root cause identified."), Paragraph::Style::Lead});
        else
            s.blocks.push_back(std::move(said));
        document::Facts facts;
        facts.lines = {{i18n("From"), verbatim(momentText(i.fromMs))}, {i18n("To"), verbatim(momentText(i.toMs))}};
        s.blocks.push_back(facts);
        s.blocks.push_back(Paragraph{i18n("Causes are inferred from telemetry through the power, coolant and data networks. The impact of a "
                                          "loss comes from the design's failure analysis."),
                                     Paragraph::Style::Body, Tone::Dim});
        return s;
    }

    Section ofCause(const Alarm& a, int n) const
    {
        const std::string what = a.element.empty() ? name(a.cause) : name(a.cause) + ':' + a.element;
        Section s{i18n("Cause {}: {}", n, what), 1, "incident.cause" + std::to_string(n), {}};
        s.blocks.push_back(Paragraph{a.what});
        document::Facts facts;
        facts.lines = {
            {i18n("Since"), verbatim(momentText(a.sinceMs))},
            {i18n("Until"), a.clearedMs ? verbatim(momentText(a.clearedMs)) : i18n("active")},
            {i18n("GPUs lost"), i18n("{:L}", a.gpusLost)},
            {i18n("GPUs with reduced bandwidth"), i18n("{:L}", a.gpusDegraded)},
            {i18n("Ride-through"), a.rideThroughS < 0 ? i18n("no thermal or battery limit") : impact::timeText(std::llround(a.rideThroughS * 1000))}};
        s.blocks.push_back(facts);
        if (!a.compared.empty()) s.blocks.push_back(compared(a));
        return s;
    }

    document::Table compared(const Alarm& a) const
    {
        document::Table t;
        t.caption = i18n("Measured vs predicted, largest change first");
        t.columns = {{i18n("Location"), 2.4},
                     {i18n("Item"), 1.6},
                     {i18n("Measured"), 1, true},
                     {i18n("Predicted at planned load"), 1, true},
                     {i18n("Planned, before the failure"), 1, true}};
        for (const Compared& c : a.compared)
            t.rows.push_back({{placeText(c), Text(bindings::infoOf(c.measure).title), valueText(c.measure, c.measured),
                               valueText(c.measure, c.predicted), valueText(c.measure, c.planned)}});
        return t;
    }

    /// Loads of what changed most, with what was predicted.
    Section curves() const
    {
        Section s{i18n("Trends"), 1, "incident.time", {}};
        const auto& recent = i.frame->recent;
        if (!recent || recent->timesMs.empty()) return s;
        for (const Alarm& a : m_causes) {
            std::map<bindings::Measure, std::vector<const Compared*>> byMeasure;
            for (const Compared& c : a.compared)
                if (byMeasure[c.measure].size() < kMostCurves) byMeasure[c.measure].push_back(&c);
            for (const auto& [measure, list] : byMeasure)
                if (auto chart = chartOf(a, measure, list, *recent); !chart.curves.empty() && s.blocks.size() < kMostCharts)
                    s.blocks.push_back(std::move(chart));
        }
        return s;
    }

    document::Chart chartOf(const Alarm& a, bindings::Measure measure, const std::vector<const Compared*>& list, const Recent& recent) const
    {
        document::Chart chart;
        const bool power = bindings::infoOf(measure).unit == "W";
        chart.caption = i18n("{} at {} and connected elements", bindings::infoOf(measure).title, name(a.cause));
        chart.unit = power ? "kW" : std::string(bindings::infoOf(measure).unit);
        const double scale = power ? 1e-3 : 1;
        const auto seconds = [&](std::int64_t ms) { return double(ms - a.sinceMs) / 1000; };
        for (const Compared* c : list) {
            const bindings::PointNo point = i.frame->bound->find({c->entity, c->measure, c->element});
            const auto at = std::ranges::lower_bound(recent.points, point);
            if (at == recent.points.end() || *at != point) continue;
            document::Chart::Curve curve{placeText(*c), {}, false};
            for (std::size_t m = 0; m < recent.timesMs.size(); ++m)
                if (recent.timesMs[m] >= i.fromMs && recent.timesMs[m] <= i.toMs)
                    curve.points.emplace_back(seconds(recent.timesMs[m]),
                                              double((*recent.values[m])[std::size_t(at - recent.points.begin())]) * scale);
            if (curve.points.empty()) continue;
            const double until = a.clearedMs ? std::min(seconds(a.clearedMs), curve.points.back().first) : curve.points.back().first;
            document::Chart::Curve predicted{
                i18n("{}, predicted at planned load", placeText(*c)), {{0, c->predicted * scale}, {until, c->predicted * scale}}, true};
            chart.curves.push_back(std::move(curve)), chart.curves.push_back(std::move(predicted));
        }
        chart.marks = {{0, i18n("start")}};
        if (a.clearedMs) chart.marks.emplace_back(seconds(a.clearedMs), i18n("cleared"));
        return chart;
    }

    Section deviations() const
    {
        Section s{i18n("Deviations"), 1, "incident.deviations", {}};
        document::Table t;
        t.caption = i18n("Measured values compared with the design");
        t.columns = {{i18n("When"), 1.2}, {i18n("Location"), 2}, {i18n("Deviation"), 3}, {i18n("At risk"), 2.4}};
        std::vector<const Deviation*> inOrder;
        for (const Event& e : i.events)
            if (e.kind == Event::Kind::Deviation) inOrder.push_back(&e.deviation);
        std::ranges::stable_sort(inOrder, {}, &Deviation::sinceMs); // events come when they are confirmed, which takes each its time
        for (const Deviation* d : std::span(inOrder).first(std::min(inOrder.size(), kMostEvents)))
            t.rows.push_back({{verbatim(momentText(d->sinceMs)), verbatim(name(d->entity)), d->what, d->risk}});
        if (t.rows.empty())
            s.blocks.push_back(Paragraph{i18n("None.")});
        else
            s.blocks.push_back(std::move(t));
        return s;
    }

    /// Whether it says what was said of the alarm before, but for readings.
    static bool repeats(const Event& e, std::map<std::string, Alarm>& last)
    {
        if (e.kind != Event::Kind::Alarm && e.kind != Event::Kind::AlarmChanges) return false;
        const auto key = [](const Alarm& a) {
            return std::tuple(a.gpusLost, a.gpusDegraded, a.redundancyLost, std::round(a.rideThroughS), a.acknowledged, a.shelvedUntilMs, a.alike);
        };
        const auto [at, isNew] = last.try_emplace(e.alarm.id, e.alarm);
        const bool same = !isNew && e.kind == Event::Kind::AlarmChanges && e.alarm.kind == AlarmKind::Cause && key(at->second) == key(e.alarm);
        at->second = e.alarm;
        return same;
    }

    Section course() const
    {
        Section s{i18n("Sequence of events"), 1, "incident.course", {}};
        document::Points points;
        std::map<std::string, Alarm> last;
        std::size_t more = 0;
        for (const Event& e : i.events) {
            if (repeats(e, last)) continue;
            if (points.points.size() < kMostEvents)
                points.points.push_back({eventText(e, f), isCause(e) ? Tone::Bad : e.kind == Event::Kind::Alarm ? Tone::Warning : Tone::Plain});
            else
                ++more;
        }
        if (more > 0) points.points.push_back({i18n("and {:L} more", more), Tone::Dim});
        s.blocks.push_back(std::move(points));
        return s;
    }

    const Incident& i;
    const Figures& f;
    std::vector<Alarm> m_causes;
};

Incident within(std::int64_t from, std::int64_t to, std::vector<Event> events, FramePtr frame)
{
    Incident out{from, to, {}, std::move(frame)};
    for (Event& e : events)
        if (e.atMs >= from && e.atMs <= to) out.events.push_back(std::move(e));
    return out;
}

} // namespace

Incident incidentOf(std::vector<Event> events, FramePtr frame)
{
    const auto first = std::ranges::find_if(events, isCause);
    const std::int64_t end = std::max(frame->atMs, events.empty() ? 0 : events.back().atMs);
    const std::int64_t from = first == events.end() ? (events.empty() ? end : events.front().atMs) : first->alarm.sinceMs - kBeforeMs;
    return within(from, end, std::move(events), std::move(frame));
}

Incident incidentOf(const Alarm& alarm, std::vector<Event> events, FramePtr frame)
{
    const std::int64_t to = alarm.clearedMs ? alarm.clearedMs : frame->atMs;
    return within(alarm.sinceMs - kBeforeMs, to, std::move(events), std::move(frame));
}

document::ReportDocument incidentDocument(const Incident& incident, const DesignStamp& stamp)
{
    Writer writer(incident);
    document::ReportDocument d;
    d.figures = incident.frame->design, d.stamp = stamp;
    d.title = i18n("Incident report");
    d.subtitle = i18n("{}, {}", stamp.project, momentText(incident.fromMs));
    d.basis = i18n("Measured values and the failure analysis of the design");
    d.cover = writer.tiles();
    d.sections = writer.sections();
    return d;
}

} // namespace hw::monitoring
