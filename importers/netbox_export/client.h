// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "importers/telemetry/access.h"

#include <chrono>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hw::netbox {

/// What a server answered; status 0: nothing, see `why`.
struct Answer {
    int status = 0;
    nlohmann::json body; ///< discarded where it is no JSON
    Text why;
    bool stopped = false; ///< by the user
    [[nodiscard]] bool good() const { return status >= 200 && status < 300; }
    /// Worth another try: no answer, a conflict of writers, a fault or a rest of the server.
    [[nodiscard]] bool passing() const { return !stopped && (status == 0 || status == 409 || status == 429 || status >= 500); }
};

/// How often and how long a request is tried.
struct Patience {
    int tries = 4;
    std::chrono::milliseconds first{500}; ///< until the second try; then twice as long each time
    std::chrono::seconds limit{120};      ///< of one request: cables are slow
};

/// The REST API of one NetBox. The token goes into a header and nowhere else. Follows no redirection. One thread at a time.
class Client {
public:
    /// `url` with or without "/api". Error: Usage.
    [[nodiscard]] static Result<std::unique_ptr<Client>> open(const std::string& url, const telemetry::Access& access, Patience patience,
                                                              std::stop_token stop);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// One request, tried once; `path` begins behind "/api/".
    [[nodiscard]] Answer ask(const char* method, const std::string& path, const nlohmann::json* body = nullptr);
    /// GET with patience.
    [[nodiscard]] Result<nlohmann::json> get(const std::string& path);
    /// All rows of a list, page by page; `query` without limit and offset, may be empty. Links of answers are not followed: behind a proxy they
    /// carry an inner host.
    [[nodiscard]] Result<std::vector<nlohmann::json>> list(const std::string& table, const std::string& query);
    /// Waits before the next try; false: stopped.
    [[nodiscard]] bool rest(int tried) const;
    [[nodiscard]] Error error(const std::string& what, const Answer& answer) const;

    [[nodiscard]] const std::string& url() const;
    [[nodiscard]] const Patience& patience() const;
    [[nodiscard]] bool stopRequested() const;
    void setStop(std::stop_token stop); ///< of the job that goes on with it
    /// All requests that follow go to this branch.
    void useBranch(const std::string& schemaId);
    [[nodiscard]] static std::string escaped(const std::string& text);

private:
    Client();
    struct State;
    std::unique_ptr<State> m_state;
};

/// What `/api/status/` says.
struct ServerStatus {
    std::string version; ///< "4.6.8"
    int major = 4, minor = 0;
    std::set<std::string> plugins;
    [[nodiscard]] bool since(int wanted) const { return major > 4 || minor >= wanted; }
};
/// Errors: Unreadable (no answer, no NetBox), Refused (a release before 4.4, a token that is not taken).
[[nodiscard]] Result<ServerStatus> statusOf(Client& client);

} // namespace hw::netbox
