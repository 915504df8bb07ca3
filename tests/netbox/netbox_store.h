// SPDX-License-Identifier: GPL-3.0-or-later
// What the server for tests keeps, and its answers: NetBox without HTTP.
#pragma once

#include "tests/netbox/netbox_schema.h"
#include "tests/netbox/netbox_server.h"

/// The rows of one branch, as they are stored: choices as words, related objects as ids.
using NetboxRows = std::map<std::string, std::map<int, nlohmann::json>>;

class NetboxStore {
public:
    explicit NetboxStore(NetboxOptions options);
    [[nodiscard]] NetboxReply answer(const NetboxRequest& request, bool mayWrite);
    [[nodiscard]] std::size_t count(const std::string& table, const std::string& branch) const;
    void addPlugin(const std::string& name, const std::vector<std::string>& tables);
    std::set<std::string> ignored;
    [[nodiscard]] int minor() const { return m_minor; }

private:
    using Json = nlohmann::json;
    using Errors = std::map<std::string, std::string>;
    [[nodiscard]] const netbox_schema::Table* tableOf(const std::string& name) const;
    [[nodiscard]] NetboxRows& rowsOf(const netbox_schema::Table& table);
    [[nodiscard]] std::map<int, Json>& of(const std::string& table);

    NetboxReply list(const netbox_schema::Table& table, const NetboxRequest& request);
    NetboxReply write(const netbox_schema::Table& table, const NetboxRequest& request, std::optional<int> id);
    NetboxReply remove(const netbox_schema::Table& table, const NetboxRequest& request, std::optional<int> id);
    NetboxReply branchCall(const NetboxRequest& request, int id, const std::string& what);
    NetboxReply terminations(const NetboxRequest& request);

    /// The row as it would be stored; what is wrong with it goes to `errors`.
    Json checked(const netbox_schema::Table& table, const Json& body, const Json* old, Errors& errors);
    void checkField(const netbox_schema::Table& table, const netbox_schema::Field& field, const Json& value, Json& row, Errors& errors);
    std::optional<int> related(const std::string& table, const Json& value, std::string& why);
    void checkKeys(const netbox_schema::Table& table, const Json& row, Errors& errors);
    void checkRules(const netbox_schema::Table& table, Json& row, const Json* old, const Json& body, Errors& errors);
    void checkDevice(Json& row, Errors& errors);
    void checkCable(const Json& row, Errors& errors);
    int store(const netbox_schema::Table& table, Json row);
    void instantiate(int device, int type);
    void detach(int cable);

    [[nodiscard]] Json shown(const netbox_schema::Table& table, const Json& row);
    [[nodiscard]] Json brief(const std::string& table, int id);
    [[nodiscard]] Json customFields(const netbox_schema::Table& table, const Json& row);
    void showCabling(const netbox_schema::Table& table, const Json& row, Json& out);
    [[nodiscard]] std::vector<std::pair<std::string, int>> otherSide(const std::string& table, int id);
    [[nodiscard]] std::vector<std::pair<std::string, int>> farEnds(const std::string& table, int id);
    [[nodiscard]] bool matches(const netbox_schema::Table& table, const Json& row, const std::string& key, const std::vector<std::string>& values);
    [[nodiscard]] std::string url(const std::string& table, int id) const;

    NetboxOptions m_options;
    int m_minor = 6;
    std::map<std::string, NetboxRows> m_branches; ///< by schema id; "" is main
    NetboxRows* m_now = nullptr;
    std::map<std::string, int> m_lastId; ///< of main's sequence, which branches share
    std::map<int, int> m_polls;          ///< of a branch that is not ready
    std::map<std::string, netbox_schema::Table> m_plugins;
    std::vector<std::string> m_pluginNames;
    std::map<std::string, std::vector<std::map<std::string, int>>> m_keys; ///< of the tables of one call: their unique keys
    std::string m_request;                                                 ///< X-Request-ID of the current one
    int m_requests = 0;
};
