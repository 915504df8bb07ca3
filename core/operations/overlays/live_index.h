// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/values/value_field.h"
#include "core/operations/monitoring/monitor.h"

#include <memory>
#include <span>
#include <vector>

namespace hw {

/// The measured points by what they measure, so that an overlay looks only at those that it is about. Made once for each set of
/// bindings; immutable.
class LiveIndex {
public:
    struct Entry {
        bindings::PointNo point = bindings::kNoPoint;
        EntityRef entity;
        bool own = false; ///< of the entity itself, not of a part of it
    };
    [[nodiscard]] static std::shared_ptr<const LiveIndex> of(const bindings::BoundPtr& bound);
    /// Those of a measure, by entity; what is asked for ("setpoint") is not among them.
    [[nodiscard]] std::span<const Entry> of(bindings::Measure measure) const;
    [[nodiscard]] const bindings::BoundPtr& bound() const { return m_bound; }

private:
    bindings::BoundPtr m_bound;
    std::vector<std::vector<Entry>> m_entries; ///< by measure
};
using LiveIndexPtr = std::shared_ptr<const LiveIndex>;

/// How values of parts make one of the whole.
enum class Together : std::uint8_t { Sum, Mean, Most };

/// Values of one measure by id, kNone where nothing is known.
struct Measured {
    std::vector<float> racks, devices;
};
/// Of each device its own value, else of its parts together; of each rack its own, else of its power strips (where they measure), else
/// of its other devices together. A sum of which a part is unknown is unknown. Parts of coolant measures count where they are of the
/// side that supplies ("secondary"); parts of power are phases, never the GPUs inside.
[[nodiscard]] Measured measuredOf(const Snapshot& snapshot, const LiveIndex& index, const monitoring::Frame& frame, bindings::Measure measure,
                                  Together together);

} // namespace hw
