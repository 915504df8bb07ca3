// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/oneline/one_line.h"

#include "core/foundation/model/places.h"

#include <algorithm>
#include <map>

namespace hw {

namespace {

constexpr std::uint32_t kNone = OneLine::kNone;

/// Gathers elements from the devices and racks of a design.
class OneLineBuilder {
public:
    OneLineBuilder(const Figures& figures, PowerBasis basis, OneLine& line)
        : m_figures(figures), m_s(*figures.snapshot), m_line(line), m_chain(powerChain(figures, basis)), m_worst(worstPower(figures, basis)),
          m_feeds(figures.get<PowerFeedsNode>()), m_powerFactor(powerFactorOf(m_s)), m_ofDevice(m_s.devices.nextId(), kNone),
          m_ofRack(m_s.racks.nextId(), kNone)
    {
    }

    void build()
    {
        std::vector<TierId> power, loads;
        m_s.tiers.forEach([&](TierId id) { (m_s.tiers.kind[id] == TierKind::Power ? power : loads).push_back(id); });
        std::ranges::stable_sort(power, {}, [&](TierId id) { return m_s.tiers.level[id]; });
        std::vector<std::vector<DeviceId>> ofTier(m_s.tiers.nextId());
        m_s.devices.forEach([&](DeviceId id) {
            const bool chain = m_s.tiers.kind[m_s.devices.tier[id]] == TierKind::Power;
            if (chain || (!m_s.devices.rack[id] && draw(id).count() > 0)) ofTier[m_s.devices.tier[id].value].push_back(id);
        });
        for (const TierId tier : power) addTier(tier, ofTier[tier.value], false);
        addRacks();
        for (const TierId tier : loads) addTier(tier, ofTier[tier.value], true);
        connect();
    }

private:
    [[nodiscard]] Milliwatts draw(DeviceId id) const { return m_chain.network[id.value].draw; }
    [[nodiscard]] bool isChain(DeviceId id) const { return m_s.tiers.kind[m_s.devices.tier[id]] == TierKind::Power; }

    void addTier(TierId tier, const std::vector<DeviceId>& devices, bool load)
    {
        if (devices.empty()) return;
        OneLineGroup group{.tier = tier, .label = m_s.tiers.label[tier].empty() ? m_s.tiers.name[tier] : m_s.tiers.label[tier], .load = load};
        group.kind = load ? PowerElement::None : m_figures.parts->device(m_s.devices.type[devices.front()]).power.element;
        group.first = std::uint32_t(m_line.elements.size());
        for (const DeviceId id : devices) addDevice(id, load);
        group.last = std::uint32_t(m_line.elements.size());
        m_line.groups.push_back(std::move(group));
    }

    void addDevice(DeviceId id, bool load)
    {
        m_ofDevice[id.value] = std::uint32_t(m_line.elements.size());
        OneLineElement e{.entity = ref(id), .name = m_s.devices.name[id], .group = std::uint32_t(m_line.groups.size())};
        e.side = m_feeds.side(id);
        e.live = m_chain.flow.live[id.value] != 0;
        e.type = m_s.devices.type[id];
        e.building = buildingOf(m_s, id);
        e.row = rowOf(m_s, id);
        e.load = load ? draw(id) : m_chain.load(id);
        e.worst = e.load;
        if (!load) {
            const DeviceSpec& spec = m_figures.parts->device(m_s.devices.type[id]);
            e.worst = m_worst.through(id) + (e.live ? m_chain.network[id.value].loss.at(m_worst.through(id)) : Milliwatts());
            e.lost = m_worst.lost(id);
            e.capacity = spec.capacity.value;
            if (const auto apparent = spec.power.apparent.value.count(); apparent > 0) {
                const Milliwatts real(std::int64_t(double(apparent) * m_powerFactor));
                if (e.capacity.count() == 0 || real < e.capacity) e.capacity = real;
            }
        }
        m_line.elements.push_back(std::move(e));
    }

