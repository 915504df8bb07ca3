// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/live/soak_bench.h"
#include "tests/bench/live/telemetrygen.h"

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hw::bench {

namespace {

/// A packet of MQTT 3.1.1: type and flags, length base 128 (2.2.3), then the rest.
void putPacket(std::string& out, char type, const std::string& rest)
{
    out.push_back(type);
    std::size_t length = rest.size();
    do {
        out.push_back(char((length & 127) | (length > 127 ? 128 : 0)));
        length >>= 7;
    } while (length > 0);
    out += rest;
}

std::string sized(const std::string& text) { return {char(text.size() >> 8), char(text.size() & 255)}; }

bool sendAll(int socket, const std::string& bytes)
{
    for (std::size_t at = 0; at < bytes.size();) {
        const auto sent = ::send(socket, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        at += std::size_t(sent);
    }
    return true;
}

int connected(int port)
{
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(std::uint16_t(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) return -1;
    std::string hello;
    const std::string name = "publisher";
    putPacket(hello, 0x10, sized("MQTT") + std::string("MQTT\x04\x02\x00\x00", 8) + sized(name) + name); // 3.1: level 4, clean session, never asked
    char answer[4];
    if (!sendAll(socket, hello) || ::recv(socket, answer, 4, MSG_WAITALL) != 4 || answer[3] != 0) return -1;
    return socket;
}

void putValues(std::string& out, int device, int together, std::int64_t timeMs, std::int64_t round)
{
    std::string text = "{\"timestamp\":" + std::to_string(timeMs);
    char number[40];
    for (int i = 0; i < together; ++i) {
        std::snprintf(number, sizeof number, ",\"v%d\":%.10g", i, sensor(std::uint32_t(device * together + i), round));
        text += number;
    }
    const std::string topic = "soak/device" + std::to_string(device);
    putPacket(out, 0x30, sized(topic) + topic + text + '}');
}

} // namespace

int publish(int port, int seconds, int perSecond, int channels, int together)
{
    using Clock = std::chrono::steady_clock;
    const int socket = connected(port);
    if (socket < 0) return (std::perror("publisher"), 1);
    const int devices = channels / together;
    long long published = 0;
    const auto start = Clock::now();
    std::string bytes;
    for (long long message = 0; message * together < 1LL * seconds * perSecond; ++message) {
        const auto due = start + std::chrono::microseconds(message * together * 1'000'000 / perSecond);
        if (Clock::now() < due || bytes.size() > 60'000) {
            if (!sendAll(socket, bytes)) return (std::perror("publisher"), 1);
            bytes.clear();
            std::this_thread::sleep_until(due);
        }
        const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
        putValues(bytes, int(message % devices), together, now, message / devices);
        published += together;
    }
    if (!sendAll(socket, bytes)) return (std::perror("publisher"), 1);
    std::printf("%lld %.2f\n", published, std::chrono::duration<double>(Clock::now() - start).count());
    ::send(socket, "\xe0\x00", 2, MSG_NOSIGNAL); // DISCONNECT
    ::close(socket);
    return 0;
}

} // namespace hw::bench
