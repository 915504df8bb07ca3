// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/telemetry/access.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace hw::telemetry {

/// How an attempt went.
struct MqttAnswer {
    bool done = false, refused = false; ///< refused: trying again is of no use (password, certificate)
    Text why;
};

/// A client of an MQTT broker that can subscribe and nothing else: it has no way to publish, and leaves no will behind. Every session is a new one.
class MqttReader {
public:
    using Message = std::function<void(std::string_view topic, std::string_view payload, bool retained)>; ///< may wait: the broker then does, too
    using Lost = std::function<void(const Text& why)>;

    MqttReader(const Url& broker, const Access& access, Message message, Lost lost); ///< both are called by a thread of the client
    ~MqttReader();
    MqttReader(const MqttReader&) = delete;
    MqttReader& operator=(const MqttReader&) = delete;

    [[nodiscard]] MqttAnswer connect(const std::stop_token& stop); ///< within ten seconds
    /// Asks for the topics, without waiting: their messages may come before the broker's answer does.
    void subscribe(const std::vector<std::string>& filters);
    /// Once, when the broker has answered: the filters that it said no to.
    [[nodiscard]] std::optional<std::vector<std::string>> answered();
    void disconnect();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace hw::telemetry
