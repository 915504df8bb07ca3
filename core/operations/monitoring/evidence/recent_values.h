// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/evidence/readings.h"
#include "core/operations/monitoring/evidence/silence.h"
#include "core/operations/monitoring/incident/findings.h"

namespace hw::monitoring {

/// The last minutes of loads, flows and temperatures.
class RecentValues {
public:
    /// `nowOf`: by old number of a point, the new one; null: nothing is known yet.
    void design(const Plans& plans, const bindings::Bound& bound, const std::vector<bindings::PointNo>* nowOf);
    void second(std::int64_t t, const Readings& readings, const Silence& silence);
    [[nodiscard]] const std::shared_ptr<const Recent>& now() const { return m_recent; }

private:
    std::shared_ptr<const Recent> m_recent;
};

} // namespace hw::monitoring
