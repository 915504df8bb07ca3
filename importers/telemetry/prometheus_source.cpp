// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/polling_thread.h"
#include "importers/telemetry/prometheus_queries.h"
#include "importers/telemetry/prometheus_text.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace hw::telemetry {

namespace {

constexpr std::int64_t kOverlapMs = 20'000;         ///< a scrape is dated when it begins and stored when it ended
constexpr std::int64_t kPieceMs = 5 * 60'000;       ///< of a gap that is asked for at once
constexpr std::int64_t kMostBackMs = 6 * 3'600'000; ///< of a gap that is filled
constexpr std::int64_t kPrometheusSkewMs = 10'000;
constexpr std::size_t kLargestPage = std::size_t(64) << 20; ///< of an exporter: a quarter of a million lines
constexpr int kMostTries = 4;                               ///< of a question with all that it missed
constexpr std::int64_t kLatestMs = 60'000;                  ///< that it asks for from then on
constexpr std::chrono::seconds kLongestAgain(5);            ///< for an answer, of what failed before
constexpr std::chrono::milliseconds kSlowAgain(500);        ///< after which no other that failed before is asked in this round
constexpr std::size_t kMostFailures = 4;                    ///< in a round: each may take as long as an answer may

/// Asks a Prometheus server every interval for what came since, and after a gap for what came in it; or, where the address is what such a
/// server would scrape, scrapes it.
class PrometheusSource final : public bindings::Source {
public:
    PrometheusSource(const Url& url, SourceOptions options, const std::vector<Mapping>& mappings)
        : m_url(url), m_options(std::move(options)), m_questions(questionsOf(mappings)), m_http(url.text(), m_options.access),
          m_thread(url.text(), m_options,
                   {[this](const std::stop_token& stop) { return find(stop); }, [this](const std::stop_token& stop) { return poll(stop); }})
    {
        if (url.path.ends_with("/metrics")) m_form = Form::Text, m_page.clear();
        if (!m_questions.plain.empty()) m_asked.push_back({m_questions.plain, {}, 0, 0, 0, false, {}});
        for (const auto& expression : m_questions.expressions) m_asked.push_back({{expression.metric}, expression.query, 0, 0, 0, false, {}});
    }
    ~PrometheusSource() override { m_thread.stop(); }

    [[nodiscard]] std::string name() const override { return m_thread.name(); }
    Result<void> start(bindings::Intake& intake) override { return m_intake = &intake, m_thread.start(intake); }
    void stop() override { m_thread.stop(); }
    [[nodiscard]] bool ended() const override { return m_thread.ended(); }
    [[nodiscard]] Text trouble() const override { return m_thread.trouble(); }

private:
    enum class Form { Unknown, Server, Text };
    struct Known {
        bindings::ChannelNo number = 0;
        std::int64_t lastMs = std::numeric_limits<std::int64_t>::min();
    };

    ServerState find(const std::stop_token& stop);
    Text poll(const std::stop_token& stop) { return m_form == Form::Server ? ask(stop) : scrape(stop); }
    /// Asked by itself: metrics as they are, or one expression.
    struct Question {
        std::vector<std::string> metrics; ///< of an expression: the one that it is called
        std::string query;                ///< empty: metrics as they are
        std::int64_t askedMs = 0;         ///< up to where, by the server's clock
        std::int64_t nextRound = 0;
        int failures = 0;     ///< in a row
        bool doubted = false; ///< part of one that failed
        Text why;
    };
    Text ask(const std::stop_token& stop);
    [[nodiscard]] Text failures() const;
    Text askPiece(std::int64_t toMs, const std::stop_token& stop, Text& doubt);
    std::pair<HttpAnswer, Text> askOne(const Question& one, std::int64_t toMs, const std::stop_token& stop, Text& doubt);
    Text scrape(const std::stop_token& stop);
    void addInstance(bindings::Labels& labels) const;
    void keepAll(PrometheusAnswer& answer, std::string_view metric);
    void keep(PrometheusSeries& series, std::string_view metric);
    Known& known(std::string_view metric, const bindings::Labels& labels, std::string_view unit);
    void pass();

