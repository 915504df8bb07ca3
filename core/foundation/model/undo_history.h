// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/changeset.h"

#include <deque>
#include <memory>

namespace hw {

/// What can be undone and redone: changesets as they were committed, within a limit of memory.
class UndoHistory {
public:
    using Step = std::shared_ptr<const ChangeSet>;
    static constexpr std::size_t kDefaultBytes = std::size_t(256) << 20;

    /// An edit: what was undone before it can no longer be redone.
    void record(Step step);
    /// A commit of a journal. A journal does not say what was an undo or redo: a commit that is called as the newest
    /// step and puts back every value that it changed is taken for its undo, one that repeats the step undone last
    /// for its redo. An edit that does the same is the same state.
    void recall(Step commit);
    [[nodiscard]] Step back();  ///< moves the newest step to those undone and gives it; null without one
    [[nodiscard]] Step forth(); ///< the other way
    void clear();
    /// The oldest steps are dropped once the chunks that all keep alive pass this size.
    void setLimit(std::size_t bytes);

    [[nodiscard]] const std::deque<Step>& done() const { return m_done.steps; }     ///< oldest first
    [[nodiscard]] const std::deque<Step>& undone() const { return m_undone.steps; } ///< undone last at the end

private:
    /// Steps of one direction with the memory that each costs, counted once.
    struct Steps {
        std::deque<Step> steps;
        std::deque<std::size_t> costs;
        std::size_t bytes = 0;
        void push(Step step);
        Step pop(); ///< the newest
        void dropOldest();
    };
    static Step move(Steps& from, Steps& to);
    void trim();

    Steps m_done, m_undone;
    std::size_t m_limit = kDefaultBytes;
};

} // namespace hw
