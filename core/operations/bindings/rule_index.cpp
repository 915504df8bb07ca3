// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/rule_index.h"

#include <algorithm>

namespace hw::bindings {

std::uint32_t RuleIndex::step(std::uint32_t node, std::string_view part)
{
    const std::uint32_t fresh(m_nodes.size());
    if (part.find('{') != part.npos) {
        if (!m_nodes[node].any) {
            m_nodes[node].any = fresh;
            m_nodes.emplace_back();
        }
        return m_nodes[node].any;
    }
    const auto [at, added] = m_nodes[node].next.try_emplace(std::string(part), fresh);
    const std::uint32_t to = at->second;
    if (added) m_nodes.emplace_back();
    return to;
}

void RuleIndex::add(Rule rule)
{
    const std::uint32_t number(m_rules.size());
    std::string_view rest = rule.channelText;
    std::uint32_t node = 0;
    for (;;) {
        const auto end = std::min(rest.find('/'), rest.size());
        if (rest.substr(0, end).find('*') != rest.npos) {
            m_nodes[node].here.push_back(number);
            break;
        }
        node = step(node, rest.substr(0, end));
        if (end == rest.size()) {
            m_nodes[node].ends.push_back(number);
            break;
        }
        rest.remove_prefix(end + 1);
    }
    m_rules.push_back(std::move(rule));
}

void RuleIndex::candidates(std::string_view name, std::vector<std::uint32_t>& out) const
{
    out.clear();
    walk(0, name, false, out);
    std::ranges::sort(out);
}

void RuleIndex::walk(std::uint32_t at, std::string_view rest, bool over, std::vector<std::uint32_t>& out) const
{
    const Node& node = m_nodes[at];
    if (over) {
        out.insert(out.end(), node.ends.begin(), node.ends.end());
        return;
    }
    out.insert(out.end(), node.here.begin(), node.here.end());
    const auto end = std::min(rest.find('/'), rest.size());
    const bool last = end == rest.size();
    const std::string_view after = last ? std::string_view() : rest.substr(end + 1);
    if (const auto found = node.next.find(rest.substr(0, end)); found != node.next.end()) walk(found->second, after, last, out);
    if (node.any) walk(node.any, after, last, out);
}

} // namespace hw::bindings
