// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/incident/findings.h"

namespace hw::monitoring {

/// Takes what people say of alarms, in its place among all that arrives: a recorder that keeps it, and what a replay says it to again.
class AlarmResponseSink {
public:
    virtual ~AlarmResponseSink() = default;
    virtual void answered(std::int64_t atMs, const Answer& answer) = 0;
};

} // namespace hw::monitoring

namespace hw {
HW_WORDS(monitoring::Answer::Kind, "acknowledge", "shelve", "unshelve")
} // namespace hw