    void addRacks()
    {
        std::vector<std::vector<DeviceId>> drawing(m_s.racks.nextId());
        m_s.devices.forEach([&](DeviceId id) {
            if (const auto rack = m_s.devices.rack[id]; rack && !isChain(id) && draw(id).count() > 0) drawing[(*rack).value].push_back(id);
        });
        OneLineGroup group{.first = std::uint32_t(m_line.elements.size()), .load = true};
        m_s.racks.forEach([&](RackId id) {
            if (!drawing[id.value].empty()) addRack(id, drawing[id.value]);
        });
        group.last = std::uint32_t(m_line.elements.size());
        if (group.size() > 0) m_line.groups.push_back(std::move(group));
    }

    void addRack(RackId id, const std::vector<DeviceId>& devices)
    {
        m_ofRack[id.value] = std::uint32_t(m_line.elements.size());
        OneLineElement e{.entity = ref(id), .name = m_s.racks.name[id], .group = std::uint32_t(m_line.groups.size())};
        e.type = m_s.racks.type[id];
        e.row = m_s.racks.row[id];
        e.building = m_s.halls.building[m_s.rows.hall[m_s.racks.row[id]]];
        e.capacity = rackPowerLimit(m_s, *m_figures.parts, id);
        for (const DeviceId device : devices) {
            e.load += draw(device);
            e.live = e.live && m_chain.flow.live[device.value] != 0;
            for (const PowerFeed& feed : m_feeds.of(device)) m_ways.emplace_back(m_ofRack[id.value], feed.supplier);
        }
        e.worst = e.load;
        m_line.elements.push_back(std::move(e));
    }

    void connect()
    {
        for (auto& element : m_line.elements) {
            if (element.entity.kind != EntityKind::Device) continue;
            const DeviceId id(element.entity.id);
            const auto intake = m_chain.network[id.value].intake;
            const auto feeds = m_feeds.of(id);
            for (std::size_t i = 0; i < feeds.size(); ++i)
                if (m_chain.network.rank(feeds[i].supplier.value) > m_chain.network.rank(id.value)) // loops feed nothing
                    add(element, feeds[i].supplier,
                        intake == power::Intake::Transfer ? i > 0 : intake == power::Intake::Parallel && feeds[i].group != feeds.front().group);
        }
        for (const auto& [rack, supplier] : m_ways) add(m_line.elements[rack], supplier, false);
    }

    void add(OneLineElement& element, DeviceId supplier, bool reserve)
    {
        const std::uint32_t from = m_ofDevice[supplier.value];
        if (from == kNone || m_line.groups[m_line.elements[from].group].load) return;
        if (std::ranges::find(element.feeds, from, &OneLineFeed::from) == element.feeds.end()) element.feeds.push_back({from, reserve});
    }

