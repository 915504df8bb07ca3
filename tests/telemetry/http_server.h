// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct HttpRequest {
    std::string method, path, authorization, token, body; ///< path with its query; token: X-Auth-Token
    std::map<std::string, std::string> headers;           ///< names in lower case
};
struct HttpReply {
    int status = 200;
    std::string body;
    std::map<std::string, std::string> headers{};
    bool hangUp = false; ///< ends the connection without a word
};

/// A small server for tests: answers what a function says, and counts what it is asked.
class HttpServer {
public:
    explicit HttpServer(std::function<HttpReply(const HttpRequest&)> answer);
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(m_port); }
    [[nodiscard]] std::map<std::string, int> methods() const; ///< how often each
    [[nodiscard]] std::map<std::string, int> paths() const;
    std::atomic<bool> away{false}; ///< hangs up on everybody

private:
    void accept();
    void serve(int socket);
    std::function<HttpReply(const HttpRequest&)> m_answer;
    int m_socket = -1;
    std::uint16_t m_port = 0;
    mutable std::mutex m_mutex;
    std::map<std::string, int> m_methods, m_paths;
    std::vector<int> m_open;
    std::vector<std::thread> m_serving;
    std::thread m_accepting;
};
