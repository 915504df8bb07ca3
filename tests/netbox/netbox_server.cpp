// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/netbox/netbox_server.h"

#include "tests/netbox/netbox_store.h"

#include <algorithm>

using nlohmann::json;

struct NetboxServer::State {
    explicit State(NetboxOptions options) : store(std::move(options)) {}
    NetboxStore store;
};

NetboxServer::NetboxServer(NetboxOptions options)
    : m_state(std::make_unique<State>(std::move(options))), m_http([this](const HttpRequest& http) { return answer(http); })
{
}

NetboxServer::~NetboxServer() = default;

std::string NetboxServer::url() const { return m_http.url(); }

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

HttpReply NetboxServer::answer(const HttpRequest& http)
{
    const auto header = [&](const char* name) {
        const auto found = http.headers.find(name);
        return found == http.headers.end() ? std::string() : found->second;
    };
    NetboxRequest request{http.method, http.path, {}, header("x-netbox-branch"), http.authorization, http.body};
    if (const auto mark = request.path.find('?'); mark != std::string::npos) request.query = request.path.substr(mark + 1), request.path.resize(mark);
    if (const std::string match = header("if-match"); match.size() > 4)
        request.query += (request.query.empty() ? "if_match=" : "&if_match=") + match.substr(3, match.size() - 4);

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
    HttpReply out{reply.status, reply.status == 204 ? std::string() : reply.body.dump(), reply.headers, reply.hangUp};
    out.headers["Content-Type"] = "application/json";
    return out;
}