    const Figures& m_figures;
    const Snapshot& m_s;
    OneLine& m_line;
    const PowerChain& m_chain;
    const PowerWorst& m_worst;
    const PowerFeeds& m_feeds;
    double m_powerFactor;
    std::vector<std::uint32_t> m_ofDevice, m_ofRack;
    std::vector<std::pair<std::uint32_t, DeviceId>> m_ways; ///< into racks
};

void sumUp(OneLine& line)
{
    for (const OneLineElement& e : line.elements) {
        if (!line.groups[e.group].load) continue;
        line.drawn += e.load;
        line.unfed += e.feeds.empty();
        line.dark += !e.live && !e.feeds.empty();
    }
}

} // namespace

std::shared_ptr<const OneLine> OneLine::make(const Figures& figures, PowerBasis basis)
{
    auto line = std::make_shared<OneLine>();
    line->snapshot = figures.snapshot;
    line->basis = basis;
    line->parts.resize(figures.snapshot->partTypes.nextId());
    figures.snapshot->partTypes.forEach([&](PartTypeId id) { line->parts[id.value] = (*figures.parts)[id].model; });
    OneLineBuilder(figures, basis, *line).build();
    setOneLineLevels(*line);
    setOneLineAlike(*line);
    setOneLineBlocks(*line);
    sumUp(*line);
    line->pue = pueOf(figures, basis);
    line->substations = substationSupply(*figures.snapshot, *figures.parts, figures.get<PowerFeedsNode>());
    return line;
}

std::uint32_t OneLine::elementOf(EntityRef entity) const
{
    const auto find = [&](EntityRef wanted) {
        const auto at = std::ranges::find(elements, wanted, &OneLineElement::entity);
        return at == elements.end() ? kNone : std::uint32_t(at - elements.begin());
    };
    const std::uint32_t own = find(entity);
    if (own != kNone || entity.kind != EntityKind::Device || !snapshot->devices.contains(DeviceId(entity.id))) return own;
    const auto rack = snapshot->devices.rack[DeviceId(entity.id)];
    return rack ? find(ref(*rack)) : kNone;
}

std::uint32_t OneLine::worst() const
{
    std::uint32_t found = kNone;
    for (std::uint32_t i = 0; i < elements.size(); ++i)
        if (elements[i].capacity.count() > 0 && !groups[elements[i].group].load && (found == kNone || elements[i].share() > elements[found].share()))
            found = i;
    return found;
}

namespace {

Text countedCooling(CoolingElement element, std::int64_t n)
{
    switch (element) {
    case CoolingElement::None: break;
    case CoolingElement::Manifold: return i18np(n, "{:L} manifold", "{:L} manifolds");
    case CoolingElement::Header: return i18np(n, "{:L} header", "{:L} headers");
    case CoolingElement::Cdu: return i18np(n, "{:L} CDU", "{:L} CDUs");
    case CoolingElement::Pump: return i18np(n, "{:L} pump", "{:L} pumps");
    case CoolingElement::Valve: return i18np(n, "{:L} valve", "{:L} valves");
    case CoolingElement::Exchanger: return i18np(n, "{:L} heat exchanger", "{:L} heat exchangers");
    case CoolingElement::Tank: return i18np(n, "{:L} tank", "{:L} tanks");
    case CoolingElement::Chiller: return i18np(n, "{:L} chiller", "{:L} chillers");
    case CoolingElement::DryCooler: return i18np(n, "{:L} dry cooler", "{:L} dry coolers");
    case CoolingElement::Tower: return i18np(n, "{:L} cooling tower", "{:L} cooling towers");
    case CoolingElement::FanWall: return i18np(n, "{:L} fan wall", "{:L} fan walls");
    case CoolingElement::Crah: return i18np(n, "{:L} CRAH", "{:L} CRAHs");
    case CoolingElement::InRow: return i18np(n, "{:L} in-row cooler", "{:L} in-row coolers");
    case CoolingElement::RearDoor: return i18np(n, "{:L} rear-door cooler", "{:L} rear-door coolers");
    }
    return i18np(n, "{:L} unit", "{:L} units");
}

} // namespace

Text nameText(const OneLineGroup& group)
{
    if (group.rooms) return TextId("Room air");
    if (!group.tier) return TextId("Racks");
    return resourceText(group.label);
}

Text countedText(const OneLineGroup& group, std::int64_t n)
{
    if (group.rooms) return i18np(n, "room air ({:L} room)", "room air ({:L} rooms)");
    if (!group.tier) return i18np(n, "{:L} rack", "{:L} racks");
    if (group.cooling != CoolingElement::None) return countedCooling(group.cooling, n);
    switch (group.kind) {
    case PowerElement::Utility: return i18np(n, "{:L} utility feed", "{:L} utility feeds");
    case PowerElement::Transformer: return i18np(n, "{:L} transformer", "{:L} transformers");
    case PowerElement::Switchgear: return i18np(n, "{:L} switchgear lineup", "{:L} switchgear lineups");
    case PowerElement::Generator: return i18np(n, "{:L} generator", "{:L} generators");
    case PowerElement::Ups: return i18np(n, "{:L} UPS", "{:L} UPSs");
    case PowerElement::StaticSwitch: return i18np(n, "{:L} static switch", "{:L} static switches");
    case PowerElement::Switchboard: return i18np(n, "{:L} switchboard", "{:L} switchboards");
    case PowerElement::Busway: return i18np(n, "{:L} busway", "{:L} busways");
    case PowerElement::Pdu: return i18np(n, "{:L} rack PDU", "{:L} rack PDUs");
    case PowerElement::Shelf: return i18np(n, "{:L} power shelf", "{:L} power shelves");
    case PowerElement::None: break;
    }
    return i18n("{:L} × {}", n, resourceText(group.label));
}

} // namespace hw
