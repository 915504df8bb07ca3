// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/project_file.h"

#include "core/foundation/base/log.h"
#include "core/foundation/storage/file_lock.h"
#include "core/foundation/storage/project_access.h"
#include "core/foundation/storage/storage_thread.h"

#include <chrono>

namespace hw {

using namespace storage;

class ProjectFile::Impl {
public:
    Impl(std::filesystem::path file, FileLock fileLock, LoadedProject project, FileState state, Database database, Callbacks callbacks)
        : path(std::move(file)), lock(std::move(fileLock)), loaded(std::move(project)),
          thread(std::move(database), std::move(state), loaded.saved, loaded.snapshot->revision, std::move(callbacks))
    {
    }

    std::filesystem::path path;
    std::optional<FileLock> lock;
    LoadedProject loaded;
    StorageThread thread;
};

namespace {

/// The one place where SQLite meets a project on disk, after everything in it was verified.
/// Exclusive locking keeps the log's index in memory: no -shm file, and no second SQLite writer.
Result<Database> openForWriting(const std::filesystem::path& path, LoadedFile* file = nullptr)
{
    auto database = Database::open(path.string(), false);
    if (!database) return database;
    auto done = database->run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; " // no text
                              "PRAGMA wal_autocheckpoint = 0; PRAGMA cell_size_check = ON; BEGIN IMMEDIATE; COMMIT");   // no text
    if (done && file && !file->current) done = rewrite(*database, *file);
    if (!done) return tl::unexpected(done.error());
    return database;
}

std::int64_t now_ms()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

} // namespace

namespace {

/// The result of opening or making a file, in the log.
template <class T>
Result<T> noted(Result<T> result, logging::Id done, const std::filesystem::path& path)
{
    if (!result) {
        logging::error(logging::Id::ProjectRefused, "{}", result.error().text());
        return result;
    }
    const LoadedProject& loaded = (*result)->loaded();
    logging::info(done, "{} at revision {}", path.string(), loaded.snapshot->revision);
    if (loaded.recovery())
        logging::warn(logging::Id::ProjectRecovered, "{}: {} commits since the last save at revision {}{}", path.string(), loaded.journal.size(),
                      loaded.saved->revision, loaded.tornTail ? ", and one that was cut off" : "");
    return result;
}

} // namespace

ProjectFile::ProjectFile(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
ProjectFile::~ProjectFile() { (void)close(); }

Result<std::unique_ptr<ProjectFile>> ProjectFile::open(const std::filesystem::path& path, Callbacks callbacks, const Progress& progress)
{
    return noted(read(path, std::move(callbacks), progress), logging::Id::ProjectOpened, path);
}

Result<std::unique_ptr<ProjectFile>> ProjectFile::create(const std::filesystem::path& path, const SnapshotPtr& snapshot, Callbacks callbacks,
                                                         const Progress& progress)
{
    return noted(make(path, snapshot, std::move(callbacks), progress), logging::Id::ProjectCreated, path);
}

Result<std::unique_ptr<ProjectFile>> ProjectFile::read(const std::filesystem::path& path, Callbacks callbacks, const Progress& progress)
{
    if (auto seen = readImage(path); !seen) return tl::unexpected(seen.error()); // what it is comes before who has it
    auto lock = FileLock::acquire(path);
    if (!lock) return tl::unexpected(lock.error());
    auto image = readImage(path);
    if (!image) return tl::unexpected(image.error());
    auto file = loadImage(*image, path.string(), progress, {}, true);
    if (!file) return tl::unexpected(file.error());
    image->bytes = {};
    auto database = openForWriting(path, &*file);
    if (!database) return tl::unexpected(database.error());
    return std::unique_ptr<ProjectFile>(new ProjectFile(std::make_unique<Impl>(path, std::move(*lock), std::move(file->project),
                                                                               std::move(file->state), std::move(*database), std::move(callbacks))));
}

Result<std::unique_ptr<ProjectFile>> ProjectFile::make(const std::filesystem::path& path, const SnapshotPtr& snapshot, Callbacks callbacks,
                                                       const Progress& progress)
{
    auto state = writeNewFile(*snapshot, path, progress);
    if (!state) return tl::unexpected(state.error());
    auto lock = FileLock::acquire(path);
    if (!lock) return tl::unexpected(lock.error());
    auto database = openForWriting(path);
    if (!database) return tl::unexpected(database.error());
    LoadedProject project;
    project.snapshot = project.saved = snapshot;
    return std::unique_ptr<ProjectFile>(new ProjectFile(
        std::make_unique<Impl>(path, std::move(*lock), std::move(project), std::move(*state), std::move(*database), std::move(callbacks))));
}

const std::filesystem::path& ProjectFile::path() const { return m_impl->path; }
const LoadedProject& ProjectFile::loaded() const { return m_impl->loaded; }
void ProjectFile::releaseLoaded()
{
    m_impl->loaded.snapshot = m_impl->loaded.saved = nullptr;
    m_impl->loaded.history.clear();
}

void ProjectFile::append(std::shared_ptr<const ChangeSet> changes)
{
    if (!changes->empty()) m_impl->thread.ask(StorageThread::Append{std::move(changes), now_ms()});
}

Signal<const ChangeEvent&>::Connection ProjectFile::follow(Document& document)
{
    return document.changed.connect([this](const ChangeEvent& event) {
        if (event.origin != ChangeOrigin::Load) append(event.changes);
    });
}

void ProjectFile::save(SnapshotPtr snapshot) { m_impl->thread.ask(StorageThread::Save{std::move(snapshot)}); }
void ProjectFile::discardJournal() { m_impl->thread.ask(StorageThread::Discard{}); }
std::uint64_t ProjectFile::durableRevision() const { return m_impl->thread.durableRevision(); }
std::uint64_t ProjectFile::savedRevision() const { return m_impl->thread.savedRevision(); }
Result<void> ProjectFile::flush() { return m_impl->lock ? m_impl->thread.flush() : Result<void>(); }

Result<void> ProjectFile::close()
{
    if (!m_impl->lock) return {};
    auto flushed = m_impl->thread.flush();
    auto stopped = m_impl->thread.stop();
    m_impl->lock.reset();
    return flushed ? stopped : flushed;
}

} // namespace hw
