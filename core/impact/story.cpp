// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/impact/story.h"

#include "core/model/entity.h"
#include "core/model/places.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw::impact {

namespace {

enum class What : std::uint8_t { Dark, TooWeak, Hot, NoCard, Ways, CardHalf, CardLost, Uplinks, CutOff };

/// Something that happened to one device.
struct Item {
    int step = 0;
    What what = What::Dark;
    DeviceId device;
    std::uint32_t by = kNone; ///< device
    std::int64_t n = 1, of = 0;
};

/// The device itself, or what it stands in: 1 its rack, 2 its row, 3 its hall, 4 its building. Less where there is none.
EntityRef placeOf(const Snapshot& s, DeviceId id, int size)
{
    const auto rack = s.devices.rack[id];
    const auto row = rowOf(s, id);
    const auto hall = hallOf(s, id);
    if (size >= 4 && hall) return ref(s.halls.building[*hall]);
    if (size >= 3 && hall) return ref(*hall);
    if (size >= 2 && row) return ref(*row);
    if (size >= 1 && rack) return ref(*rack);
    return ref(id);
}

Text single(const Snapshot& s, const Item& i)
{
    const auto by = [&] { return i.by == kNone ? std::string() : s.devices.name[DeviceId(i.by)]; };
    switch (i.what) {
    case What::Dark: return i.by == kNone ? i18n("without power") : i18n("without power: {} is out", by());
    case What::TooWeak: return i18n("off: its remaining power supplies do not carry its load");
    case What::Hot: return i18n("too hot: none of its coolant supplies is left");
    case What::NoCard: return i18n("cut off: no network card left in the backend");
    case What::Ways: return i18n("{} of {} ways of power left", i.of - i.n, i.of);
    case What::CardHalf: return i18np(i.n, "{} network card with a part of its ports", "{} network cards with a part of their ports");
    case What::CardLost: return i18np(i.n, "{} network card lost, others left", "{} network cards lost, others left");
    case What::Uplinks: return i18n("{} of {} uplinks left", i.of - i.n, i.of);
    case What::CutOff: return i18n("no uplink left");
    }
    return {};
}

Text several(std::int64_t devices, const Item& i)
{
    switch (i.what) {
    case What::Dark: return i18np(devices, "{:L} device without power", "{:L} devices without power");
    case What::TooWeak:
        return i18np(devices, "{:L} device off: its remaining power supplies do not carry its load",
                     "{:L} devices off: their remaining power supplies do not carry their load");
    case What::Hot: return i18np(devices, "{:L} device too hot: no coolant supply left", "{:L} devices too hot: no coolant supply left");
    case What::NoCard: return i18np(devices, "{:L} host without a network card in the backend", "{:L} hosts without a network card in the backend");
    case What::Ways: return i18np(devices, "{:L} device with a way of power less", "{:L} devices with a way of power less");
    case What::CardHalf: return i18np(i.n, "{:L} network card with a part of its ports", "{:L} network cards with a part of their ports");
    case What::CardLost: return i18np(i.n, "{:L} network card lost, others left", "{:L} network cards lost, others left");
    case What::Uplinks: return i18np(devices, "{:L} switch with {} of {} uplinks left", "{:L} switches with {} of {} uplinks left", i.of - i.n, i.of);
    case What::CutOff: return i18np(devices, "{:L} switch without an uplink left", "{:L} switches without an uplink left");
    }
    return {};
}

/// Alike items of one place together; by the smallest places with which the lines are few enough.
Lines grouped(const Snapshot& s, const std::vector<Item>& items, std::size_t most)
{
    using Key = std::tuple<int, What, EntityRef>;
    struct Group {
        Item sum;
        std::int64_t devices = 0;
        std::size_t first = 0;
    };
    constexpr int kLargest = 4;
    std::map<Key, Group> groups;
    for (int size = 0; size <= kLargest; ++size) {
        groups.clear();
        for (std::size_t i = 0; i < items.size(); ++i) {
            auto& group = groups[{items[i].step, items[i].what, placeOf(s, items[i].device, size)}];
            if (group.devices++ == 0) {
                group.sum = items[i];
                group.first = i;
            } else {
                group.sum.n += items[i].n, group.sum.of += items[i].of;
            }
            if (size < kLargest && groups.size() > most) break;
        }
        if (groups.size() <= most) break;
    }
    std::vector<std::pair<EntityRef, Group>> order;
    for (auto& [key, group] : groups) order.emplace_back(std::get<2>(key), std::move(group));
    std::ranges::stable_sort(order, {}, [](const auto& o) { return std::pair(o.second.sum.step, o.second.first); });
    Lines out;
    for (const auto& [place, group] : order) {
        if (out.lines.size() < most)
            out.lines.push_back(group.devices == 1 ? Line{ref(group.sum.device), single(s, group.sum)}
                                                   : Line{place, several(group.devices, group.sum)});
        else
            ++out.leftOut;
    }
    return out;
}

/// Devices without power, level by level from what failed.
std::vector<Item> darkItems(const Study& study, const Effect& e)
{
    const Model& m = study.model();
    const auto& net = m.chain->network;
    std::vector<DeviceId> order = e.dark;
    std::ranges::sort(order, std::greater(), [&](DeviceId id) { return net.rank(id.value); });
    std::map<std::uint32_t, int> step;
    std::vector<Item> items;
    for (const DeviceId id : order) {
        Item item{1, What::Dark, id, kNone, 1, 0};
        bool alive = false;
        std::uint32_t feed = 0;
        for (const auto& way : net.feeds(id.value)) {
            const bool cut = std::ranges::find(e.failed.ways, power::Network::Use{id.value, feed++}) != e.failed.ways.end();
            if (study.isDown(DeviceId(way.from))) {
                if (item.by == kNone) item.by = way.from;
                if (const auto above = step.find(way.from); above != step.end()) item.step = std::max(item.step, above->second + 1);
            } else if (!cut && m.chain->flow.live[way.from]) {
                alive = true;
            }
        }
        if (alive) item.what = What::TooWeak;
        step[id.value] = item.step;
        items.push_back(item);
    }
    std::ranges::stable_sort(items, {}, [](const Item& i) { return std::pair(i.step, i.device); });
    return items;
}

std::vector<Item> reserveItems(const Study& study, const Effect& e)
{
    const Model& m = study.model();
    std::vector<Item> items;
    for (const DeviceId id : e.weakened) {
        Item item{0, What::Ways, id, kNone, 0, 0};
        std::uint32_t feed = 0;
        for (const auto& way : m.chain->network.feeds(id.value)) {
            const bool cut = std::ranges::find(e.failed.ways, power::Network::Use{id.value, feed++}) != e.failed.ways.end();
            if (!m.chain->flow.live[way.from]) continue;
            ++item.of;
            item.n += cut || study.isDown(DeviceId(way.from));
        }
        items.push_back(item);
    }
    for (const std::uint32_t nic : e.nics) {
        const Nic& card = m.nics[nic];
        if (study.isDown(card.device) || std::ranges::binary_search(e.hosts, card.device)) continue;
        const What what = study.linksLost(nic) < card.links ? What::CardHalf : What::CardLost;
        if (!items.empty() && items.back().device == card.device && items.back().what == what)
            ++items.back().n;
        else
            items.push_back({1, what, card.device, kNone, 1, 0});
    }
    for (const DeviceId id : e.switches) {
        const int lost = study.uplinksLost(id), of = m.uplinks[id.value];
        items.push_back({2, lost < of ? What::Uplinks : What::CutOff, id, kNone, lost, of});
    }
    return items;
}

Text kilowatts(Milliwatts power) { return i18n("{:.1f} kW", toWatts(power) / 1000); }

void append(Lines& to, Lines more)
{
    to.lines.insert(to.lines.end(), std::make_move_iterator(more.lines.begin()), std::make_move_iterator(more.lines.end()));
    to.leftOut += more.leftOut;
}

void tellCooling(const Study& study, const Effect& e, Story& story)
{
    const Model& m = study.model();
    for (const std::uint32_t g : e.halls) {
        const CoolingGroup& group = m.cooling[g];
        const Milliwatts missing = study.coolingShort(g);
        const std::int64_t left = group.units - study.unitsLost(g);
        if (missing.count() > 0)
            story.cascade.lines.push_back({ref(*group.hall), group.liquid ? i18n("{} of heat into coolant cannot be removed", kilowatts(missing))
                                                                          : i18n("{} of heat into air cannot be removed", kilowatts(missing))});
        else
            story.redundancy.lines.push_back({ref(*group.hall), i18n("{} of {} cooling units left", left, group.units)});
    }
}

void tellTaken(const Model& m, const Effect& e, std::size_t most, Story& story)
{
    for (const auto& change : e.changed) {
        const DeviceId id(change.element);
        const Milliwatts before = m.chain->through(id), now = change.through.total();
        if (m.s->tiers.kind[m.s->devices.tier[id]] != TierKind::Power || now <= before) continue;
        story.taken.push_back({id, before, now, m.parts->device(m.s->devices.type[id]).capacity.value});
        story.overloaded += story.taken.back().overloaded();
    }
    const auto share = [](const Taken& t) { return t.capacity.count() > 0 ? double(t.now.count()) / double(t.capacity.count()) : 0.0; };
    std::ranges::stable_sort(story.taken, std::greater(), share);
    if (story.taken.size() > most) story.taken.resize(most);
}

} // namespace

Story tell(const Study& study, const Effect& e, std::span<const Failing> failed, std::size_t most)
{
    const Snapshot& s = *study.model().s;
    Story story;
    for (const Failing& f : failed) story.cascade.lines.push_back({f.entity, i18n("failed")});
    append(story.cascade, grouped(s, darkItems(study, e), most));
    std::vector<Item> after;
    for (const DeviceId id : e.hot) after.push_back({0, What::Hot, id});
    for (const DeviceId id : e.hosts) after.push_back({1, What::NoCard, id});
    append(story.cascade, grouped(s, after, most));
    story.redundancy = grouped(s, reserveItems(study, e), most);
    tellCooling(study, e, story);
    tellTaken(study.model(), e, most, story);
    return story;
}

} // namespace hw::impact
