// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/netbox/netbox_server.h"

#include "tests/netbox/netbox_store.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

using nlohmann::json;

struct NetboxServer::State {
    explicit State(NetboxOptions options) : store(std::move(options)) {}
    NetboxStore store;
};

NetboxServer::NetboxServer(NetboxOptions options) : m_state(std::make_unique<State>(std::move(options))), m_socket(socket(AF_INET, SOCK_STREAM, 0))
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

NetboxServer::~NetboxServer()
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

std::string NetboxServer::url() const { return "http://127.0.0.1:" + std::to_string(m_port); }

json NetboxServer::post(const std::string& table, const json& body, const std::string& branch)
{
    const std::lock_guard lock(m_mutex);
    return m_state->store.answer({"POST", "/api/" + table + '/', {}, branch, {}, body.dump()}, true).body;
}

json NetboxServer::get(const std::string& tableAndQuery, const std::string& branch)
{
    const std::lock_guard lock(m_mutex);
    const auto mark = tableAndQuery.find('?');
    const std::string table = tableAndQuery.substr(0, mark), query = mark == std::string::npos ? "" : tableAndQuery.substr(mark + 1);
    json all = json::array();
    for (std::size_t offset = 0;;) {
        const auto page = m_state->store
                              .answer({"GET",
                                       "/api/" + table + '/',
                                       query + (query.empty() ? "" : "&") + "limit=1000&offset=" + std::to_string(offset),
                                       branch,
                                       {},
                                       {}},
                                      true)
                              .body;
        if (!page.contains("results")) return page;
        for (const auto& row : page["results"]) all.push_back(row);
        offset += page["results"].size();
        if (page["next"].is_null()) return all;
    }
}

json NetboxServer::patch(const std::string& table, int id, const json& body, const std::string& branch)
{
    const std::lock_guard lock(m_mutex);
    return m_state->store.answer({"PATCH", "/api/" + table + '/' + std::to_string(id) + '/', {}, branch, {}, body.dump()}, true).body;
}

bool NetboxServer::remove(const std::string& table, int id, const std::string& branch)
{
    const std::lock_guard lock(m_mutex);
    return m_state->store.answer({"DELETE", "/api/" + table + '/' + std::to_string(id) + '/', {}, branch, {}, {}}, true).status == 204;
}

void NetboxServer::addPlugin(const std::string& name, const std::vector<std::string>& tables)
{
    const std::lock_guard lock(m_mutex);
    m_state->store.addPlugin(name, tables);
}

std::size_t NetboxServer::count(const std::string& table, const std::string& branch) const
{
    const std::lock_guard lock(m_mutex);
    return m_state->store.count(table, branch);
}

std::vector<NetboxRequest> NetboxServer::requests() const
{
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

void NetboxServer::forgetRequests()
{
    const std::lock_guard lock(m_mutex);
    m_requests.clear();
}

int NetboxServer::writes() const
{
    const std::lock_guard lock(m_mutex);
    return int(std::ranges::count_if(m_requests, [](const NetboxRequest& one) { return one.method != "GET"; }));
}

std::set<std::string> NetboxServer::ignored() const
{
    const std::lock_guard lock(m_mutex);
    return m_state->store.ignored;
}

void NetboxServer::intercept(std::function<std::optional<NetboxReply>(const NetboxRequest&)> instead)
{
    const std::lock_guard lock(m_mutex);
    m_instead = std::move(instead);
}

void NetboxServer::accept()
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

void NetboxServer::serve(int one)
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
        const std::string head = text.substr(0, end + 2);
        text.erase(0, end + 4);
        const auto header = [&](std::string name) {
            const auto same = [](char a, char b) {
                return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
            };
            name = "\r\n" + name + ": ";
            const auto at = std::search(head.begin(), head.end(), name.begin(), name.end(), same);
            if (at == head.end()) return std::string();
            const auto from = std::size_t(at - head.begin()) + name.size();
            return head.substr(from, head.find("\r\n", from) - from);
        };
        NetboxRequest request;
        request.method = head.substr(0, head.find(' '));
        const auto target = head.find(' ') + 1;
        request.path = head.substr(target, head.find(' ', target) - target);
        if (const auto mark = request.path.find('?'); mark != std::string::npos)
            request.query = request.path.substr(mark + 1), request.path.resize(mark);
        request.branch = header("X-NetBox-Branch"), request.authorization = header("Authorization");
        if (const std::string match = header("If-Match"); match.size() > 4)
            request.query += (request.query.empty() ? "if_match=" : "&if_match=") + match.substr(3, match.size() - 4);
        const std::string length = header("Content-Length");
        if (header("Expect") == "100-continue") send(one, "HTTP/1.1 100 Continue\r\n\r\n", 25, MSG_NOSIGNAL);
        const std::size_t size = length.empty() ? 0 : std::stoul(length);
        while (text.size() < size)
            if (!more()) return;
        request.body = text.substr(0, size);
        text.erase(0, size);

        NetboxReply reply;
        {
            const std::lock_guard lock(m_mutex);
            m_requests.push_back(request);
            const bool v2 = m_state->store.minor() >= 5;
            const auto is = [&](const char* scheme, const char* token) { return request.authorization == std::string(scheme) + token; };
            const bool writer = is("Token ", kToken) || (v2 && is("Bearer ", kToken2)),
                       reader = is("Token ", kReadOnly) || (v2 && is("Bearer ", kReadOnly2));
            const auto instead = m_instead ? m_instead(request) : std::nullopt;
            if (instead)
                reply = *instead;
            else if (!writer && !reader)
                reply = {403, {{"detail", request.authorization.empty() ? "Authentication credentials were not provided." : "Invalid token"}}};
            else
                reply = m_state->store.answer(request, writer);
        }
        if (reply.hangUp) return (void)shutdown(one, SHUT_RDWR);
        const std::string body = reply.status == 204 ? std::string() : reply.body.dump();
        std::string out = "HTTP/1.1 " + std::to_string(reply.status) +
                          " x\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
        for (const auto& [name, value] : reply.headers) out += name + ": " + value + "\r\n";
        out += "\r\n" + body;
        for (std::size_t sent = 0; sent < out.size();) {
            const auto now = send(one, out.data() + sent, out.size() - sent, MSG_NOSIGNAL);
            if (now <= 0) return;
            sent += std::size_t(now);
        }
    }
}
