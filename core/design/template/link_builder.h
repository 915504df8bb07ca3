// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/bound_rule.h"
#include "core/design/template/generator.h"

namespace hw {

/// Makes the links of all rules, then the cables: links whose ports share a connector of a socket share a cable.
class LinkBuilder {
public:
    explicit LinkBuilder(GenerationContext& making) : m(making) {}
    void run();

private:
    struct Rule;
    void build(const LinkSpec& spec);
    void writeRule(Rule& rule);
    void checkNetworks(const Rule& rule) const;
    /// Calls f(ordinal) for every target member that agrees with the source member in the rule's scope; where a
    /// mapping reads a loop, for every turn of the loops. A target outside its set is refused unless `when` leaves it out.
    template <class F>
    void forEachTarget(Rule& rule, F&& f);
    [[nodiscard]] static TemplateFailure noTarget(Rule& rule, std::size_t coordinate);
    void joinMember(Rule& rule, std::size_t fromOrdinal);
    void spreadMember(Rule& rule, std::size_t fromOrdinal);
    void noteUneven(Rule& rule, std::int64_t ports, std::size_t targets);
    void connect(Rule& rule, std::size_t fromOrdinal, std::size_t toOrdinal);
    void makeLink(Rule& rule, std::size_t fromOrdinal, std::size_t toOrdinal);
    void countWork(const Rule& rule, std::int64_t pairs);
    [[nodiscard]] PortId takePort(Rule& rule, bool from, std::size_t fromOrdinal, std::size_t toOrdinal);
    [[nodiscard]] std::vector<std::uint8_t> connectorsOfCages() const;
    void makeCables();

    GenerationContext& m;
    std::vector<std::uint8_t> m_used;      ///< by port
    std::vector<std::uint32_t> m_nextFree; ///< by port of a group's start: next port without an index rule
    std::int64_t m_work = 0;               ///< pairs looked at
};

} // namespace hw
