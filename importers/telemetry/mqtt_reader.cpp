// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/mqtt_reader.h"

#include "importers/telemetry/http_reader.h"

#include <chrono>
#include <random>

#include <fmt/format.h>
#include <mqtt/async_client.h>

namespace hw::telemetry {

namespace {

using namespace std::chrono_literals;
constexpr auto kLongestWait = 5s;

std::string newId()
{
    std::random_device random;
    return fmt::format("hallwright-{:08x}{:08x}", random(), random());
}

mqtt::connect_options optionsOf(const Url& broker, const Access& access)
{
    mqtt::connect_options options;
    options.set_mqtt_version(MQTTVERSION_3_1_1);
    options.set_clean_session(true);
    options.set_automatic_reconnect(false);
    options.set_keep_alive_interval(20);
    options.set_connect_timeout(int(kLongestWait.count()));
    if (!access.user.empty()) options.set_user_name(access.user);
    if (!access.password.empty()) options.set_password(access.password);
    if (broker.scheme != "mqtts") return options;
    mqtt::ssl_options ssl;
    ssl.set_enable_server_cert_auth(true);
    ssl.set_verify(true); // the name in the certificate, too
    ssl.set_ssl_version(MQTT_SSL_VERSION_TLS_1_2);
    ssl.set_trust_store(access.ca.empty() ? "/etc/ssl/certs/ca-certificates.crt" : access.ca.string());
    if (!access.certificate.empty()) ssl.set_key_store(access.certificate.string());
    if (!access.key.empty()) ssl.set_private_key(access.key.string());
    options.set_ssl(ssl);
    return options;
}

/// Waits for what was asked for. False: stopped, or too late.
bool waitFor(const mqtt::token_ptr& token, const std::stop_token& stop)
{
    const auto until = std::chrono::steady_clock::now() + kLongestWait;
    while (!stop.stop_requested() && std::chrono::steady_clock::now() < until)
        if (token->wait_for(50ms)) return true;
    return false;
}

/// MQTT 3.1.1, table 3.1.
std::optional<Text> refusal(int code)
{
    switch (code) {
    case 1: return i18n("broker does not support MQTT 3.1.1");
    case 2: return i18n("client identifier rejected by the broker");
    case 4: return i18n("user name or password rejected by the broker");
    case 5: return i18n("not authorized by the broker");
    default: return std::nullopt;
    }
}

} // namespace

struct MqttReader::State {
    Url broker;
    Access access;
    std::unique_ptr<mqtt::async_client> client;
    std::vector<std::string> filters;
    mqtt::token_ptr asked; ///< not answered yet
};

MqttReader::MqttReader(const Url& broker, const Access& access, Message message, Lost lost) : m_state(std::make_unique<State>())
{
    State& s = *m_state;
    s.broker = broker, s.access = access;
    Url place = broker;
    place.scheme = broker.scheme == "mqtts" ? "ssl" : "tcp";
    s.client = std::make_unique<mqtt::async_client>(place.address(), newId());
    s.client->set_message_callback([message = std::move(message)](const mqtt::const_message_ptr& m) {
        const auto& payload = m->get_payload_ref();
        const auto& topic = m->get_topic_ref();
        message({topic.data(), topic.length()}, {payload.data(), payload.length()}, m->is_retained());
    });
    constexpr std::string_view kNoReason = "connection lost"; // no text
    s.client->set_connection_lost_handler([lost = std::move(lost), kNoReason](const std::string& why) {
        lost(why.empty() || why == kNoReason ? i18n("connection closed by the broker") : i18n("connection closed by the broker: {}", why));
    });
}

MqttReader::~MqttReader() { disconnect(); }

MqttAnswer MqttReader::connect(const std::stop_token& stop)
{
    State& s = *m_state;
    try {
        const auto token = s.client->connect(optionsOf(s.broker, s.access));
        if (!waitFor(token, stop)) return {false, false, i18n("broker does not respond")};
        return {true, false, {}};
    } catch (const mqtt::exception& error) {
        if (const auto refused = refusal(error.get_return_code())) return {false, true, *refused};
        // The client says no more than that it failed; the other library knows why.
        Url place = s.broker;
        place.scheme = place.scheme == "mqtts" ? "https" : "http";
        const auto greeting = HttpReader(place.address(), s.access).greet(stop);
        if (!greeting.why.empty()) return {false, greeting.distrusted, greeting.why};
        return {false, false,
                s.broker.scheme == "mqtts" ? i18n("connection rejected by the broker; it may require a client certificate")
                                           : i18n("connection rejected by the broker; it may require TLS (mqtts)")};
    }
}

void MqttReader::subscribe(const std::vector<std::string>& filters)
{
    m_state->filters = filters;
    try {
        m_state->asked = m_state->client->subscribe(mqtt::string_collection::create(filters), mqtt::iasync_client::qos_collection(filters.size(), 0));
    } catch (const mqtt::exception&) { // the connection is lost, and that is reported
    }
}

std::optional<std::vector<std::string>> MqttReader::answered()
{
    if (!m_state->asked || !m_state->asked->is_complete()) return std::nullopt;
    std::vector<std::string> out;
    const auto answered = std::exchange(m_state->asked, nullptr);
    if (answered->get_return_code() != MQTTASYNC_SUCCESS) return out;
    const auto codes = answered->get_subscribe_response().get_reason_codes();
    for (std::size_t i = 0; i < std::min(codes.size(), m_state->filters.size()); ++i)
        if (codes[i] >= 0x80) out.push_back(m_state->filters[i]);
    return out;
}

void MqttReader::disconnect()
{
    try {
        if (m_state->client->is_connected()) m_state->client->disconnect(200)->wait_for(300ms);
    } catch (const mqtt::exception&) { // it was gone
    }
    m_state->client->disable_callbacks();
}

} // namespace hw::telemetry
