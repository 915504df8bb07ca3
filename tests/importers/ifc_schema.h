// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hw::test {

/// A checker of IFC4 files that reads them by itself: form, attributes of the entities that we write by number and kind, enumerations, references
/// and what they lead to, GlobalIds, placements. Every fault is a line; an empty list: none.
struct IfcCheck {
    std::vector<std::string> faults;
    std::map<std::string, std::size_t> entities; ///< how many there are
    std::set<std::string> guids;
    std::map<std::string, std::string> guidOfName; ///< of elements: "IFCWALL 'W1'"; "several" where they are
};
[[nodiscard]] IfcCheck checkIfc(std::string_view text);

} // namespace hw::test
