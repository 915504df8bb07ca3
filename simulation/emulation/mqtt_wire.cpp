// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/mqtt_wire.h"

#include <cerrno>
#include <cstring>

#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace hw::emulation {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kFull = 128 * 1024;
constexpr auto kAskEvery = 10s, kPatience = 25s;
constexpr int kKeepAliveS = 60;

/// A length as MQTT writes it: seven bits a byte.
void putLength(std::string& out, std::size_t length)
{
    do {
        const char low = char(length % 128);
        length /= 128;
        out += length > 0 ? char(low | char(0x80)) : low;
    } while (length > 0);
}

void putText(std::string& out, std::string_view text)
{
    out += char(text.size() >> 8);
    out += char(text.size() & 0xFF);
    out += text;
}

Text tlsError()
{
    char text[256] = "";
    ERR_error_string_n(ERR_get_error(), text, sizeof text);
    return verbatim(text);
}
Text systemError(int number) { return verbatim(std::strerror(number)); }

} // namespace

/// The connection: a socket, and TLS over it where that is asked for.
struct MqttWire::Line {
    int socket = -1;
    SSL_CTX* context = nullptr;
    SSL* tls = nullptr;
    ~Line()
    {
        SSL_free(tls);
        SSL_CTX_free(context);
        if (socket >= 0) ::close(socket);
    }
    /// Empty: it stands.
    Text open(const Server& server, std::chrono::milliseconds most)
    {
        addrinfo hints{}, *found = nullptr;
        hints.ai_socktype = SOCK_STREAM;
        if (const int wrong = ::getaddrinfo(server.host.c_str(), std::to_string(server.port).c_str(), &hints, &found))
            return verbatim(::gai_strerror(wrong));
        Text why = systemError(EHOSTUNREACH);
        const auto seconds = std::max<long>(1, long(most.count() / 1000));
        const timeval limit{seconds, 0};
        for (const addrinfo* at = found; at; at = at->ai_next) {
            socket = ::socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
            if (socket < 0) continue;
            ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit); // of connecting too
            ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
            if (::connect(socket, at->ai_addr, at->ai_addrlen) == 0) break;
            why = systemError(errno);
            ::close(std::exchange(socket, -1));
        }
        ::freeaddrinfo(found);
        if (socket < 0) return why;
        const timeval patience{std::chrono::seconds(kPatience).count(), 0}; // a slow broker sets the pace
        ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        const int yes = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        return server.secure ? secure(server) : Text();
    }
    Text secure(const Server& server)
    {
        context = SSL_CTX_new(TLS_client_method());
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
        const bool trusted = server.ca.empty() ? SSL_CTX_set_default_verify_paths(context) == 1
                                               : SSL_CTX_load_verify_locations(context, server.ca.c_str(), nullptr) == 1;
        if (!trusted) return tlsError();
        if (!server.certificate.empty() && SSL_CTX_use_certificate_chain_file(context, server.certificate.c_str()) != 1) return tlsError();
        if (!server.key.empty() && SSL_CTX_use_PrivateKey_file(context, server.key.c_str(), SSL_FILETYPE_PEM) != 1) return tlsError();
        tls = SSL_new(context);
        SSL_set_tlsext_host_name(tls, server.host.c_str());
        SSL_set1_host(tls, server.host.c_str());
        SSL_set_fd(tls, socket);
        return SSL_connect(tls) == 1 ? Text() : tlsError();
    }
    [[nodiscard]] long send(const char* bytes, std::size_t n) const
    {
        return tls ? SSL_write(tls, bytes, int(n)) : ::send(socket, bytes, n, MSG_NOSIGNAL);
    }
    [[nodiscard]] long receive(char* bytes, std::size_t n) const { return tls ? SSL_read(tls, bytes, int(n)) : ::recv(socket, bytes, n, 0); }
    [[nodiscard]] bool hasInput(std::chrono::milliseconds most) const
    {
        if (tls && SSL_pending(tls) > 0) return true;
        pollfd in{socket, POLLIN, 0};
        return ::poll(&in, 1, int(most.count())) > 0;
    }
};

