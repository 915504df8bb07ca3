// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/template/generator.h"

namespace hw {

/// The refusal of a link whose target has a coordinate outside its set.
[[nodiscard]] TemplateFailure noTarget(const LinkSpec& spec, const std::string& coordinate, std::int64_t value, std::int64_t extent);
/// The refusal of a data link whose lower (`from`) or upper ports are of no network.
[[nodiscard]] TemplateFailure noNetwork(const LinkSpec& spec, bool from);

/// The `count` of a spread, bound; throws where it reads coordinates that only the target has.
[[nodiscard]] Expression spreadCount(const LinkSpec& spec, const std::vector<std::string>& lower, const std::vector<std::string>& upper,
                                     Scope& scope);
/// The refusal of a spread that deals out more ports than a group has, or fewer than none.
[[nodiscard]] TemplateFailure tooManyToDeal(const LinkSpec& spec, std::int64_t ports, const std::string& group, std::int64_t has);

/// Makes the links of all rules, then the cables: links whose ports share a connector of a socket share a cable.
class LinkBuilder {
public:
    explicit LinkBuilder(Generator& generator) : m_g(generator) {}
    void run();

private:
    struct Rule;
    void build(const LinkSpec& spec);
    void bindTargets(Rule& rule) const;
    void bindFields(Rule& rule) const;
    void writeRule(Rule& rule);
    void checkNetworks(const Rule& rule) const;
    /// Calls f(ordinal) for every target member that agrees with the source member in the rule's scope; where a
    /// mapping reads a loop, for every turn of the loops. A target outside its set is refused unless `when` leaves it out.
    template <class F>
    void forEachTarget(Rule& rule, F&& f);
    /// Puts the target's coordinates into `value` and the scope. The target's ordinal; nothing outside its set.
    [[nodiscard]] std::optional<std::size_t> targetOf(Rule& rule, std::vector<std::int64_t>& value) const;
    void joinMember(Rule& rule, std::size_t fromOrdinal);
    void spreadMember(Rule& rule, std::size_t fromOrdinal);
    [[nodiscard]] std::int64_t portsToDeal(const Rule& rule) const;
    void noteUneven(Rule& rule, std::int64_t ports, std::size_t targets);
    void connect(Rule& rule, std::size_t fromOrdinal, std::size_t toOrdinal);
    void makeLink(Rule& rule, std::size_t fromOrdinal, std::size_t toOrdinal);
    void countWork(const Rule& rule, std::int64_t pairs);
    [[nodiscard]] PortId takePort(Rule& rule, bool from, std::size_t fromOrdinal, std::size_t toOrdinal);
    [[nodiscard]] std::vector<std::uint8_t> connectorsOfCages() const;
    void makeCables();

    Generator& m_g;
    std::vector<std::uint8_t> m_used;      ///< by port
    std::vector<std::uint32_t> m_nextFree; ///< by port of a group's start: next port without an index rule
    std::int64_t m_work = 0;               ///< pairs looked at
};

} // namespace hw
