// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/rules/rule.h"

#include <map>

namespace hw::rules {

/// Elements that are alike in what is wrong with them, told as one finding each with the worst of them in the message.
class Groups {
public:
    Groups(const RuleInput& input, std::string_view rule) : m_input(input), m_rule(rule) {}

    /// `group`: stable subjects of the finding's id. `excess`: how bad; `message()` is asked for where it is the worst so far.
    template <class Message>
    void add(const std::string& group, EntityRef entity, Severity severity, double excess, Message&& message)
    {
        Group& g = m_groups[group];
        const bool worse = g.entities.empty() || severity < g.severity || (severity == g.severity && excess > g.excess);
        if (worse) {
            g.severity = severity, g.excess = excess, g.worst = g.entities.size();
            g.message = message();
        }
        g.entities.push_back(entity);
    }
    /// What the worst one's finding names besides it.
    void also(const std::string& group, std::vector<EntityRef> others) { m_groups[group].also = std::move(others); }
    [[nodiscard]] bool empty() const { return m_groups.empty(); }
    [[nodiscard]] std::vector<Finding> findings() const;

private:
    struct Group {
        Severity severity = Severity::Info;
        double excess = 0;
        std::size_t worst = 0;
        Text message{};
        std::vector<EntityRef> entities{}, also{};
    };
    const RuleInput& m_input;
    std::string_view m_rule;
    std::map<std::string, Group> m_groups;
};

} // namespace hw::rules
