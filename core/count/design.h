// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/sockets.h"
#include "core/count/ports.h"
#include "core/count/rules.h"

namespace hw::count {

/// A place set with the expressions that say where its members stand, in the frame of their parents.
struct PlaceSet {
    PlaceSet(const SetSpec& spec, Set* parent, Scope& constants) : set(spec, parent, constants) {}
    Set set;
    PlaceSet* parent = nullptr;
    Expression x, y, angle, along, across;
    Expression typeIndex, limit; ///< of racks, of buildings
    Mask typeMask = 0;
    BuildingKind kind = BuildingKind::Pod;
    std::size_t number = 0; ///< among the sets of its section
};

struct TraySet {
    TraySet(const SetSpec& spec, Set* parent, Scope& constants) : set(spec, parent, constants) {}
    Set set;
    PlaceSet* hall = nullptr; ///< spine trays
    Expression from[3], to[3], count;
    Mask mask = 0;
};

/// A whole template bound for counting; see TemplateCounter. Throws TemplateFailure.
class Design {
public:
    Design(const Template& design, const Catalogue& catalogue);
    [[nodiscard]] TemplateCount count(const ParameterValues& values);
    [[nodiscard]] TemplateCount countDevices(const ParameterValues& values);
    [[nodiscard]] std::int64_t accelerators(const ParameterValues& values, bool constraints);
    [[nodiscard]] std::vector<LinkSample> sampleLinks(std::size_t rule, std::size_t most);
    [[nodiscard]] std::vector<LinkSample> linksOfFirst(std::size_t rule);
    [[nodiscard]] SitePlan sitePlan(const std::optional<HallRoom>& room);
    [[nodiscard]] std::optional<DeviceSpot> spot(const SitePlan& plan, std::size_t tier, std::size_t member);

private:
    using PlaceSets = std::vector<std::unique_ptr<PlaceSet>>;
    [[nodiscard]] PlaceSet* find(const PlaceSets& sets, const std::string& name) const;
    void bindPlaces();
    void bindPlace(PlaceSets& into, const SetSpec& spec, const PlaceSets* parents);
    void bindTrays();
    void bindTier(const SetSpec& spec);
    void bindGroups(Tier& tier);
    void bindRules();
    [[nodiscard]] const Part& part(const ExpressionText& slug) const;
    [[nodiscard]] bool absent(const std::string& network) const;

    [[nodiscard]] TemplateCount countAnew(const ParameterValues& values);
    void standAtLast();
    void refresh(const ParameterValues& values);
    void setValues(const ParameterValues& values);
    void refreshNetworks();
    static void refreshChain(Set& set);
    void refreshGroups(Tier& tier, const TemplateCount::Tier& counted, const ParameterValues& values);
    [[nodiscard]] std::vector<TemplateCount::Devices> devicesOf(Tier& tier);
    void countPlaces(TemplateCount& out);
    void countTiers(TemplateCount& out);
    void checkSize(const TemplateCount& out) const;
    void countRules(TemplateCount& out);
    void findConnectors(); ///< of the port groups, from what their first rule joins them to
    [[nodiscard]] bool railsApart(const std::string& network) const;
    [[nodiscard]] LinkSample sample(Rule& rule);
    [[nodiscard]] SitePlan ownPlaces();
    [[nodiscard]] SitePlan laidOut(const std::optional<HallRoom>& room);

    Template m_design; ///< keeps the specification alive
    const TemplateSpec& m_spec;
    const Catalogue& m_catalogue; ///< must outlive this
    Constants m_constants;
    PortTable m_ports;
    SocketRules m_sockets;
    struct Network {
        TemplateCount::Network fixed;
        Expression when, planes, rails;
        bool absent = false;
    };
    std::vector<Network> m_networks;
    PlaceSets m_buildings, m_halls, m_rows, m_racks;
    std::vector<std::unique_ptr<TraySet>> m_trays;
    std::vector<std::unique_ptr<Tier>> m_tiers;
    std::map<std::string, std::size_t> m_tierNumbers;
    std::vector<std::unique_ptr<Rule>> m_rules;
    std::vector<TemplateCount> m_known; ///< the counts made last, the newest at the end
    Progress m_noProgress;
    ParameterValues m_last;              ///< of the last count asked for
    std::optional<ParameterValues> m_at; ///< what sets and rules stand at, if they were counted whole
};

} // namespace hw::count
