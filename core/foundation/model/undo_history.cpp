// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/undo_history.h"

#include <algorithm>

namespace hw {

namespace {

bool sameValues(const ColumnBase& column, const ChunkPtr& a, const ChunkPtr& b)
{
    if (a == b) return true;
    if (!a || !b || a->rows() != b->rows()) return false;
    for (std::uint32_t i = 0; i < a->rows(); ++i)
        if (!column.same(a.get(), b.get(), i)) return false;
    return true;
}

/// Both leave the same in the same places.
bool sameEffect(const ChangeSet& a, const ChangeSet& b)
{
    if (a.chunks.size() != b.chunks.size() || a.sizeAfter != b.sizeAfter || a.nextIdAfter != b.nextIdAfter) return false;
    const auto tables = schemaSnapshot().tables(); // for their comparisons
    return std::equal(a.chunks.begin(), a.chunks.end(), b.chunks.begin(), [&](const ChunkChange& x, const ChunkChange& y) {
        return x.table == y.table && x.column == y.column && x.chunk == y.chunk &&
               sameValues(*tables[x.table]->columnList()[x.column], x.after, y.after);
    });
}

} // namespace

void UndoHistory::record(Step step)
{
    m_undone = {};
    m_done.push(std::move(step));
    trim();
}

void UndoHistory::recall(Step commit)
{
    if (!m_done.steps.empty() && m_done.steps.back()->name == commit->name && sameEffect(*commit, m_done.steps.back()->inverse()))
        (void)back();
    else if (!m_undone.steps.empty() && m_undone.steps.back()->name == commit->name && sameEffect(*commit, *m_undone.steps.back()))
        (void)forth();
    else
        record(std::move(commit));
}

UndoHistory::Step UndoHistory::back() { return move(m_done, m_undone); }
UndoHistory::Step UndoHistory::forth() { return move(m_undone, m_done); }

void UndoHistory::clear()
{
    m_done = {};
    m_undone = {};
}

void UndoHistory::setLimit(std::size_t bytes)
{
    m_limit = bytes;
    trim();
}

UndoHistory::Step UndoHistory::move(Steps& from, Steps& to)
{
    if (from.steps.empty()) return nullptr;
    Step step = from.pop();
    to.push(step);
    return step;
}

void UndoHistory::trim()
{
    while (m_done.bytes > m_limit && m_done.steps.size() > 1) m_done.dropOldest();
}

void UndoHistory::Steps::push(Step step)
{
    costs.push_back(step->bytes());
    bytes += costs.back();
    steps.push_back(std::move(step));
}

UndoHistory::Step UndoHistory::Steps::pop()
{
    Step step = std::move(steps.back());
    steps.pop_back();
    bytes -= costs.back();
    costs.pop_back();
    return step;
}

void UndoHistory::Steps::dropOldest()
{
    bytes -= costs.front();
    costs.pop_front();
    steps.pop_front();
}

} // namespace hw
