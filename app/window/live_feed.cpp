// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/live_feed.h"

#include "core/operations/jobs/job_tap.h"
#include "importers/telemetry/sources.h"

namespace hw::app {

namespace {

using Sources = std::vector<std::unique_ptr<bindings::Source>>;
using views::LiveRequest;

constexpr std::int64_t kDayMs = 24LL * 3600 * 1000;

/// Sources with their follower.
class FollowerFeed final : public views::Feed {
public:
    FollowerFeed(FiguresPtr design, following::Options options, std::shared_ptr<const jobs::JobTelemetry> jobs)
        : m_follower(std::move(design), std::move(options)), m_jobs(std::move(jobs))
    {
    }
    ~FollowerFeed() override { halt(); }
    FollowerFeed(const FollowerFeed&) = delete;
    FollowerFeed& operator=(const FollowerFeed&) = delete;

    Result<void> start(Sources sources)
    {
        auto started = m_follower.start(std::move(sources));
        m_running = started.has_value();
        return started;
    }
    void stop() override { halt(); }
    bool ended() const override { return m_follower.ended(); }
    void design(FiguresPtr design) override { m_follower.design(std::move(design)); }
    void answer(const monitoring::Answer& answer) override { m_follower.answer(answer); }
    void simulated(std::vector<float> gbps, impact::LoadsAfter after) override { m_follower.simulated(std::move(gbps), std::move(after)); }
    monitoring::FramePtr frame() const override { return m_follower.frame(); }
    following::Counts counts() const override { return m_follower.counts(); }
    std::vector<bindings::ChannelText> channels() const override { return m_follower.channels(); }
    std::shared_ptr<const history::Reader> history() const override { return m_follower.history(); }
    std::int64_t oldestMs() const override
    {
        const auto store = m_follower.history();
        return store ? store->figures().oldestMs : 0;
    }
    std::vector<Text> troubles() const override { return m_follower.troubles(); }
    std::shared_ptr<const jobs::JobTelemetry> jobs() const override { return m_jobs; }

private:
    void halt()
    {
        if (std::exchange(m_running, false)) (void)m_follower.stop(); // what is wrong is logged there
    }
    following::Follower m_follower;
    std::shared_ptr<const jobs::JobTelemetry> m_jobs;
    bool m_running = false;
};

Result<Sources> sourcesOf(const LiveRequest& request)
{
    Sources sources;
    if (request.kind == LiveRequest::Kind::Recording) {
        auto replay = telemetry::openRecording(request.url, request.speed);
        if (!replay) return tl::unexpected(replay.error());
        sources.push_back(std::move(*replay));
        return sources;
    }
    telemetry::SourceOptions options;
    options.url = request.url;
    auto access = telemetry::accessOf(request.url, views::kindWord(request.kind), request.credentials);
    if (!access) return tl::unexpected(access.error());
    options.access = std::move(*access);
    if (!request.user.empty()) options.access.user = request.user;
    if (!request.password.empty()) options.access.password = request.password;
    if (!request.ca.empty()) options.access.ca = request.ca;
    if (!request.certificate.empty()) options.access.certificate = request.certificate, options.access.key = request.key;
    options.mappings = request.mappings;
    options.interval = std::chrono::milliseconds(std::int64_t(request.intervalS * 1000));
    auto source = request.kind == LiveRequest::Kind::Mqtt         ? telemetry::makeMqttSource(std::move(options))
                  : request.kind == LiveRequest::Kind::Prometheus ? telemetry::makePrometheusSource(std::move(options))
                                                                  : telemetry::makeRedfishSource(std::move(options));
    if (!source) return tl::unexpected(source.error());
    sources.push_back(std::move(*source));
    return sources;
}

} // namespace

views::LiveSession::Open feedOf(const LiveRequest& request, const QString& project)
{
    return [request, project](const FiguresPtr& design, const views::Feed::Callbacks& heard) -> Result<std::shared_ptr<views::Feed>> {
        if (const auto ok = views::checked(request); !ok) return tl::unexpected(ok.error());
        auto sources = sourcesOf(request);
        if (!sources) return tl::unexpected(sources.error());
        auto rules = jobs::JobRules::of({});
        if (!rules) return tl::unexpected(rules.error());
        const auto shared = std::make_shared<const jobs::JobRules>(std::move(*rules));
        const auto telemetry = std::make_shared<jobs::JobTelemetry>();
        for (auto& source : *sources) source = jobs::tapped(std::move(source), shared, telemetry);
        following::Options options;
        if (request.keep && request.kind != LiveRequest::Kind::Recording && !project.isEmpty())
            options.store = history::Store::besides(project.toStdString());
        options.retention =
            request.rawDays > 0 ? history::Retention{request.rawDays * kDayMs, request.stepDays * kDayMs} : following::retentionOf(*design->snapshot);
        if (!request.record.empty()) {
            auto recorder = telemetry::makeRecorder(request.record);
            if (!recorder) return tl::unexpected(recorder.error());
            options.recorder = std::move(*recorder);
        }
        options.event = heard.event;
        options.boundAgain = [bound = heard.boundAgain](std::size_t) { bound(); };
        auto feed = std::make_shared<FollowerFeed>(design, std::move(options), telemetry);
        if (const auto started = feed->start(std::move(*sources)); !started) return tl::unexpected(started.error());
        return std::shared_ptr<views::Feed>(std::move(feed));
    };
}

} // namespace hw::app
