// SPDX-License-Identifier: GPL-3.0-or-later
// A server for tests that answers as NetBox 4.4 to 4.7 do, and refuses what NetBox refuses: required fields, keys that must be unique,
// choices, related objects (an id, or attributes that match exactly one), positions in racks, terminations of cables, components made from
// templates, bulk writes all or none, paging, tokens of both kinds, branches of netbox-branching. It was written from NetBox's documentation
// and models; where NetBox ignores a mistake in silence (an unknown field or filter), it says so here.
//
//     NetboxServer server({.version = "4.6.8"});
//     server.post("dcim/sites", {{"name", "A"}, {"slug", "a"}}); // straight into main, checked as over HTTP
//     HttpReader reader(server.url(), {...token = NetboxServer::kToken...});
#pragma once

#include "tests/telemetry/http_server.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

struct NetboxOptions {
    std::string version = "4.6.8";
    bool branching = false;            ///< netbox-branching is installed
    int pollsUntilReady = 2;           ///< GETs of a new branch until it is ready
    std::size_t mostPerPage = 1000;    ///< MAX_PAGE_SIZE
    std::size_t mostBytes = 2'621'440; ///< DATA_UPLOAD_MAX_MEMORY_SIZE
};

struct NetboxRequest {
    std::string method, path, query, branch, authorization, body; ///< path: "/api/dcim/sites/"
};
struct NetboxReply {
    int status = 200;
    nlohmann::json body;
    std::map<std::string, std::string> headers{};
    bool hangUp = false; ///< ends the connection without a word
};

class NetboxServer {
public:
    static constexpr const char* kToken = "0123456789abcdef0123456789abcdef01234567";                   ///< v1, may write
    static constexpr const char* kReadOnly = "fedcba9876543210fedcba9876543210fedcba98";                ///< v1
    static constexpr const char* kToken2 = "nbt_AbCdEfGhIjKl.0123456789abcdef0123456789abcdef01234567"; ///< v2 (4.5+), may write
    static constexpr const char* kReadOnly2 = "nbt_LkJiHgFeDcBa.0123456789abcdef0123456789abcdef01234567";

    explicit NetboxServer(NetboxOptions options = {});
    ~NetboxServer();
    NetboxServer(const NetboxServer&) = delete;
    NetboxServer& operator=(const NetboxServer&) = delete;

    [[nodiscard]] std::string url() const; ///< without "/api"

    /// The same as over HTTP by one who may write: `table` is "dcim/sites". What POST answers; a refusal too.
    nlohmann::json post(const std::string& table, const nlohmann::json& body, const std::string& branch = {});
    nlohmann::json get(const std::string& tableAndQuery, const std::string& branch = {}); ///< all pages of a list as one array
    nlohmann::json patch(const std::string& table, int id, const nlohmann::json& body, const std::string& branch = {});
    bool remove(const std::string& table, int id, const std::string& branch = {});
    /// A table without rules, of a plugin: "plugins/floorplan/floorplans".
    void addPlugin(const std::string& name, const std::vector<std::string>& tables);

    [[nodiscard]] std::size_t count(const std::string& table, const std::string& branch = {}) const;
    [[nodiscard]] std::vector<NetboxRequest> requests() const;
    void forgetRequests();
    [[nodiscard]] int writes() const;                    ///< requests that were not GET, refused ones too
    [[nodiscard]] std::set<std::string> ignored() const; ///< "dcim/racks: color": fields and filters that NetBox would ignore in silence
    /// Asked before every answer over HTTP; what it returns is sent instead.
    void intercept(std::function<std::optional<NetboxReply>(const NetboxRequest&)> instead);

private:
    struct State;
    [[nodiscard]] HttpReply answer(const HttpRequest& http);
    std::unique_ptr<State> m_state;
    mutable std::mutex m_mutex;
    std::function<std::optional<NetboxReply>(const NetboxRequest&)> m_instead;
    std::vector<NetboxRequest> m_requests;
    HttpServer m_http; ///< the last: it ends before what its answers use
};
