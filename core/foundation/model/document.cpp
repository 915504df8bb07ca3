// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/document.h"

#include <cassert>

namespace hw {

Transaction::Transaction(Document& document, std::string name)
    : m_document(&document), m_base(document.snapshot()), m_work(std::make_unique<Snapshot>(*m_base)), m_name(std::move(name))
{
}

Transaction::Transaction(Transaction&& other) noexcept
    : m_document(std::exchange(other.m_document, nullptr)), m_base(std::move(other.m_base)), m_work(std::move(other.m_work)),
      m_name(std::move(other.m_name))
{
}

Transaction::~Transaction()
{
    if (m_document) m_document->m_transactionOpen = false;
}

std::shared_ptr<const ChangeSet> Transaction::commit()
{
    assert(m_document && "a transaction commits once");
    Document& document = *std::exchange(m_document, nullptr);
    document.m_transactionOpen = false;
    m_work->revision = m_base->revision + 1;
    auto changes = std::make_shared<const ChangeSet>(difference(*m_base, *m_work, m_name));
    if (changes->empty()) return changes;
    document.m_history.record(changes);
    document.publish(std::shared_ptr<const Snapshot>(std::move(m_work)), changes, ChangeOrigin::Edit);
    return changes;
}

Document::Document(SnapshotPtr initial, UndoHistory history) : m_head(std::move(initial)), m_history(std::move(history)) {}

Transaction Document::begin(std::string name)
{
    assert(!m_transactionOpen && "one transaction at a time");
    m_transactionOpen = true;
    return Transaction(*this, std::move(name));
}

bool Document::undo() { return travel(true); }
bool Document::redo() { return travel(false); }

bool Document::travel(bool backwards)
{
    if (m_transactionOpen) return false;
    const auto step = backwards ? m_history.back() : m_history.forth();
    if (!step) return false;
    auto changes = std::make_shared<ChangeSet>(backwards ? step->inverse() : *step);
    auto next = std::make_shared<Snapshot>(*m_head);
    apply(*changes, *next);
    changes->revisionBefore = m_head->revision;
    changes->revisionAfter = next->revision = m_head->revision + 1; // revisions only go forward
    publish(std::move(next), std::move(changes), backwards ? ChangeOrigin::Undo : ChangeOrigin::Redo);
    return true;
}

void Document::load(SnapshotPtr snapshot, UndoHistory history)
{
    assert(!m_transactionOpen);
    m_history = std::move(history);
    auto changes = std::make_shared<const ChangeSet>(difference(*m_head, *snapshot, "Open"));
    publish(std::move(snapshot), std::move(changes), ChangeOrigin::Load);
}

void Document::publish(SnapshotPtr next, std::shared_ptr<const ChangeSet> changes, ChangeOrigin origin)
{
    SnapshotPtr before = std::exchange(m_head, std::move(next));
    changed.notify(ChangeEvent{std::move(before), m_head, std::move(changes), origin});
}

} // namespace hw
