// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/channel.h"

#include <tuple>

namespace hw {

/// Why a cable is what it is, and what else it could have been.
struct CableWhy {
    Text reason;   ///< "the cheapest of 6 sets that reach 23.1 m …"
    Text runnerUp; ///< the next cheapest set that reaches; empty: there is none
    Money extra;   ///< that the runner-up costs more
    Text excluded; ///< what does not reach, and why; empty: nothing
    Channel channel;
};

/// Answers for the cables of a design, kept by class and length: thousands of cables have one answer.
class CableReasons {
public:
    CableReasons(const Snapshot& snapshot, const ProjectParts& parts, const Cabling& cabling);
    /// Of a data cable with links; of one behind a panel the answer of the cable that has the modules.
    [[nodiscard]] CableWhy of(CableId cable);

private:
    [[nodiscard]] CableWhy make(CableId first, const Channel& channel) const;
    [[nodiscard]] Text setText(Maybe<PartTypeId> type, Maybe<PartTypeId> from, Maybe<PartTypeId> to) const;
    [[nodiscard]] Text money(Money amount) const;
    const Snapshot& m_s;
    const ProjectParts& m_parts;
    const Cabling& m_cabling;
    FiberLoss m_loss;
    std::string m_currency;
    using Key = std::tuple<std::uint32_t, std::int64_t, std::uint32_t, std::uint32_t, std::uint32_t, bool>;
    std::map<Key, CableWhy> m_known;
};

} // namespace hw