    const Url m_url;
    const SourceOptions m_options;
    const PrometheusQuestions m_questions;
    HttpReader m_http;
    Form m_form = Form::Unknown;
    std::string m_page = "/metrics"; ///< of Form::Text
    bool m_found = false;            ///< what is there
    std::vector<Question> m_asked;
    std::int64_t m_round = 0;
    std::unordered_map<std::string, Known> m_known;
    std::vector<bindings::Sample> m_samples;
    bindings::Intake* m_intake = nullptr;
    PollingThread m_thread;
};

/// Whether a server is there, or a page of metrics.
ServerState PrometheusSource::find(const std::stop_token& stop)
{
    const auto final = [](const HttpAnswer& http) { return http.distrusted || (http.status != 0 && http.status < 500); };
    if (m_found) return {};
    if (m_form == Form::Unknown) {
        const auto reply = askAt(m_http, "time()", 0, stop);
        if (reply.http.status == 200 && reply.answer.why.empty()) return m_form = Form::Server, m_found = true, ServerState();
        if (reply.http.status != 404) return {reply.answer.why, final(reply.http)};
    }
    const auto page = m_http.get(m_page, stop, std::chrono::seconds(30), kLargestPage);
    if (page.status == 200) return m_form = Form::Text, m_found = true, ServerState();
    if (page.status == 404) return {i18n("is neither a Prometheus server nor a metrics page"), true};
    return {refusalOf(page), final(page)};
}

Text PrometheusSource::ask(const std::stop_token& stop)
{
    const auto clock = askAt(m_http, "time()", 0, stop);
    if (clock.away() || clock.answer.series.empty() || clock.answer.series.front().timesMs.empty()) return clock.answer.why;
    const std::int64_t server = clock.answer.series.front().timesMs.front(), lag = nowMs() - server;
    const std::int64_t back = std::max<std::int64_t>(60'000, 2 * m_options.interval.count());
    ++m_round;
    std::int64_t from = server;
    for (Question& one : m_asked) {
        one.askedMs = one.askedMs == 0 ? server - back : std::max(one.askedMs, server - kMostBackMs);
        if (m_round >= one.nextRound) from = std::min(from, one.askedMs);
    }
    Text doubt = lag > kPrometheusSkewMs    ? i18n("server clock is {} s behind the local clock", lag / 1000)
                 : lag < -kPrometheusSkewMs ? i18n("server clock is {} s ahead of the local clock", -lag / 1000)
                                            : Text();
    while (from < server) {
        const std::int64_t to = std::min(from + kPieceMs, server);
        if (auto wrong = askPiece(to, stop, doubt); !wrong.empty()) return wrong;
        from = to;
    }
    if (Text failed = failures(); !failed.empty()) doubt = std::move(failed);
    m_thread.trouble(doubt);
    return {};
}

/// What failed, each with its own reason; those with the same reason together.
Text PrometheusSource::failures() const
{
    std::vector<std::pair<const Text*, std::vector<std::string>>> all;
    for (const Question& one : m_asked) {
        if (one.failures == 0) continue;
        auto at = std::ranges::find_if(all, [&](const auto& entry) { return *entry.first == one.why; });
        if (at == all.end()) at = all.insert(all.end(), {&one.why, {}});
        at->second.insert(at->second.end(), one.metrics.begin(), one.metrics.end());
    }
    Text out;
    for (const auto& [why, blind] : all) {
        Text some =
            i18np(std::int64_t(blind.size()), "query of {1} failed: {2}", "queries of {0} metrics failed, {1}: {2}", listedNames(blind), *why);
        out = out.empty() ? std::move(some) : i18n("{}; {}", out, some);
    }
    return out;
}

/// What is asked for up to a moment. What fails blinds nothing else: it is asked again after a while, and one of several metrics by halves.
Text PrometheusSource::askPiece(std::int64_t toMs, const std::stop_token& stop, Text& doubt)
{
    std::ranges::stable_partition(m_asked, [](const Question& one) { return one.failures == 0; });
    std::size_t failed = 0, tried = 0;
    bool slow = false; // one that failed before took its time
    HttpAnswer last;
    for (std::size_t i = 0; i < m_asked.size() && !stop.stop_requested(); ++i) {
        if (m_round < m_asked[i].nextRound || m_asked[i].askedMs >= toMs) continue;
        if (m_asked[i].failures > 0 && slow) continue;             // in the next round: what works is asked again soon
        if (m_asked[i].failures > 0 || m_asked[i].doubted) pass(); // what is there does not wait for it
        const auto began = std::chrono::steady_clock::now();
        const auto [http, why] = askOne(m_asked[i], toMs, stop, doubt);
        slow = slow || (m_asked[i].failures > 0 && std::chrono::steady_clock::now() - began > kSlowAgain);
        ++tried;
        Question& one = m_asked[i];
        if (why.empty()) {
            one.askedMs = toMs, one.failures = 0, one.why = {}, one.doubted = false;
            continue;
        }
        if (http.status == 401 || http.status == 403) return why;
        ++failed, last = http, last.why = why;
        if (one.metrics.size() > 1 && one.query.empty()) { // halves of it, in this round still
            one.doubted = true;
            Question other = one;
            const auto middle = one.metrics.begin() + std::ptrdiff_t(one.metrics.size() / 2);
            other.metrics.assign(middle, one.metrics.end());
            one.metrics.erase(middle, one.metrics.end());
            m_asked.insert(m_asked.begin() + std::ptrdiff_t(i) + 1, std::move(other));
            --i;
            if (failed > kMostFailures) break; // slow ones: the rest in the next round
            continue;
        }
        one.failures = std::min(one.failures + 1, 6), one.why = why;
        one.nextRound = m_round + (1 << (one.failures - 1));
        if (one.failures >= kMostTries) one.askedMs = std::max(one.askedMs, toMs - kLatestMs); // what it missed may be what is too much
        if (failed > kMostFailures) break;
    }
    if (tried > 0 && failed == tried && askAt(m_http, "time()", 0, stop).away()) { // it is the server
        for (Question& one : m_asked) one.failures = 0, one.nextRound = 0;
        return last.why;
    }
    pass();
    return {};
}

/// Why it was not answered; empty: it was.
std::pair<HttpAnswer, Text> PrometheusSource::askOne(const Question& one, std::int64_t toMs, const std::stop_token& stop, Text& doubt)
{
    const std::int64_t step = std::max<std::int64_t>(1000, m_options.interval.count());
    const std::chrono::seconds first =
        m_options.longestAnswer.count() > 0 ? m_options.longestAnswer : std::chrono::seconds(std::clamp<std::int64_t>(2 * step / 1000, 10, 30));
    const std::chrono::seconds limit = one.failures > 0 || one.doubted ? std::min(first, kLongestAgain) : first; // others wait meanwhile
    PrometheusReply reply;
    if (one.query.empty()) {
        reply = askAt(m_http, selectorOf(one.metrics) + '[' + promDuration(toMs - one.askedMs + kOverlapMs) + ']', toMs, stop, limit);
    } else {
        const std::int64_t begin = (one.askedMs / step + 1) * step, end = toMs / step * step; // whole steps, each asked once
        if (begin > end) return {};
        reply = askRange(m_http, one.query, begin, end, step, stop, limit);
    }
    if (reply.http.status != 200) return {std::move(reply.http), reply.answer.why};
    if (const Text& what = reply.answer.doubt(); !what.empty()) doubt = one.query.empty() ? what : i18n("{}: {}", one.metrics.front(), what);
    keepAll(reply.answer, one.query.empty() ? std::string_view() : std::string_view(one.metrics.front()));
    return {};
}

Text PrometheusSource::scrape(const std::stop_token& stop)
{
    const auto page = m_http.get(m_page, stop, std::chrono::seconds(30), kLargestPage);
    if (page.status != 200) return refusalOf(page);
    const std::int64_t now = nowMs();
    std::map<std::string, std::string> units;
    std::uint64_t misread = 0;
    for (std::string_view rest = page.body; !rest.empty();) {
        const auto end = std::min(rest.find('\n'), rest.size());
        const auto line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.empty() || line == "\r") continue;
        if (line.front() == '#') {
            if (auto unit = readUnitLine(line)) units.insert(std::move(*unit));
            continue;
        }
        auto sample = readExposition(line);
        if (!sample) ++misread;
        if (!sample || besideTheHall(*sample)) continue;
        addInstance(sample->labels);
        std::string unit = m_questions.unitOf(sample->metric, sample->labels, true); // nobody makes a rate of it here
        m_questions.forget(sample->metric, sample->labels);
        if (const auto stated = units.find(sample->metric); unit.empty() && stated != units.end()) unit = stated->second;
        Known& channel = known(sample->metric, sample->labels, unit);
        const std::int64_t time = sample->timeMs.value_or(now);
        if (time <= channel.lastMs) continue;
        channel.lastMs = time;
        m_samples.push_back({channel.number, time, sample->value, true});
    }
    pass();
    m_thread.trouble(misread > 0 ? i18np(misread, "{:L} line could not be parsed", "{:L} lines could not be parsed") : Text());
    return {};
}

/// An exporter does not say whose page it is: its address does, as it does in a server that scrapes it.
void PrometheusSource::addInstance(bindings::Labels& labels) const
{
    const auto at = std::ranges::lower_bound(labels, "instance", {}, [](const auto& label) { return std::string_view(label.first); });
    if (at == labels.end() || at->first != "instance") labels.emplace(at, "instance", m_url.host + ':' + std::to_string(m_url.port));
}

/// `metric`: what an expression is called; empty: each series by its own name. Of series that are one channel the one that ended first comes
/// first.
void PrometheusSource::keepAll(PrometheusAnswer& answer, std::string_view metric)
{
    std::ranges::stable_sort(answer.series, {}, [](const PrometheusSeries& one) { return one.timesMs.empty() ? 0 : one.timesMs.back(); });
    for (auto& series : answer.series) keep(series, metric.empty() ? std::string_view(series.metric) : metric);
}

void PrometheusSource::keep(PrometheusSeries& series, std::string_view metric)
{
    const std::string unit = m_questions.unitOf(metric, series.labels, false);
    m_questions.forget(metric, series.labels);
    Known& channel = known(metric, series.labels, unit);
    for (std::size_t i = 0; i < series.timesMs.size(); ++i) {
        if (series.timesMs[i] <= channel.lastMs) continue;
        channel.lastMs = series.timesMs[i];
        m_samples.push_back({channel.number, series.timesMs[i], series.values[i], true});
    }
}

PrometheusSource::Known& PrometheusSource::known(std::string_view metric, const bindings::Labels& labels, std::string_view unit)
{
    const auto [place, fresh] = m_known.try_emplace(seriesName(metric, labels));
    if (fresh) place->second.number = m_intake->channel({place->first, labels, std::string(unit)});
    return place->second;
}

void PrometheusSource::pass()
{
    std::ranges::stable_sort(m_samples, {}, &bindings::Sample::timeMs);
    if (!m_samples.empty()) m_intake->take(m_samples);
    m_samples.clear();
}

} // namespace

Result<std::unique_ptr<bindings::Source>> makePrometheusSource(SourceOptions options)
{
    const auto url = parseUrl(options.url);
    if (!url) return tl::unexpected(url.error());
    if (url->scheme != "http" && url->scheme != "https")
        return fail(ErrorCode::Usage, url->text(), i18n("is not a Prometheus server address"), i18n("use http://HOST:PORT or https://HOST:PORT"));
    const auto mappings = mappingsOf(Mapping::Kind::Prometheus, options.mappings);
    if (!mappings) return tl::unexpected(mappings.error());
    return std::make_unique<PrometheusSource>(*url, std::move(options), *mappings);
}

} // namespace hw::telemetry
