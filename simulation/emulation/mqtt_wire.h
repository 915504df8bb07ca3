// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hw::emulation {

/// Publishes to an MQTT 3.1.1 broker at QoS 0, many messages a write: what a client library hands over one by one costs an emulated hall of
/// 100,000 values a second two cores. Only publishes. Used by one thread.
class MqttWire {
public:
    struct Server {
        std::string host;
        std::uint16_t port = 1883;
        bool secure = false;                ///< TLS; the broker's certificate is checked
        std::string user, password;         ///< empty: none
        std::string ca, certificate, key{}; ///< files, PEM; empty: those of the system, none
    };
    explicit MqttWire(Server server);
    ~MqttWire(); ///< takes its leave
    MqttWire(const MqttWire&) = delete;
    MqttWire& operator=(const MqttWire&) = delete;

    /// Why it did not work; empty: it is connected. Waits so long at most.
    [[nodiscard]] Text connect(std::chrono::milliseconds most);
    [[nodiscard]] bool connected() const;
    /// Into the buffer, which goes out when it is full.
    void publish(std::string_view topic, std::string_view payload, bool retained);
    /// What is in the buffer goes out; now and then it asks whether the broker still lives.
    void flush();
    /// The broker has taken everything: it answers what was asked last. False: it does not.
    [[nodiscard]] bool settle(std::chrono::milliseconds most);
    [[nodiscard]] std::uint64_t lost() const { return m_lost; } ///< messages that found no connection

private:
    struct Line;
    void drop();
    [[nodiscard]] bool write(std::string_view bytes);
    void ask();
    /// Reads answers that are there, or waits for one.
    bool read(std::chrono::milliseconds most);

    Server m_server;
    std::unique_ptr<Line> m_line;
    std::string m_buffer;
    std::uint64_t m_inBuffer = 0, m_lost = 0;
    std::uint64_t m_asked = 0, m_answered = 0;
    std::chrono::steady_clock::time_point m_lastAsked{}, m_lastHeard{};
};

} // namespace hw::emulation
