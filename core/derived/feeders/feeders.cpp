// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/feeders/feeders.h"

#include "core/derived/figures/figures.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hw {

FeederLoads::FeederLoads(const Figures& f, PowerBasis basis, std::span<const DeviceId> lost)
    : figures(f), s(*f.snapshot), feeds(f.get<PowerFeedsNode>()), chain(powerChain(f, basis)), powerFactor(powerFactorOf(s)),
      celsius(numberSetting(s, "power.conductor_c")), m_basis(basis)
{
    if (lost.empty()) return;
    std::vector<power::Index> elements;
    for (const DeviceId id : lost) elements.push_back(id.value);
    m_without = power::flowOf(chain.network, elements);
}

const DeviceSpec& FeederLoads::spec(DeviceId id) const { return figures.parts->device(s.devices.type[id]); }
Milliwatts FeederLoads::most(DeviceId id) const
{
    return m_without ? m_without->through[id.value].total() : worstPower(figures, m_basis).through(id);
}

std::size_t FeederLoads::waysLeft(DeviceId id) const
{
    std::map<std::pair<char, std::uint32_t>, std::size_t> bySide;
    std::size_t ways = 0, together = 0;
    for (const PowerFeed& feed : feeds.of(id)) {
        if (!live(feed.supplier)) continue;
        const char side = feeds.side(feed.supplier);
        together = std::max(together, ++bySide[{side, side ? 0 : feed.supplier.value}]);
        ++ways;
    }
    return together == ways ? ways : ways - together;
}

Milliwatts FeederLoads::normal(DeviceId id, std::size_t way) const { return flow().shares[chain.network.firstFeed(id.value) + way].total(); }

Milliwatts FeederLoads::worst(DeviceId id, std::size_t way) const
{
    if (m_without) return normal(id, way);
    const auto ways = feeds.of(id);
    const power::Element& e = chain.network[id.value];
    const Milliwatts through = isPower(id) ? most(id) : e.draw, intake = through + e.loss.at(through);
    std::size_t together = 1;
    if (e.intake == power::Intake::Shared) together = isPower(id) ? std::max<std::size_t>(1, ways.size() - 1) : waysLeft(id); // with one of them out
    const DeviceId supplier = ways[way].supplier;
    const Milliwatts given = isPower(supplier) && live(supplier) ? most(supplier) : intake;
    return std::min(Milliwatts(intake.count() / std::int64_t(together)), given);
}

const SupplyLine* FeederLoads::line(DeviceId id, std::size_t way) const
{
    const PowerFeed& feed = feeds.of(id)[way];
    return feed.link ? figures.get<SupplyNode>().of(*feed.link) : nullptr;
}

double FeederLoads::drop(DeviceId id, std::size_t way) const
{
    const SupplyLine* laid = line(id, way);
    if (!laid) return 0;
    const power::Impedance impedance = impedanceOf(*figures.parts, *laid, celsius);
    if (!impedance.known()) return 0;
    return power::voltageDrop(impedance, toWatts(worst(id, way)), laid->size.volts, powerFactor, laid->size.phases);
}

double FeederLoads::alongBusway(DeviceId id) const
{
    const DeviceSpec& own = spec(id);
    if (!isPower(id) || own.power.element != PowerElement::Busway) return 0;
    const double apparent = double(own.power.apparent.value.count()) * powerFactor, stated = double(own.capacity.value.count());
    const double rated = stated > 0 && apparent > 0 ? std::min(stated, apparent) : std::max(stated, apparent);
    if (rated <= 0) return 0;
    const double meters = double(std::max(own.width.value.count(), own.depth.value.count())) / 1000.0;
    const double perMeter = numberSetting(s, "rule.p6.busway_drop_per_100m", 3) / 100 / 100;
    const Milliwatts through = most(id), load = live(id) ? through + chain.network[id.value].loss.at(through) : through;
    const bool tapped = chain.network.uses(id.value).size() > 1; // evenly along it: half
    return perMeter * meters * double(load.count()) / rated * (tapped ? 0.5 : 1);
}

bool FeederLoads::givesVoltage(DeviceId id) const
{
    using enum PowerElement;
    const PowerElement element = spec(id).power.element;
    return element == Transformer || element == Ups || element == Generator || element == Utility;
}

std::vector<Feeder> feedersOf(const FeederLoads& loads)
{
    const Snapshot& s = loads.s;
    const ProjectParts& parts = *loads.figures.parts;
    const auto& network = loads.chain.network;
    std::vector<double> regulated(network.size(), 0), path(network.size(), 0); ///< most, at the terminals of each element
    std::vector<Feeder> out;
    const auto order = network.order();
    for (std::size_t at = order.size(); at-- > 0;) { // suppliers first
        const DeviceId id(order[at]);
        if (!s.devices.contains(id) || !loads.flow().live[id.value]) continue;
        const double along = loads.alongBusway(id);
        const auto ways = loads.feeds.of(id);
        for (std::size_t w = 0; w < ways.size(); ++w) {
            const DeviceId supplier = ways[w].supplier;
            if (!loads.flow().live[supplier.value]) continue;
            const double own = loads.drop(id, w);
            const auto element = parts.device(s.devices.type[supplier]).power.element;
            const bool ups = element == PowerElement::Ups;
            const double before = loads.givesVoltage(supplier) ? 0 : regulated[supplier.value],
                         whole = loads.givesVoltage(supplier) && !ups ? 0 : path[supplier.value];
            regulated[id.value] = std::max(regulated[id.value], before + own + along);
            path[id.value] = std::max(path[id.value], whole + own + along);
            const SupplyLine* line = loads.line(id, w);
            if (!line) continue;
            Feeder f{.link = line->link, .supplier = supplier, .consumer = id, .side = line->side, .size = line->size};
            f.meters = double(line->lengthMm) / 1000;
            f.loadW = toWatts(loads.normal(id, w)), f.worstW = toWatts(loads.worst(id, w));
            f.worstAmps = power::lineAmps(f.worstW, line->size.volts, loads.powerFactor, line->size.phases);
            const power::Impedance impedance = impedanceOf(parts, *line, loads.celsius);
            f.known = impedance.known();
            if (f.known) f.lossW = power::lineLossW(impedance, f.loadW, line->size.volts, loads.powerFactor, line->size.phases);
            f.dropShare = own, f.alongShare = along, f.regulatedShare = before + own, f.pathShare = whole + own;
            out.push_back(f);
        }
    }
    std::ranges::sort(out, {}, [](const Feeder& f) { return std::pair(f.consumer, f.link); });
    return out;
}

} // namespace hw
