// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/jobs/job_tap.h"

#include <mutex>
#include <unordered_map>

namespace hw::jobs {

namespace {

class TapIntake final : public bindings::Intake {
public:
    TapIntake(bindings::Intake& to, std::shared_ptr<const JobRules> rules, std::shared_ptr<JobTelemetry> telemetry)
        : m_to(to), m_rules(std::move(rules)), m_telemetry(std::move(telemetry))
    {
    }
    bindings::ChannelNo channel(const bindings::ChannelText& text) override
    {
        const auto number = m_to.channel(text);
        const auto found = m_rules->find(text);
        const std::lock_guard lock(m_mutex);
        if (found)
            m_channels[number] = *found;
        else
            m_channels.erase(number);
        return number;
    }
    void take(std::span<const bindings::Sample> samples) override
    {
        for (const auto& sample : samples) {
            std::optional<JobRules::Found> found;
            {
                const std::lock_guard lock(m_mutex);
                if (const auto at = m_channels.find(sample.channel); at != m_channels.end()) found = at->second;
            }
            if (found && sample.good)
                m_telemetry->take({found->job, found->measure, found->rank, found->host, sample.timeMs, sample.value * found->factor});
        }
        m_to.take(samples);
    }
    void gap(const bindings::Gap& gap) override { m_to.gap(gap); }
    void clock(std::int64_t atMs) override { m_to.clock(atMs); }

private:
    bindings::Intake& m_to;
    std::shared_ptr<const JobRules> m_rules;
    std::shared_ptr<JobTelemetry> m_telemetry;
    std::mutex m_mutex;
    std::unordered_map<bindings::ChannelNo, JobRules::Found> m_channels;
};

class TappedSource final : public bindings::Source {
public:
    TappedSource(std::unique_ptr<bindings::Source> source, std::shared_ptr<const JobRules> rules, std::shared_ptr<JobTelemetry> telemetry)
        : m_source(std::move(source)), m_rules(std::move(rules)), m_telemetry(std::move(telemetry))
    {
    }
    ~TappedSource() override { m_source.reset(); } // before what it writes to
    TappedSource(const TappedSource&) = delete;
    TappedSource& operator=(const TappedSource&) = delete;

    [[nodiscard]] std::string name() const override { return m_source->name(); }
    Result<void> start(bindings::Intake& intake) override
    {
        m_intake = std::make_unique<TapIntake>(intake, m_rules, m_telemetry);
        return m_source->start(*m_intake);
    }
    void stop() override { m_source->stop(); }
    [[nodiscard]] bool ended() const override { return m_source->ended(); }
    [[nodiscard]] Text trouble() const override { return m_source->trouble(); }

private:
    std::unique_ptr<TapIntake> m_intake;
    std::unique_ptr<bindings::Source> m_source;
    std::shared_ptr<const JobRules> m_rules;
    std::shared_ptr<JobTelemetry> m_telemetry;
};

} // namespace

std::unique_ptr<bindings::Source> tapped(std::unique_ptr<bindings::Source> source, std::shared_ptr<const JobRules> rules,
                                         std::shared_ptr<JobTelemetry> telemetry)
{
    return std::make_unique<TappedSource>(std::move(source), std::move(rules), std::move(telemetry));
}

} // namespace hw::jobs
