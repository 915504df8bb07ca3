// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/telemetry/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

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
        const std::lock_guard lock(m_mutex);
        m_open.push_back(one);
        m_serving.emplace_back([this, one] { serve(one); });
    }
}

void HttpServer::serve(int one)
{
    std::string text;
    char room[4096];
    for (;;) {
        auto end = text.find("\r\n\r\n");
        while (end == std::string::npos) {
            const auto got = recv(one, room, sizeof room, 0);
            if (got <= 0) return;
            text.append(room, std::size_t(got));
            end = text.find("\r\n\r\n");
        }
        if (away) return (void)shutdown(one, SHUT_RDWR);
        HttpRequest request;
        request.method = text.substr(0, text.find(' '));
        const auto path = text.find(' ') + 1;
        request.path = text.substr(path, text.find(' ', path) - path);
        if (const auto at = text.find("Authorization: "); at < end) request.authorization = text.substr(at + 15, text.find("\r\n", at) - at - 15);
        if (const auto at = text.find("X-Auth-Token: "); at < end) request.token = text.substr(at + 14, text.find("\r\n", at) - at - 14);
        text.erase(0, end + 4);
        {
            const std::lock_guard lock(m_mutex);
            ++m_methods[request.method], ++m_paths[request.path];
        }
        const HttpReply reply = m_answer(request);
        const std::string out = "HTTP/1.1 " + std::to_string(reply.status) + " x\r\nContent-Length: " + std::to_string(reply.body.size()) +
                                (reply.status == 301 ? "\r\nLocation: /moved" : "") + "\r\n\r\n" + reply.body;
        send(one, out.data(), out.size(), MSG_NOSIGNAL);
    }
}
