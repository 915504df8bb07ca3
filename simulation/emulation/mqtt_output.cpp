// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/mqtt_wire.h"
#include "simulation/emulation/output.h"

#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

namespace hw::emulation {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kTryAgain = 2s;

std::string fromEnvironment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

class MqttOutput final : public Output {
public:
    MqttOutput(const Hall& hall, std::string url, MqttWire::Server server)
        : m_hall(hall), m_naming(hall), m_url(std::move(url)), m_wire(std::move(server)), m_topics(hall.sensors().size())
    {
    }

    Result<void> begin() override
    {
        if (const auto why = m_wire.connect(5s); !why.empty())
            return fail(ErrorCode::Unreadable, "--mqtt " + m_url, i18n("unreachable: {}", why),
                        i18n("start a broker there (mosquitto -p 1883), specify another, or correct user, password and certificates"));
        introduce();
        return {};
    }

    Result<void> say(std::span<const Value> values) override
    {
        if (!m_wire.connected() && Clock::now() - m_tried > kTryAgain) {
            m_tried = Clock::now();
            if (m_wire.connect(1s).empty()) introduce();
        }
        for (const Value& value : values) {
            m_payload.clear();
            m_payload += fmt::format(R"({{"value":{},"timestamp":{},"quality":{}}})", numberOrNull(m_naming.said(value.sensor, value.value)),
                                     value.timeMs, value.good ? 1 : 0);
            if (m_hall.renamed(value.sensor).empty())
                m_wire.publish(topicOf(value.sensor), m_payload, false);
            else
                m_wire.publish(m_naming.topic(value.sensor), m_payload, false);
        }
        m_counts.values += values.size();
        m_wire.flush();
        return {};
    }

    Result<void> sayJob(const JobEmulation& job, std::span<const JobEmulation::Reading> readings) override
    {
        for (const auto& reading : readings)
            m_wire.publish(job.topic(reading.channel),
                           fmt::format(R"({{"value":{},"timestamp":{},"quality":1}})", numberOrNull(reading.value), reading.timeMs), false);
        m_counts.values += readings.size();
        m_wire.flush();
        return {};
    }

    Result<void> end() override
    {
        if (m_wire.connected() && !m_wire.settle(10s))
            return fail(ErrorCode::Unreadable, "--mqtt " + m_url, i18n("not all values were accepted: the broker no longer responds"),
                        i18n("check the broker log"));
        return {};
    }

    [[nodiscard]] Text trouble() override { return m_wire.connected() ? Text() : i18n("{} does not respond; retrying", m_url); }
    [[nodiscard]] Counts counts() const override
    {
        Counts out = m_counts;
        out.lost = m_wire.lost();
        out.values -= std::min(out.lost, out.values);
        return out;
    }

private:
    const std::string& topicOf(SensorNo no)
    {
        if (m_topics[no].empty()) m_topics[no] = m_naming.topic(no);
        return m_topics[no];
    }

    /// What every point is, retained, before its values.
    void introduce()
    {
        for (SensorNo no = 0; no < m_hall.sensors().size(); ++no) {
            if (!m_naming.isPoint(no)) continue;
            m_wire.publish(m_naming.metadataTopic(no), m_naming.metadata(no), true);
            ++m_counts.metadata;
        }
        m_wire.flush();
    }

    const Hall& m_hall;
    Naming m_naming;
    std::string m_url;
    MqttWire m_wire;
    std::vector<std::string> m_topics; ///< by sensor; empty until it is said
    std::string m_payload;
    Clock::time_point m_tried{};
    Counts m_counts;
};

} // namespace

Result<std::unique_ptr<Output>> mqttOutput(const Hall& hall, const std::string& url)
{
    MqttWire::Server server;
    server.secure = url.starts_with("mqtts://");
    const std::string place = server.secure ? url.substr(8) : url.starts_with("mqtt://") ? url.substr(7) : "";
    const auto colon = place.rfind(':');
    server.host = place.substr(0, colon);
    server.port = server.secure ? 8883 : 1883;
    bool fine = !server.host.empty() && place.find_first_of("@/ ") == std::string::npos;
    if (colon != std::string::npos) {
        const char *from = place.data() + colon + 1, *to = place.data() + place.size();
        const auto read = std::from_chars(from, to, server.port);
        fine = fine && read.ec == std::errc() && read.ptr == to && server.port > 0;
    }
    if (!fine)
        return fail(ErrorCode::Usage, "--mqtt " + url, i18n("is not a broker address"),
                    i18n("use mqtt://HOST:PORT or mqtts://HOST:PORT; set user and password in HALLWRIGHT_MQTT_USER and HALLWRIGHT_MQTT_PASSWORD"));
    server.user = fromEnvironment("HALLWRIGHT_MQTT_USER"), server.password = fromEnvironment("HALLWRIGHT_MQTT_PASSWORD");
    server.ca = fromEnvironment("HALLWRIGHT_MQTT_CA");
    server.certificate = fromEnvironment("HALLWRIGHT_MQTT_CERTIFICATE"), server.key = fromEnvironment("HALLWRIGHT_MQTT_KEY");
    return std::unique_ptr<Output>(std::make_unique<MqttOutput>(hall, url, std::move(server)));
}

} // namespace hw::emulation
