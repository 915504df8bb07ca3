// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/document.h"

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
    document.m_redo.clear();
    document.m_undo.push(changes);
    document.trim();
    document.publish(std::shared_ptr<const Snapshot>(std::move(m_work)), changes, ChangeOrigin::Edit);
    return changes;
}

Document::Document(SnapshotPtr initial) : m_head(std::move(initial)) {}

Transaction Document::begin(std::string name)
{
    assert(!m_transactionOpen && "one transaction at a time");
    m_transactionOpen = true;
    return Transaction(*this, std::move(name));
}

bool Document::undo() { return travel(m_undo, m_redo, true); }
bool Document::redo() { return travel(m_redo, m_undo, false); }

bool Document::travel(Steps& from, Steps& to, bool backwards)
{
    if (from.steps.empty() || m_transactionOpen) return false;
    const Step step = from.pop();
    to.push(step);
    auto changes = std::make_shared<ChangeSet>(backwards ? step->inverse() : *step);
    auto next = std::make_shared<Snapshot>(*m_head);
    apply(*changes, *next);
    changes->revisionBefore = m_head->revision;
    changes->revisionAfter = next->revision = m_head->revision + 1; // revisions only go forward
    publish(std::move(next), std::move(changes), backwards ? ChangeOrigin::Undo : ChangeOrigin::Redo);
    return true;
}

void Document::load(SnapshotPtr snapshot)
{
    assert(!m_transactionOpen);
    m_undo.clear();
    m_redo.clear();
    auto changes = std::make_shared<const ChangeSet>(difference(*m_head, *snapshot, "Open"));
    publish(std::move(snapshot), std::move(changes), ChangeOrigin::Load);
}

void Document::setUndoLimit(std::size_t bytes)
{
    m_undoLimit = bytes;
    trim();
}

void Document::publish(SnapshotPtr next, Step changes, ChangeOrigin origin)
{
    SnapshotPtr before = std::exchange(m_head, std::move(next));
    changed.notify(ChangeEvent{std::move(before), m_head, std::move(changes), origin});
}

void Document::trim()
{
    while (m_undo.bytes > m_undoLimit && m_undo.steps.size() > 1) m_undo.dropOldest();
}

void Document::Steps::push(Step step)
{
    costs.push_back(step->bytes());
    bytes += costs.back();
    steps.push_back(std::move(step));
}

Document::Step Document::Steps::pop()
{
    Step step = std::move(steps.back());
    steps.pop_back();
    bytes -= costs.back();
    costs.pop_back();
    return step;
}

void Document::Steps::dropOldest()
{
    bytes -= costs.front();
    costs.pop_front();
    steps.pop_front();
}

} // namespace hw