MqttWire::MqttWire(Server server) : m_server(std::move(server)) {}

MqttWire::~MqttWire()
{
    if (!m_line) return;
    flush();
    (void)write(std::string("\xE0\0", 2)); // DISCONNECT
}

bool MqttWire::connected() const { return m_line != nullptr; }

Text MqttWire::connect(std::chrono::milliseconds most)
{
    auto line = std::make_unique<Line>();
    if (auto why = line->open(m_server, most); !why.empty()) return why;
    std::string body;
    putText(body, "MQTT");
    body += '\4'; // 3.1.1
    body += char(0x02 | (m_server.user.empty() ? 0 : 0x80) | (m_server.password.empty() ? 0 : 0x40));
    body += char(kKeepAliveS >> 8);
    body += char(kKeepAliveS);
    putText(body, fmt::format("hallwright-emulate-{}", ::getpid()));
    if (!m_server.user.empty()) putText(body, m_server.user);
    if (!m_server.password.empty()) putText(body, m_server.password);
    std::string packet = "\x10";
    putLength(packet, body.size());
    packet += body;
    if (line->send(packet.data(), packet.size()) != long(packet.size())) return i18n("connection closed by the broker");
    char answer[4]{};
    std::size_t got = 0;
    while (got < sizeof answer && line->hasInput(most)) {
        const long n = line->receive(answer + got, sizeof answer - got);
        if (n <= 0) break;
        got += std::size_t(n);
    }
    if (got < sizeof answer || answer[0] != 0x20) return i18n("response is not from an MQTT broker");
    if (answer[3] == 4 || answer[3] == 5) return i18n("user or password rejected");
    if (answer[3] != 0) return i18n("connection rejected with code {}", int(answer[3]));
    m_line = std::move(line);
    m_buffer.clear(), m_inBuffer = 0, m_asked = m_answered = 0;
    m_lastAsked = m_lastHeard = Clock::now();
    return {};
}

void MqttWire::drop()
{
    m_line.reset();
    m_lost += m_inBuffer;
    m_buffer.clear(), m_inBuffer = 0;
}

bool MqttWire::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const long sent = m_line->send(bytes.data(), bytes.size());
        if (sent <= 0) return false;
        bytes.remove_prefix(std::size_t(sent));
    }
    return true;
}

void MqttWire::publish(std::string_view topic, std::string_view payload, bool retained)
{
    if (!m_line) {
        ++m_lost;
        return;
    }
    m_buffer += char(retained ? 0x31 : 0x30);
    putLength(m_buffer, 2 + topic.size() + payload.size());
    putText(m_buffer, topic);
    m_buffer += payload;
    ++m_inBuffer;
    if (m_buffer.size() >= kFull) flush();
}

void MqttWire::ask()
{
    m_buffer += std::string("\xC0\0", 2); // PINGREQ
    ++m_asked;
    m_lastAsked = Clock::now();
}

void MqttWire::flush()
{
    if (!m_line) return;
    if (Clock::now() - m_lastAsked > kAskEvery) ask();
    if (!write(m_buffer)) return drop();
    m_buffer.clear(), m_inBuffer = 0;
    if (!read(0ms) || Clock::now() - m_lastHeard > kPatience + kAskEvery) drop();
}

/// The only answers are those to PINGREQ: two bytes each.
bool MqttWire::read(std::chrono::milliseconds most)
{
    while (m_line->hasInput(most)) {
        char bytes[256];
        const long got = m_line->receive(bytes, sizeof bytes);
        if (got <= 0) return false;
        for (long i = 0; i < got; ++i) m_answered += static_cast<unsigned char>(bytes[i]) == 0xD0;
        m_lastHeard = Clock::now();
        most = 0ms;
    }
    return true;
}

bool MqttWire::settle(std::chrono::milliseconds most)
{
    if (!m_line) return false;
    ask();
    flush();
    const auto until = Clock::now() + most;
    while (m_line && m_answered < m_asked && Clock::now() < until)
        if (!read(100ms)) drop();
    return m_line && m_answered >= m_asked;
}

} // namespace hw::emulation
