// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/telemetry/http_server.h"

#include <cctype>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

/// The first line and the headers, each with its line end.
HttpRequest readHead(const std::string& head)
{
    HttpRequest request;
    request.method = head.substr(0, head.find(' '));
    const auto path = head.find(' ') + 1;
    request.path = head.substr(path, head.find(' ', path) - path);
    for (std::size_t at = head.find("\r\n") + 2; at < head.size();) {
        const std::size_t end = head.find("\r\n", at), colon = head.find(": ", at);
        if (end == std::string::npos) break;
        if (colon < end) {
            std::string name = head.substr(at, colon - at);
            for (char& c : name) c = char(std::tolower(static_cast<unsigned char>(c)));
            request.headers[name] = head.substr(colon + 2, end - colon - 2);
        }
        at = end + 2;
    }
    request.authorization = request.headers["authorization"], request.token = request.headers["x-auth-token"];
    return request;
}

} // namespace

HttpServer::HttpServer(std::function<HttpReply(const HttpRequest&)> answer) : m_answer(std::move(answer)), m_socket(socket(AF_INET, SOCK_STREAM, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (bind(m_socket, reinterpret_cast<sockaddr*>(&address), length) != 0 || listen(m_socket, 16) != 0) std::abort();
    getsockname(m_socket, reinterpret_cast<sockaddr*>(&address), &length);
    m_port = ntohs(address.sin_port);
    m_accepting = std::thread([this] { accept(); });
}

HttpServer::~HttpServer()
{
    shutdown(m_socket, SHUT_RDWR);
    m_accepting.join();
    {
        const std::lock_guard lock(m_mutex);
        for (const int one : m_open) shutdown(one, SHUT_RDWR);
    }
    for (auto& thread : m_serving) thread.join();
    for (const int one : m_open) close(one);
    close(m_socket);
}

std::map<std::string, int> HttpServer::methods() const
{
    const std::lock_guard lock(m_mutex);
    return m_methods;
}

std::map<std::string, int> HttpServer::paths() const
{
    const std::lock_guard lock(m_mutex);
    return m_paths;
}

void HttpServer::accept()
{
    for (;;) {
        const int one = ::accept(m_socket, nullptr, nullptr);
        if (one < 0) return;
        const int yes = 1;
        setsockopt(one, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        const std::lock_guard lock(m_mutex);
        m_open.push_back(one);
        m_serving.emplace_back([this, one] { serve(one); });
    }
}

void HttpServer::serve(int one)
{
    std::string text;
    char room[65536];
    const auto more = [&] {
        const auto got = recv(one, room, sizeof room, 0);
        if (got > 0) text.append(room, std::size_t(got));
        return got > 0;
    };
    for (;;) {
        auto end = text.find("\r\n\r\n");
        for (; end == std::string::npos; end = text.find("\r\n\r\n"))
            if (!more()) return;
        if (away) return (void)shutdown(one, SHUT_RDWR);
        HttpRequest request = readHead(text.substr(0, end + 2));
        text.erase(0, end + 4);
        if (request.headers["expect"] == "100-continue") send(one, "HTTP/1.1 100 Continue\r\n\r\n", 25, MSG_NOSIGNAL);
        const std::string& length = request.headers["content-length"];
        const std::size_t size = length.empty() ? 0 : std::stoul(length);
        while (text.size() < size)
            if (!more()) return;
        request.body = text.substr(0, size);
        text.erase(0, size);
        {
            const std::lock_guard lock(m_mutex);
            ++m_methods[request.method], ++m_paths[request.path];
        }
        const HttpReply reply = m_answer(request);
        if (reply.hangUp) return (void)shutdown(one, SHUT_RDWR);
        std::string out = "HTTP/1.1 " + std::to_string(reply.status) + " x\r\nContent-Length: " + std::to_string(reply.body.size()) +
                          (reply.status == 301 ? "\r\nLocation: /moved\r\n" : "\r\n");
        for (const auto& [name, value] : reply.headers) out += name + ": " + value + "\r\n";
        out += "\r\n" + reply.body;
        for (std::size_t sent = 0; sent < out.size();) {
            const auto now = send(one, out.data() + sent, out.size() - sent, MSG_NOSIGNAL);
            if (now <= 0) return;
            sent += std::size_t(now);
        }
    }
}
