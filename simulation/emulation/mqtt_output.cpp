// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/output.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>
#include <mqtt/async_client.h>

namespace hw::emulation {

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kMostWaiting = 20'000; // messages that the network has not taken yet

std::string fromEnvironment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

/// Counts what the network took.
class Taken final : public mqtt::iaction_listener {
public:
    void on_success(const mqtt::token&) override { ++taken; }
    void on_failure(const mqtt::token&) override { ++refused; }
    std::atomic<std::uint64_t> taken{0}, refused{0};
};

class MqttOutput final : public Output {
public:
    MqttOutput(const Hall& hall, std::string url, const std::string& server, int qos)
        : m_hall(hall), m_naming(hall), m_url(std::move(url)), m_qos(qos), m_client(server, fmt::format("hallwright-emulate-{}", getpid()))
    {
        m_topics.resize(hall.sensors().size());
    }
    ~MqttOutput() override
    {
        try {
            if (m_client.is_connected()) m_client.disconnect(200)->wait_for(1s);
        } catch (const mqtt::exception&) { // it is gone already
        }
    }
    MqttOutput(const MqttOutput&) = delete;
    MqttOutput& operator=(const MqttOutput&) = delete;

    Result<void> begin() override
    {
        m_client.set_connected_handler([this](const std::string&) { m_introduce = true; });
        mqtt::connect_options options;
        options.set_clean_session(true);
        options.set_automatic_reconnect(1s, 8s);
        options.set_max_inflight(int(kMostWaiting));
        options.set_connect_timeout(5s);
        if (const auto user = fromEnvironment("HALLWRIGHT_MQTT_USER"); !user.empty()) options.set_user_name(user);
        if (const auto password = fromEnvironment("HALLWRIGHT_MQTT_PASSWORD"); !password.empty()) options.set_password(password);
        if (m_url.starts_with("mqtts://")) {
            mqtt::ssl_options ssl;
            if (const auto ca = fromEnvironment("HALLWRIGHT_MQTT_CA"); !ca.empty()) ssl.set_trust_store(ca);
            if (const auto certificate = fromEnvironment("HALLWRIGHT_MQTT_CERTIFICATE"); !certificate.empty()) ssl.set_key_store(certificate);
            if (const auto key = fromEnvironment("HALLWRIGHT_MQTT_KEY"); !key.empty()) ssl.set_private_key(key);
            ssl.set_enable_server_cert_auth(true);
            ssl.set_verify(true);
            options.set_ssl(ssl);
        }
        try {
            if (!m_client.connect(options)->wait_for(8s)) return unreachable("no answer");
        } catch (const mqtt::exception& e) {
            return unreachable(e.what());
        }
        m_introduce = true;
        return {};
    }

    Result<void> say(std::span<const Value> values) override
    {
        if (m_introduce.exchange(false)) introduce();
        for (const Value& value : values) {
            std::string topic = m_hall.renamed(value.sensor).empty() ? topicOf(value.sensor) : m_naming.topic(value.sensor);
            const double said = m_naming.said(value.sensor, value.value);
            publish(topic, fmt::format(R"({{"value":{},"timestamp":{},"quality":{}}})", said, value.timeMs, value.good ? 1 : 0), m_qos, false);
        }
        m_counts.values += values.size();
        return {};
    }

    Result<void> end() override
    {
        for (int i = 0; i < 1000 && waiting() > 0 && m_client.is_connected(); ++i) std::this_thread::sleep_for(5ms);
        m_lost += waiting();
        return {};
    }

    [[nodiscard]] Text trouble() override { return m_client.is_connected() ? Text() : i18n("{} does not answer; it is tried again", m_url); }
    [[nodiscard]] Counts counts() const override
    {
        Counts out = m_counts;
        out.lost = m_lost + m_taken.refused;
        out.values -= std::min<std::uint64_t>(out.lost, out.values);
        return out;
    }

private:
    tl::unexpected<Error> unreachable(const std::string& why) const
    {
        return fail(ErrorCode::Unreadable, "--mqtt " + m_url, i18n("cannot be reached: {}", why),
                    i18n("start a broker there (mosquitto -p 1883), or name another"));
    }
    [[nodiscard]] std::uint64_t waiting() const { return m_sent - m_taken.taken - m_taken.refused; }

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
            publish(m_naming.metadataTopic(no), m_naming.metadata(no), 1, true);
            ++m_counts.metadata;
        }
    }

    void publish(const std::string& topic, const std::string& payload, int qos, bool retained)
    {
        while (waiting() > kMostWaiting && m_client.is_connected()) std::this_thread::sleep_for(200us); // the network sets the pace
        try {
            ++m_sent;
            m_client.publish(topic, payload.data(), payload.size(), qos, retained, nullptr, m_taken);
        } catch (const mqtt::exception&) { // the broker is away
            --m_sent, ++m_lost;
        }
    }

    const Hall& m_hall;
    Naming m_naming;
    std::string m_url;
    int m_qos;
    Taken m_taken; // outlives the client, which calls it
    mqtt::async_client m_client;
    std::vector<std::string> m_topics;
    std::atomic<bool> m_introduce{false};
    std::uint64_t m_sent = 0, m_lost = 0;
    Counts m_counts;
};

} // namespace

Result<std::unique_ptr<Output>> mqttOutput(const Hall& hall, const std::string& url, int qos)
{
    std::string server = url;
    const bool plain = url.starts_with("mqtt://"), secure = url.starts_with("mqtts://");
    if (plain) server = "tcp://" + url.substr(7);
    if (secure) server = "ssl://" + url.substr(8);
    const std::string host = server.size() > 6 ? server.substr(6) : "";
    if ((!plain && !secure) || host.empty() || host.find('@') != std::string::npos || host.find('/') != std::string::npos)
        return fail(
            ErrorCode::Usage, "--mqtt " + url, i18n("is no address of a broker"),
            i18n("write mqtt://HOST:PORT or mqtts://HOST:PORT; user and password belong into HALLWRIGHT_MQTT_USER and HALLWRIGHT_MQTT_PASSWORD"));
    if (host.find(':') == std::string::npos) server += secure ? ":8883" : ":1883";
    return std::unique_ptr<Output>(std::make_unique<MqttOutput>(hall, url, server, qos));
}

} // namespace hw::emulation
