// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/storage_thread.h"

#include "core/foundation/base/fence.h"
#include "core/foundation/base/log.h"

#include <sqlite3.h>

namespace hw::storage {

namespace {

constexpr auto kRetryAfter = std::chrono::seconds(3);
constexpr std::size_t kMostTogether = 1024; ///< commits of one transaction on disk
constexpr int kLongLogPages = 16384;        ///< 64 MiB: then the log is put into the main file between commits

/// What a callback throws is its own affair: the work is done.
template <class Callback, class Value>
void tellOf(const Callback& callback, const Value& value)
{
    if (!callback) return;
    if (const auto fault = faultIn([&] { callback(value); })) logging::error(logging::Id::StorageFault, "callback of the storage thread: {}", *fault);
}

} // namespace

StorageThread::StorageThread(Database database, FileState state, SnapshotPtr saved, std::uint64_t journaled, ProjectFile::Callbacks callbacks)
    : m_database(std::move(database)), m_state(std::move(state)), m_saved(std::move(saved)), m_journaled(journaled),
      m_callbacks(std::move(callbacks)), m_durable(journaled), m_savedRevision(m_saved->revision),
      m_thread([this](const std::stop_token& stop) { loop(stop); })
{
}

StorageThread::~StorageThread() { (void)stop(); }

void StorageThread::ask(Job job)
{
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
        m_retry = true;
    }
    m_work.notify_one();
}

Result<void> StorageThread::flush()
{
    std::unique_lock lock(m_mutex);
    const auto failures = m_failures;
    m_retry = true;
    m_work.notify_one();
    m_idle.wait(lock, [&] { return m_jobs.empty() || (m_stuck && m_failures != failures); });
    if (m_jobs.empty()) return {};
    return tl::unexpected(*m_stuck);
}

