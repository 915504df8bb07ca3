// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/signal.h"
#include "core/model/changeset.h"

#include <deque>

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
    static constexpr std::size_t kDefaultUndoBytes = std::size_t(256) << 20;

    explicit Document(SnapshotPtr initial = std::make_shared<const Snapshot>());

    [[nodiscard]] const SnapshotPtr& snapshot() const { return m_head; }
    [[nodiscard]] Transaction begin(std::string name); ///< one at a time; asserts otherwise
    bool undo();                                       ///< false when there is nothing to undo
    bool redo();
    [[nodiscard]] bool canUndo() const { return !m_undo.steps.empty(); }
    [[nodiscard]] bool canRedo() const { return !m_redo.steps.empty(); }
    [[nodiscard]] std::string undoName() const { return m_undo.steps.empty() ? std::string() : m_undo.steps.back()->name; }
    [[nodiscard]] std::string redoName() const { return m_redo.steps.empty() ? std::string() : m_redo.steps.back()->name; }
    /// Replaces everything (opening a file); the history is dropped.
    void load(SnapshotPtr snapshot);
    /// The oldest undo steps are dropped once the chunks that they keep alive pass this size.
    void setUndoLimit(std::size_t bytes);

    Signal<const ChangeEvent&> changed;

private:
    friend class Transaction;
    using Step = std::shared_ptr<const ChangeSet>;
    /// Steps of one direction with the memory that each costs, counted once.
    struct Steps {
        std::deque<Step> steps;
        std::deque<std::size_t> costs;
        std::size_t bytes = 0;
        void push(Step step);
        Step pop(); ///< the newest
        void dropOldest();
        void clear() { *this = {}; }
    };
    void publish(SnapshotPtr next, Step changes, ChangeOrigin origin);
    bool travel(Steps& from, Steps& to, bool backwards);
    void trim();

    SnapshotPtr m_head;
    Steps m_undo, m_redo;
    std::size_t m_undoLimit = kDefaultUndoBytes;
    bool m_transactionOpen = false;
};

} // namespace hw
