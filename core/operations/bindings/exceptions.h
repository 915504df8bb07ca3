// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace hw::bindings {

/// Channels that a person bound, by their names: the rows of `Bindings`.
class Exceptions {
public:
    struct Row {
        EntityRef entity; ///< kNone: set aside
        std::string element, measure, unit;
    };
    Exceptions() = default;
    explicit Exceptions(const Snapshot& snapshot);
    [[nodiscard]] const Row* find(std::string_view channel) const;

private:
    std::unordered_map<std::string, Row> m_rows;
};

/// What a row of `Bindings` is bound to.
[[nodiscard]] EntityRef boundEntity(const Bindings& bindings, BindingId id);

/// Whether rules, exceptions and rule sets of two states are the same.
[[nodiscard]] bool sameRules(const Snapshot& a, const Snapshot& b);

} // namespace hw::bindings