Result<void> StorageThread::stop()
{
    if (!m_thread.joinable()) return {};
    m_thread.request_stop();
    m_thread.join();
    const int code = sqlite3_wal_checkpoint_v2(m_database.handle(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
    Result<void> done;
    if (code != SQLITE_OK) done = tl::unexpected(m_database.error(i18n("cannot merge the write-ahead log into the file")));
    auto closed = m_database.close();
    return done ? closed : done;
}

int StorageThread::onCommit(void* self, sqlite3*, const char*, int logPages)
{
    static_cast<StorageThread*>(self)->m_logPages = logPages;
    return SQLITE_OK;
}

void StorageThread::loop(const std::stop_token& stop)
{
    sqlite3_wal_hook(m_database.handle(), &onCommit, this);
    std::unique_lock lock(m_mutex);
    while (!stop.stop_requested()) {
        if (m_stuck && !m_retry)
            m_work.wait_for(lock, stop, kRetryAfter, [&] { return m_retry; });
        else
            m_work.wait(lock, stop, [&] { return !m_jobs.empty(); });
        m_retry = false;
        if (m_jobs.empty() || stop.stop_requested()) continue;
        const std::size_t index = nextJob();
        const std::size_t count = jobsTogether(index);
        const std::vector<Job> jobs(m_jobs.begin() + std::ptrdiff_t(index), m_jobs.begin() + std::ptrdiff_t(index + count));
        lock.unlock();
        Result<void> done;
        if (const auto fault = faultIn([&] { done = perform(jobs); }))
            done = fail(ErrorCode::Fault, "storage", i18n("internal error: {}", *fault), // no text: a place
                        i18n("writing is retried; if this persists, save the project under another name"));
        lock.lock();
        if (done) {
            m_jobs.erase(m_jobs.begin(), m_jobs.begin() + std::ptrdiff_t(index + count));
            if (m_stuck) logging::info(logging::Id::ProjectWrittenAgain, "after {} failures", m_failures);
            m_stuck.reset();
        } else {
            if (!m_stuck || m_stuck->text() != done.error().text()) logging::error(logging::Id::ProjectNotWritten, "{}", done.error().text());
            ++m_failures;
            m_stuck = done.error();
        }
        if (!done || m_jobs.empty()) m_idle.notify_all();
        if (!done) {
            lock.unlock();
            tellOf(m_callbacks.failed, done.error());
            lock.lock();
        }
    }
}

std::size_t StorageThread::nextJob() const
{
    if (m_stuck) // the last save does the work of everything before it
        for (std::size_t i = m_jobs.size(); i-- > 0;)
            if (std::holds_alternative<Save>(m_jobs[i])) return i;
    return 0;
}

/// After a failure one at a time: less may fit where all of them do not.
std::size_t StorageThread::jobsTogether(std::size_t from) const
{
    std::size_t count = 1;
    if (m_stuck || !std::holds_alternative<Append>(m_jobs[from])) return count;
    while (count < kMostTogether && from + count < m_jobs.size() && std::holds_alternative<Append>(m_jobs[from + count])) ++count;
    return count;
}

Result<void> StorageThread::perform(std::span<const Job> jobs)
{
    if (std::holds_alternative<Append>(jobs.front())) return append(jobs);
    if (const auto* whole = std::get_if<Save>(&jobs.front())) return save(*whole);
    return discard();
}

Result<void> StorageThread::append(std::span<const Job> jobs)
{
    FileState next{{}, m_state.manifest, m_state.journalCount, m_state.journalHash};
    auto transaction = SqlTransaction::begin(m_database);
    if (!transaction) return tl::unexpected(transaction.error());
    std::uint64_t journaled = m_journaled;
    for (const Job& job : jobs) {
        const auto& [changes, time_ms] = std::get<Append>(job);
        if (changes->revisionBefore != journaled)
            return fail(ErrorCode::Fault, "journal", i18n("commit {} does not follow revision {}", changes->revisionAfter, journaled),
                        i18n("save the project"));
        if (auto done = writeCommit(m_database, *changes, time_ms, next); !done) return done;
        journaled = changes->revisionAfter;
    }
    if (auto done = transaction->commit(); !done) return done;
    m_state.journalCount = next.journalCount;
    m_state.journalHash = next.journalHash;
    m_durable = m_journaled = journaled;
    for (const Job& job : jobs) tellOf(m_callbacks.durable, std::get<Append>(job).changes->revisionAfter);
    checkpointIfLong();
    return {};
}

Result<void> StorageThread::save(const Save& job)
{
    FileState next = m_state;
    auto transaction = SqlTransaction::begin(m_database);
    if (!transaction) return tl::unexpected(transaction.error());
    auto done = writeTables(m_database, *job.snapshot, m_saved.get(), next).and_then([&] { return transaction->commit(); });
    if (!done) return done;
    m_state = std::move(next);
    m_saved = job.snapshot;
    m_journaled = m_saved->revision;
    const bool moved = m_durable.exchange(m_journaled) != m_journaled;
    m_savedRevision = m_journaled;
    sqlite3_wal_checkpoint_v2(m_database.handle(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr); // may wait until close
    logging::info(logging::Id::ProjectSaved, "revision {}", m_journaled);
    if (moved) tellOf(m_callbacks.durable, m_journaled);
    tellOf(m_callbacks.saved, m_journaled);
    return {};
}

Result<void> StorageThread::discard()
{
    FileState next{{}, m_state.manifest, 0, 0};
    auto transaction = SqlTransaction::begin(m_database);
    if (!transaction) return tl::unexpected(transaction.error());
    auto done = clearJournal(m_database, next).and_then([&] { return transaction->commit(); });
    if (!done) return done;
    m_state.journalCount = next.journalCount;
    m_state.journalHash = next.journalHash;
    m_durable = m_journaled = m_saved->revision;
    return {};
}

void StorageThread::checkpointIfLong()
{
    if (m_logPages >= kLongLogPages) sqlite3_wal_checkpoint_v2(m_database.handle(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
}

} // namespace hw::storage
