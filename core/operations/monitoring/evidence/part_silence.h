// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/evidence/silence.h"
#include "core/operations/monitoring/plan/plan.h"

#include <span>

namespace hw::monitoring {

/// Parts of a device, as the GPUs of a server, whose readings stop while those of the others go on. One exporter reads all of them at once, so that
/// a few readings suffice.
class PartSilence {
public:
    void design(const Plans& plans, const bindings::Bound& bound);
    /// Points of parts that fell silent up to now, ascending. `dirty`: with new values.
    [[nodiscard]] std::vector<bindings::PointNo> second(std::int64_t atMs, std::span<const bindings::PointNo> dirty, const Silence& silence);

private:
    struct Part {
        std::uint32_t device = 0;
        std::int16_t number = 0;
        std::vector<bindings::PointNo> points{};
        bool silent = false;
    };
    std::vector<Part> m_parts;         ///< by device and number
    std::vector<std::uint32_t> m_part; ///< by point; kNoPart: of no part
    std::vector<char> m_paces;         ///< by point: never the same twice; what says a change alone may be steady for long
};

} // namespace hw::monitoring
