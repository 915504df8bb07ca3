// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/telemetry/source_thread.h"
#include "importers/telemetry/sources.h"

namespace hw::telemetry {

/// How it stands with a server that is asked. `wrong`: why nothing can be read, empty: it can. `final`: it stays so, however often it is tried.
struct ServerState {
    Text wrong;
    bool final = false;
};

/// A source that asks: looks whether its server is there, then asks every interval; while it is away a gap goes on, and it is tried less and less
/// often. Belongs to its source, whose functions it calls on its thread.
class PollingThread {
public:
    struct Server {
        std::function<ServerState(const std::stop_token&)> find; ///< called before the first question, and again after a gap began
        std::function<Text(const std::stop_token&)> ask;         ///< why nothing could be read; empty: all is well
    };
    PollingThread(std::string name, const SourceOptions& options, Server server)
        : m_thread(std::move(name)), m_interval(options.interval), m_backOff(options.firstWait, options.longestWait), m_server(std::move(server))
    {
    }
    [[nodiscard]] const std::string& name() const { return m_thread.name(); }
    /// Fails where `find` is final: address, password, certificate.
    Result<void> start(bindings::Intake& intake);
    void stop() { m_thread.stop(); }
    [[nodiscard]] bool ended() const { return m_thread.ended(); }
    [[nodiscard]] Text trouble() const { return m_thread.trouble(); }
    void trouble(Text what) { m_thread.trouble(std::move(what)); }

private:
    void work(const std::stop_token& stop, ServerState standing);

    SourceThread m_thread;
    std::chrono::milliseconds m_interval;
    BackOff m_backOff;
    Server m_server;
    std::int64_t m_goodMs = 0; ///< when it answered last, by our clock
};

} // namespace hw::telemetry
