// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hw::telemetry::mqtt {

/// Control packets of MQTT 3.1.1 (OASIS standard, section 2.2.1) that a client which only subscribes sends and receives.
enum class Type : std::uint8_t { Connect = 1, Answer = 2, Publish = 3, Subscribe = 8, Subscribed = 9, Ping = 12, Alive = 13, Disconnect = 14 };

/// A packet as it lies in what was received.
struct Packet {
    Type type = Type::Publish;
    std::uint8_t flags = 0;
    std::string_view body;
    std::size_t size = 0; ///< with its header
};
/// The first packet of what was received. Nothing: more has to come, or `malformed` (2.2.3: a length has four bytes at most).
[[nodiscard]] std::optional<Packet> firstPacket(std::string_view received, bool& malformed);

struct Message {
    std::string_view topic, payload;
    bool retained = false;
};
/// Of a packet of Type::Publish (3.3); nothing: it is malformed.
[[nodiscard]] std::optional<Message> messageOf(const Packet& packet);

/// A session of its own (3.1): clean, without a will. Empty user: none.
[[nodiscard]] std::string connectPacket(const std::string& client, const std::string& user, const std::string& password, std::uint16_t keepAliveS);
/// All at QoS 0 (3.8). `number` is that of the answer.
[[nodiscard]] std::string subscribePacket(std::uint16_t number, const std::vector<std::string>& filters);
[[nodiscard]] std::string emptyPacket(Type type); ///< Ping, Disconnect

} // namespace hw::telemetry::mqtt
