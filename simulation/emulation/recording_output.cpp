// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::emulation {

namespace {

/// {"hallwright":"recording/1"}, then {"c":0,"name":…,"labels":{…},"unit":…} for a channel and {"t":ms,"s":[[channel,ms,value],…]} for what came
/// at a moment.
class RecordingOutput final : public Output {
public:
    RecordingOutput(const Hall& hall, std::filesystem::path file) : m_hall(hall), m_naming(hall), m_path(std::move(file)) {}
    ~RecordingOutput() override
    {
        if (m_file) std::fclose(m_file);
    }
    RecordingOutput(const RecordingOutput&) = delete;
    RecordingOutput& operator=(const RecordingOutput&) = delete;

    Result<void> begin() override
    {
        m_file = std::fopen(m_path.c_str(), "wb");
        if (!m_file) return failed();
        m_channels.assign(m_hall.sensors().size(), kNone);
        return put("{\"hallwright\":\"recording/1\"}\n");
    }

    Result<void> say(std::span<const Value> values) override
    {
        if (values.empty()) return {};
        std::string lines, samples;
        for (const Value& value : values) {
            const std::uint32_t channel = channelOf(value.sensor, lines);
            samples += fmt::format("{}[{},{},{}{}]", samples.empty() ? "" : ",", channel, value.timeMs,
                                   numberOrNull(m_naming.said(value.sensor, value.value)), value.good ? "" : ",0");
        }
        m_counts.values += values.size();
        m_lastMs = m_hall.startMs() + m_hall.nowMs();
        return put(fmt::format("{}{{\"t\":{},\"s\":[{}]}}\n", lines, m_lastMs, samples));
    }

    Result<void> sayJob(const JobEmulation& job, std::span<const JobEmulation::Reading> readings) override
    {
        if (readings.empty()) return {};
        m_jobChannels.resize(job.channels().size(), kNone);
        std::string lines, samples;
        for (const auto& reading : readings) {
            std::uint32_t& channel = m_jobChannels[reading.channel];
            if (channel == kNone) {
                channel = m_next++;
                nlohmann::ordered_json line{{"c", channel}, {"name", job.series(reading.channel)}};
                for (const auto& [name, value] : job.labels(reading.channel)) line["labels"][name] = value;
                lines += line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
            }
            samples += fmt::format("{}[{},{},{}]", samples.empty() ? "" : ",", channel, reading.timeMs, numberOrNull(reading.value));
        }
        m_counts.values += readings.size();
        m_lastMs = m_hall.startMs() + m_hall.nowMs();
        return put(fmt::format("{}{{\"t\":{},\"s\":[{}]}}\n", lines, m_lastMs, samples));
    }

    Result<void> end() override
    {
        if (auto fine = put(fmt::format("{{\"t\":{},\"end\":true}}\n", m_lastMs)); !fine) return fine;
        const bool closed = std::fclose(std::exchange(m_file, nullptr)) == 0;
        return closed ? Result<void>() : failed();
    }
    [[nodiscard]] Counts counts() const override { return m_counts; }

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    /// The number of a sensor's channel; a renamed one has another.
    std::uint32_t channelOf(SensorNo no, std::string& lines)
    {
        const std::string& renamed = m_hall.renamed(no);
        if (renamed.empty() && m_channels[no] != kNone) return m_channels[no];
        if (!renamed.empty()) {
            const auto known = m_renamed.find(m_naming.topic(no));
            if (known != m_renamed.end()) return known->second;
        }
        const std::uint32_t number = m_next++;
        nlohmann::ordered_json line{{"c", number}, {"name", m_naming.topic(no)}};
        for (const auto& [name, value] : m_naming.fields(no)) line["labels"][name] = value;
        if (const auto unit = m_naming.unit(no); !unit.empty()) line["unit"] = unit;
        m_counts.metadata += m_naming.isPoint(no);
        lines += line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
        return (renamed.empty() ? m_channels[no] : m_renamed[m_naming.topic(no)]) = number;
    }
    Result<void> put(std::string_view text)
    {
        if (std::fwrite(text.data(), 1, text.size(), m_file) == text.size()) return {};
        return failed();
    }
    tl::unexpected<Error> failed() const
    {
        return fail(ErrorCode::Unreadable, m_path.string(), i18n("cannot be written: {}", std::strerror(errno)),
                    i18n("check the path and free disk space"));
    }

    const Hall& m_hall;
    Naming m_naming;
    std::filesystem::path m_path;
    std::FILE* m_file = nullptr;
    std::vector<std::uint32_t> m_channels, m_jobChannels;
    std::unordered_map<std::string, std::uint32_t> m_renamed;
    std::uint32_t m_next = 0;
    std::int64_t m_lastMs = 0;
    Counts m_counts;
};

} // namespace

std::unique_ptr<Output> recordingOutput(const Hall& hall, std::filesystem::path file)
{
    return std::make_unique<RecordingOutput>(hall, std::move(file));
}

} // namespace hw::emulation
