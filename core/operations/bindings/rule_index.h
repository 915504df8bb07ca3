// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/rules.h"

#include <unordered_map>

namespace hw::bindings {

/// Rules by the parts between slashes of the channel names that they are for, so that a channel is held against few of them.
class RuleIndex {
public:
    void add(Rule rule);
    [[nodiscard]] const std::vector<Rule>& rules() const { return m_rules; }
    /// Those that could fit a name, in their order; labels and the rest of the pattern are still to be compared.
    void candidates(std::string_view name, std::vector<std::uint32_t>& out) const;

private:
    struct Node {
        std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> next;
        std::uint32_t any = 0;           ///< where a part may be anything; 0: nowhere
        std::vector<std::uint32_t> here; ///< rules whose pattern goes on with what may reach over slashes
        std::vector<std::uint32_t> ends; ///< rules whose pattern ends with the part that led here
    };
    void walk(std::uint32_t node, std::string_view rest, bool over, std::vector<std::uint32_t>& out) const;
    std::uint32_t step(std::uint32_t node, std::string_view part);

    std::vector<Rule> m_rules;
    std::vector<Node> m_nodes{Node{}};
};

} // namespace hw::bindings
