// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/count/ports.h"
#include "core/design/count/rules.h"
#include "core/foundation/catalog/sockets.h"

namespace hw::count {

/// A whole template bound for counting; see TemplateCounter. Throws TemplateFailure.
class Design {
public:
    Design(const Template& design, const Catalog& catalog);
    [[nodiscard]] TemplateCount count(const ParameterValues& values);
    [[nodiscard]] TemplateCount countDevices(const ParameterValues& values);
    [[nodiscard]] std::int64_t accelerators(const ParameterValues& values, bool constraints);
    [[nodiscard]] std::vector<LinkSample> sampleLinks(std::size_t rule, std::size_t most);
    [[nodiscard]] std::vector<LinkSample> allLinks(std::size_t rule, std::int64_t most);
    [[nodiscard]] std::vector<LinkSample> linksOfFirst(std::size_t rule);
    [[nodiscard]] SitePlan sitePlan(const std::optional<HallRoom>& room);
    [[nodiscard]] std::optional<DeviceSpot> spot(const SitePlan& plan, std::size_t tier, std::size_t member);

private:
    void bindRules();
    [[nodiscard]] TemplateCount countAnew(const ParameterValues& values);
    void standAtLast();
    void refresh(const ParameterValues& values);
    static void refreshChain(Set& set);
    void listNetworks(TemplateCount& out) const;
    void refreshGroups(Tier& tier, const TemplateCount::Tier& counted);
    [[nodiscard]] std::vector<TemplateCount::Devices> devicesOf(Tier& tier);
    [[nodiscard]] bool laidOutByEngine(); ///< at these parameters
    void countPlaces(TemplateCount& out);
    void countTiers(TemplateCount& out);
    void checkSize(const TemplateCount& out) const;
    void countRules(TemplateCount& out);
    [[nodiscard]] std::optional<TemplateCount::Rule::Panels> panelsOf(const LinkSpec& spec);
    void findConnectors(); ///< of the port groups, from what their first rule joins them to
    [[nodiscard]] bool railsApart(const std::string& network) const;
    [[nodiscard]] LinkSample sample(Rule& rule);
    [[nodiscard]] SitePlan ownPlaces();
    [[nodiscard]] RackId rackOf(const SitePlan& plan, Set& racks) const;
    [[nodiscard]] SitePlan laidOut(const std::optional<HallRoom>& room);

    Template m_design; ///< keeps the specification alive
    const TemplateSpec& m_spec;
    const Catalog& m_catalog; ///< must outlive this
    Constants m_constants;
    bound::Networks m_networks;
    bound::Places m_places;
    PortTable m_ports;
    SocketRules m_sockets;
    std::vector<std::unique_ptr<Tier>> m_tiers;
    std::map<std::string, std::size_t> m_tierNumbers;
    std::vector<std::unique_ptr<Rule>> m_rules;
    std::vector<TemplateCount> m_known; ///< the counts made last, the newest at the end
    Progress m_noProgress;
    ParameterValues m_last;              ///< of the last count asked for
    std::optional<ParameterValues> m_at; ///< what sets and rules stand at, if they were counted whole
};

} // namespace hw::count
