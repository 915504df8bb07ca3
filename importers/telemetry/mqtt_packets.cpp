// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/mqtt_packets.h"

namespace hw::telemetry::mqtt {

namespace {

constexpr char kLevel = 4; ///< MQTT 3.1.1

std::size_t word(std::string_view bytes) { return std::size_t(std::uint8_t(bytes[0])) << 8 | std::uint8_t(bytes[1]); }

void putWord(std::string& out, std::size_t number)
{
    out += char(number >> 8);
    out += char(number & 0xFF);
}

void putText(std::string& out, std::string_view text)
{
    text = text.substr(0, 0xFFFF); // no longer one has a length (1.5.3)
    putWord(out, text.size());
    out += text;
}

std::string packet(Type type, std::uint8_t flags, std::string_view body)
{
    std::string out(1, char(std::uint8_t(type) << 4 | flags));
    std::size_t length = body.size();
    do { // seven bits a byte (2.2.3)
        const std::size_t low = length % 128;
        length /= 128;
        out += char(length > 0 ? low | 0x80 : low);
    } while (length > 0);
    out += body;
    return out;
}

} // namespace

std::optional<Packet> firstPacket(std::string_view received, bool& malformed)
{
    std::size_t length = 0, at = 1;
    for (unsigned shift = 0;; shift += 7, ++at) {
        if (shift > 21) {
            malformed = true;
            return std::nullopt;
        }
        if (at >= received.size()) return std::nullopt;
        const auto byte = std::uint8_t(received[at]);
        length |= std::size_t(byte & 0x7F) << shift;
        if ((byte & 0x80) == 0) break;
    }
    ++at;
    const auto head = std::uint8_t(received[0]);
    if (received.size() - at < length) return std::nullopt;
    return Packet{Type(head >> 4), std::uint8_t(head & 0x0F), received.substr(at, length), at + length};
}

std::optional<Message> messageOf(const Packet& packet)
{
    const std::string_view body = packet.body;
    const std::size_t number = (packet.flags & 0x06) != 0 ? 2 : 0; // behind the topic, where QoS is more than 0
    if (body.size() < 2 || body.size() < 2 + word(body) + number) return std::nullopt;
    const std::size_t topic = word(body);
    return Message{body.substr(2, topic), body.substr(2 + topic + number), (packet.flags & 0x01) != 0};
}

std::string connectPacket(const std::string& client, const std::string& user, const std::string& password, std::uint16_t keepAliveS)
{
    const bool named = !user.empty(), secret = named && !password.empty(); // no password without a name (3.1.2.9)
    std::string body;
    putText(body, "MQTT");
    body += kLevel;
    body += char(0x02 | (named ? 0x80 : 0) | (secret ? 0x40 : 0));
    putWord(body, keepAliveS);
    putText(body, client);
    if (named) putText(body, user);
    if (secret) putText(body, password);
    return packet(Type::Connect, 0, body);
}

std::string subscribePacket(std::uint16_t number, const std::vector<std::string>& filters)
{
    std::string body;
    putWord(body, number);
    for (const std::string& filter : filters) {
        putText(body, filter);
        body += char(0);
    }
    return packet(Type::Subscribe, 0x02, body);
}

std::string emptyPacket(Type type) { return packet(type, 0, {}); }

} // namespace hw::telemetry::mqtt
