// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hw::asbuilt {

/// What a name of a capture is in the design: "swp{n}s{m}=port{n}s{m+1}". A field {x} stands for digits (of a port) or for any text (of a
/// device); on the right it may be calculated with, from left to right: {n/2+1}, {n%2}. "eth0=-": what has this name is set aside.
struct NameRule {
    std::string from, to;
    [[nodiscard]] bool drops() const { return to == "-"; }
    /// The name in the design; nothing where the rule is not for this name. Case does not count.
    [[nodiscard]] std::optional<std::string> apply(std::string_view name, bool digitsOnly) const;
    friend bool operator==(const NameRule&, const NameRule&) = default;
};

/// Rules with semicolons or line ends between them. Errors: Refused, `where` is the place.
[[nodiscard]] Result<std::vector<NameRule>> readNameRules(std::string_view text, const std::string& where);

/// Rules for ports that hold without being stated, tried in this order after the design's own names; each counts only where it hits a port of
/// the device. docs/asbuilt.md lists them.
[[nodiscard]] const std::vector<NameRule>& builtInPortRules();

} // namespace hw::asbuilt
