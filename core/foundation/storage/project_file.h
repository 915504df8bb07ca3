// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "core/foundation/model/document.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace hw {

/// One commit of a journal: what was done since the last save.
struct CommitInfo {
    std::uint64_t revision = 0;
    std::string name;         ///< the transaction's name, in the user's words
    std::int64_t time_ms = 0; ///< since 1970, UTC
};

/// What a project file holds. Nothing on disk is changed by making one.
struct LoadedProject {
    SnapshotPtr snapshot;            ///< with every commit of the journal
    SnapshotPtr saved;               ///< as of the last save; the same pointer as `snapshot` without a journal
    std::vector<CommitInfo> journal; ///< commits since the last save, oldest first; not empty = recovery
    UndoHistory history;             ///< of a file opened for writing: the journal's commits, to be undone back to `saved`
    SnapshotPtr asked;               ///< the revision that `readProject` was asked for; null: the file does not have it
    bool tornTail = false;           ///< the writer died within one more commit, which was never durable
    long writer = 0;                 ///< process that has it open for writing (0: nobody, or not known)
    [[nodiscard]] bool recovery() const { return !journal.empty() || tornTail; }
    /// One sentence for the user about the journal; empty when there is nothing to say.
    [[nodiscard]] Text recoveryText() const;
};

/// Reads a project, its journal included, also while somebody writes it. No file is touched, created
/// or locked. Errors (Unreadable): missing, empty, foreign, newer, truncated, damaged.
/// `revision` is kept as `asked`; a file has its last save and every commit since.
[[nodiscard]] Result<LoadedProject> readProject(const std::filesystem::path& path, const Progress& progress = {},
                                                std::optional<std::uint64_t> revision = {});

/// Whether the file's header is that of a Hallwright project, sound or not; of any format version.
/// False for what is missing, unreadable or no regular file.
[[nodiscard]] bool isProjectFile(const std::filesystem::path& path);

/// Writes a whole new project file, on success only and at once (temporary file, sync, rename).
/// Replaces an existing file unless a writer has it open. Side files of a project that is gone
/// (`path`-wal and so on) are kept as FILE.orphan. Errors: Unreadable, Canceled.
[[nodiscard]] Result<void> writeProject(const Snapshot& snapshot, const std::filesystem::path& path, const Progress& progress = {});

/// A project file open for writing: one per file among all processes. It owns the storage thread;
/// `append` and `save` hand over immutable values and return at once. All functions are called from
/// one thread (the document's); callbacks come on the storage thread.
class ProjectFile {
public:
    struct Callbacks {
        std::function<void(std::uint64_t revision)> durable; ///< this commit survives a power cut now
        std::function<void(std::uint64_t revision)> saved;   ///< the journal is folded up to this revision
        std::function<void(const Error&)> failed;            ///< nothing is lost: the next append or save tries again, so does time
    };

    /// Opens for writing. `loaded()` tells whether there is something to recover: carry on with
    /// `loaded().snapshot` and `loaded().history`, or call `discardJournal()` and carry on with `loaded().saved`.
    [[nodiscard]] static Result<std::unique_ptr<ProjectFile>> open(const std::filesystem::path& path, Callbacks callbacks = {},
                                                                   const Progress& progress = {});
    /// `writeProject` and then open what was written (Save as).
    [[nodiscard]] static Result<std::unique_ptr<ProjectFile>> create(const std::filesystem::path& path, const SnapshotPtr& snapshot,
                                                                     Callbacks callbacks = {}, const Progress& progress = {});
    ~ProjectFile(); ///< closes
    ProjectFile(const ProjectFile&) = delete;
    ProjectFile& operator=(const ProjectFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const;
    [[nodiscard]] const LoadedProject& loaded() const; ///< as it was when opened
    void releaseLoaded();                              ///< lets go of the snapshots and the history in `loaded()`

    /// Journals one commit; changesets come in the order of their revisions without a gap.
    void append(std::shared_ptr<const ChangeSet> changes);
    /// Calls `append` for every edit, undo and redo of the document while the connection lives.
    [[nodiscard]] Signal<const ChangeEvent&>::Connection follow(Document& document);
    /// Folds the journal into the tables, in one transaction; only changed chunks are written.
    void save(SnapshotPtr snapshot);
    /// Forgets every commit since the last save, also on disk.
    void discardJournal();

    [[nodiscard]] std::uint64_t durableRevision() const; ///< any thread
    [[nodiscard]] std::uint64_t savedRevision() const;   ///< any thread; differs from the document's = modified
    /// Waits until all that was asked for is on disk, or gives the error that stopped it.
    [[nodiscard]] Result<void> flush();
    /// Flushes, checkpoints (one file remains; commits since the last save stay in it as its journal) and
    /// gives the file free. Called by the destructor if need be. An error leaves the file usable for recovery.
    Result<void> close();

private:
    class Impl;
    explicit ProjectFile(std::unique_ptr<Impl> impl);
    static Result<std::unique_ptr<ProjectFile>> read(const std::filesystem::path& path, Callbacks callbacks, const Progress& progress);
    static Result<std::unique_ptr<ProjectFile>> make(const std::filesystem::path& path, const SnapshotPtr& snapshot, Callbacks callbacks,
                                                     const Progress& progress);
    std::unique_ptr<Impl> m_impl;
};

} // namespace hw
