// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/storage/tables_io.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <span>
#include <thread>
#include <variant>

namespace hw::storage {

/// Writes commits and saves, in the order in which they were asked for, on a thread of its own. Owns
/// the SQLite connection from start to stop. Commits that wait together become durable together. What fails stays in the queue: it is tried again
/// with the next request, after a few seconds, and on flush; a save that succeeds makes the commits before it moot.
class StorageThread {
public:
    StorageThread(Database database, FileState state, SnapshotPtr saved, std::uint64_t journaled, ProjectFile::Callbacks callbacks);
    ~StorageThread();

    struct Append {
        std::shared_ptr<const ChangeSet> changes;
        std::int64_t time_ms;
    };
    struct Save {
        SnapshotPtr snapshot;
    };
    struct Discard {};
    using Job = std::variant<Append, Save, Discard>;
    void ask(Job job);
    [[nodiscard]] Result<void> flush(); ///< waits; the error of the job that is stuck
    /// Ends the thread, checkpoints and closes. Jobs that cannot be done stay undone.
    [[nodiscard]] Result<void> stop();

    [[nodiscard]] std::uint64_t durableRevision() const { return m_durable; }
    [[nodiscard]] std::uint64_t savedRevision() const { return m_savedRevision; }

private:
    void loop(const std::stop_token& stop);
    [[nodiscard]] std::size_t nextJob() const;
    /// How many jobs from there on are one piece of work: commits that wait behind each other, else one.
    [[nodiscard]] std::size_t jobsTogether(std::size_t from) const;
    [[nodiscard]] Result<void> perform(std::span<const Job> jobs);
    [[nodiscard]] Result<void> append(std::span<const Job> jobs);
    [[nodiscard]] Result<void> save(const Save& job);
    [[nodiscard]] Result<void> discard();
    void checkpointIfLong();
    static int onCommit(void* self, sqlite3* database, const char* name, int logPages);

    Database m_database;
    FileState m_state;
    SnapshotPtr m_saved;       ///< what the tables on disk hold
    std::uint64_t m_journaled; ///< revision of the last commit on disk
    int m_logPages = 0;        ///< of the write-ahead log, after the last commit
    ProjectFile::Callbacks m_callbacks;
    std::atomic<std::uint64_t> m_durable, m_savedRevision;

    std::mutex m_mutex; ///< guards what follows
    std::condition_variable_any m_work, m_idle;
    std::deque<Job> m_jobs;
    bool m_retry = false;
    std::uint64_t m_failures = 0;
    std::optional<Error> m_stuck;
    std::jthread m_thread;
};

} // namespace hw::storage
