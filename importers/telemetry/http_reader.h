// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/telemetry/access.h"

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>

namespace hw::telemetry {

/// What a server said, or why it said nothing.
struct HttpAnswer {
    int status = 0; ///< 0: no answer, see `why`
    std::string body;
    Text why;
    bool distrusted = false; ///< no answer because a certificate was refused, theirs or ours
};

/// The one way in which this program asks web servers: GET and nothing else. It has no other request, follows no redirection (which could take
/// a password elsewhere) and keeps no session. Keeps its connection open. One thread at a time.
class HttpReader {
public:
    /// `token` stands before the token of `access` in its header.
    HttpReader(std::string base, Access access, const std::string& token = "Authorization: Bearer ");
    ~HttpReader();
    HttpReader(const HttpReader&) = delete;
    HttpReader& operator=(const HttpReader&) = delete;

    /// GET base + path; gives up after `limit`, at once when asked to stop, and where the answer is larger than `largest`.
    [[nodiscard]] HttpAnswer get(const std::string& path, const std::stop_token& stop, std::chrono::seconds limit = std::chrono::seconds(30),
                                 std::size_t largest = kLargestAnswer);
    static constexpr std::size_t kLargestAnswer = std::size_t(512) << 20;
    /// Connects, with TLS where the base says so, and sends nothing: to find out what is wrong with a connection.
    [[nodiscard]] HttpAnswer greet(const std::stop_token& stop);
    [[nodiscard]] const std::string& server() const;                   ///< the base, as it was given
    [[nodiscard]] static std::string escaped(const std::string& text); ///< as the value of a query

private:
    [[nodiscard]] HttpAnswer ask(const std::string& path, const std::stop_token& stop, std::chrono::seconds limit, std::size_t largest);
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace hw::telemetry
