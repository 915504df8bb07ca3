// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/signal.h"
#include "core/foundation/model/undo_history.h"

namespace hw {

enum class ChangeOrigin { Edit, Undo, Redo, Load };

/// The one event after a commit, undo, redo or load.
struct ChangeEvent {
    SnapshotPtr before, after;
    std::shared_ptr<const ChangeSet> changes;
    ChangeOrigin origin = ChangeOrigin::Edit;
};

class Document;

/// The only way to write. Leaving scope without `commit()` rolls back; one user gesture is one
/// transaction. `preview()` shows the state so far without committing (a drag in progress).
class Transaction {
public:
    Transaction(Transaction&&) noexcept;
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();

    [[nodiscard]] const Snapshot& base() const { return *m_base; }
    Snapshot& operator*() { return *m_work; }
    Snapshot* operator->() { return m_work.get(); }
    void setName(std::string name) { m_name = std::move(name); }
    [[nodiscard]] SnapshotPtr preview() const { return std::make_shared<const Snapshot>(*m_work); }
    [[nodiscard]] ChangeSet changesSoFar() const { return difference(*m_base, *m_work, m_name); }
    /// Publishes the work as the next revision. A transaction that changed nothing publishes nothing.
    std::shared_ptr<const ChangeSet> commit();

private:
    friend class Document;
    Transaction(Document& document, std::string name);
    Document* m_document;
    SnapshotPtr m_base;
    std::unique_ptr<Snapshot> m_work;
    std::string m_name;
};

/// Owns the head snapshot and the history. Lives on one thread (the GUI's); snapshots go anywhere.
class Document {
public:
    explicit Document(SnapshotPtr initial = std::make_shared<const Snapshot>(), UndoHistory history = {});

    [[nodiscard]] const SnapshotPtr& snapshot() const { return m_head; }
    [[nodiscard]] Transaction begin(std::string name); ///< one at a time; asserts otherwise
    bool undo();                                       ///< false when there is nothing to undo
    bool redo();
    [[nodiscard]] bool canUndo() const { return !m_history.done().empty(); }
    [[nodiscard]] bool canRedo() const { return !m_history.undone().empty(); }
    [[nodiscard]] std::string undoName() const { return canUndo() ? m_history.done().back()->name : std::string(); }
    [[nodiscard]] std::string redoName() const { return canRedo() ? m_history.undone().back()->name : std::string(); }
    [[nodiscard]] const UndoHistory& history() const { return m_history; }
    /// Replaces everything (opening a file), the history too: `history` leads up to `snapshot`.
    void load(SnapshotPtr snapshot, UndoHistory history = {});
    void setUndoLimit(std::size_t bytes) { m_history.setLimit(bytes); }

    Signal<const ChangeEvent&> changed;

private:
    friend class Transaction;
    void publish(SnapshotPtr next, std::shared_ptr<const ChangeSet> changes, ChangeOrigin origin);
    bool travel(bool backwards);

    SnapshotPtr m_head;
    UndoHistory m_history;
    bool m_transactionOpen = false;
};

} // namespace hw
