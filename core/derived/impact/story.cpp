// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/impact/story_coolant.h"

#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/places.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace hw::impact {

namespace {

enum class What : std::uint8_t {
    OnBattery,
    BatteryEmpty,
    BatteryTrips,
    Trips,
    PhaseTrips,
    Started,
    ChangedOver,
    Interrupted,
    Dark,
    CoolingDark,
    TooWeak,
    NoCard,
    Ways,
    CardHalf,
    CardLost,
    Uplinks,
    CutOff
};

/// Something that happened to one device.
struct Item {
    int step = 0;
    What what = What::Dark;
    DeviceId device;
    std::uint32_t by = kNone; ///< device
    std::int64_t n = 1, of = 0;
    std::int64_t ms = 0;    ///< when
    Milliwatts load, most;  ///< carried or lost, and what may be carried
    std::int64_t lasts = 0; ///< ms
    int phase = 0;          ///< that was too full, 1 to 3
};

Item itemOf(int step, What what, DeviceId device, std::int64_t n, std::int64_t of)
{
    Item item;
    item.step = step, item.what = what, item.device = device, item.n = n, item.of = of;
    return item;
}

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
    case What::OnBattery: return i18n("on battery, carrying {}; battery autonomy {}", kilowattText(i.load), timeText(i.lasts));
    case What::BatteryEmpty: return i18n("battery depleted");
    case What::BatteryTrips: return i18n("battery cut-out: {} load exceeds {} continuous rating", kilowattText(i.load), kilowattText(i.most));
    case What::Trips: return i18n("trips on overload: {}, rated {}", kilowattText(i.load), kilowattText(i.most));
    case What::PhaseTrips: return i18n("trips on overload: {} on L{}, rated {} per phase", kilowattText(i.load), i.phase, kilowattText(i.most));
    case What::Started: return i18n("running, carrying {}", kilowattText(i.load));
    case What::ChangedOver: return i18n("transferred to its other feed, carrying {}", kilowattText(i.load));
    case What::Interrupted: return i18n("without power for {}: reboots", timeText(i.lasts));
    case What::CoolingDark:
        return i.by == kNone ? i18n("without power: {} of cooling capacity lost", kilowattText(i.load))
                             : i18n("without power because {} is out: {} of cooling capacity lost", by(), kilowattText(i.load));
    case What::Dark: return i.by == kNone ? i18n("without power") : i18n("without power because {} is out", by());
    case What::TooWeak: return i18n("off: remaining power supplies cannot carry its load");
    case What::NoCard: return i18n("isolated: no NIC left in the backend");
    case What::Ways: return i18n("{} of {} feeds left", i.of - i.n, i.of);
    case What::CardHalf: return i18np(i.n, "{} NIC with only part of its ports left", "{} NICs with only part of their ports left");
    case What::CardLost: return i18np(i.n, "{} NIC lost, others remain", "{} NICs lost, others remain");
    case What::Uplinks: return i18n("{} of {} uplinks left", i.of - i.n, i.of);
    case What::CutOff: return i18n("no uplink left");
    }
    return {};
}

Text several(std::int64_t devices, const Item& i)
{
    switch (i.what) {
    case What::OnBattery:
        return i18np(devices, "{:L} UPS on battery, carrying {}; battery autonomy {}",
                     "{:L} UPSs on battery, carrying {}; shortest battery autonomy {}", kilowattText(i.load), timeText(i.lasts));
    case What::BatteryEmpty: return i18np(devices, "{:L} battery depleted", "{:L} batteries depleted");
    case What::Trips:
        return i18np(devices, "{:L} trips on overload: {}, rated {}", "{:L} trip on overload: {}, rated {} each", kilowattText(i.load),
                     kilowattText(i.most));
    case What::BatteryTrips:
        return i18np(devices, "{:L} battery cut-out: {} load exceeds {} continuous rating",
                     "{:L} battery cut-outs: {} load exceeds {} continuous rating", kilowattText(i.load), kilowattText(i.most));
    case What::PhaseTrips:
        return i18np(devices, "{:L} trips on overload: {} on its most loaded phase, rated {} per phase",
                     "{:L} trip on overload: {} on their most loaded phases, rated {} per phase", kilowattText(i.load), kilowattText(i.most));
    case What::Started: return i18np(devices, "{:L} generator running, carrying {}", "{:L} generators running, carrying {}", kilowattText(i.load));
    case What::ChangedOver:
        return i18np(devices, "{:L} switchboard transferred to its other feed, carrying {}",
                     "{:L} switchboards transferred to their other feeds, carrying {}", kilowattText(i.load));
    case What::Interrupted:
        return i18np(devices, "{:L} device without power for {}: reboots", "{:L} devices without power for {}: reboot", timeText(i.lasts));
    case What::CoolingDark:
        return i18np(devices, "{:L} cooling unit without power: {} of cooling capacity lost",
                     "{:L} cooling units without power: {} of cooling capacity lost", kilowattText(i.load));
    case What::Dark: return i18np(devices, "{:L} device without power", "{:L} devices without power");
    case What::TooWeak:
        return i18np(devices, "{:L} device off: remaining power supplies cannot carry its load",
                     "{:L} devices off: remaining power supplies cannot carry their load");
    case What::NoCard: return i18np(devices, "{:L} host without a backend NIC", "{:L} hosts without a backend NIC");
    case What::Ways: return i18np(devices, "{:L} device with one feed fewer", "{:L} devices with one feed fewer");
    case What::CardHalf: return i18np(i.n, "{:L} NIC with only part of its ports left", "{:L} NICs with only part of their ports left");
    case What::CardLost: return i18np(i.n, "{:L} NIC lost, others remain", "{:L} NICs lost, others remain");
    case What::Uplinks: return i18np(devices, "{:L} switch with {} of {} uplinks left", "{:L} switches with {} of {} uplinks left", i.of - i.n, i.of);
    case What::CutOff: return i18np(devices, "{:L} switch without uplinks", "{:L} switches without uplinks");
    }
    return {};
}

/// Happenings of less than a second are apart, so that what changes over does not hide among what fails at once.
std::int64_t secondOf(std::int64_t ms) { return ms < 1000 ? ms : ms / 1000 * 1000; }
std::int64_t secondOf(const Item& i) { return secondOf(i.ms); }

/// Alike items of one place together; by the smallest places with which the lines are few enough.
Lines grouped(const Snapshot& s, const std::vector<Item>& items, std::size_t most)
{
    using Key = std::tuple<std::int64_t, int, What, EntityRef>; // within a second: together
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
            auto& group = groups[{secondOf(items[i]), items[i].step, items[i].what, placeOf(s, items[i].device, size)}];
            if (group.devices++ == 0) {
                group.sum = items[i];
                group.first = i;
            } else {
                group.sum.n += items[i].n, group.sum.of += items[i].of;
                group.sum.load += items[i].load, group.sum.most += items[i].most;
                const bool least = items[i].what == What::OnBattery;
                group.sum.lasts = least ? std::min(group.sum.lasts, items[i].lasts) : std::max(group.sum.lasts, items[i].lasts);
                group.sum.ms = std::min(group.sum.ms, items[i].ms);
            }
            if (size < kLargest && groups.size() > most) break;
        }
        if (groups.size() <= most) break;
    }
    std::vector<std::pair<EntityRef, Group>> order;
    for (auto& [key, group] : groups) order.emplace_back(std::get<EntityRef>(key), std::move(group));
    std::ranges::stable_sort(order, {}, [](const auto& o) { return std::tuple(secondOf(o.second.sum), o.second.sum.step, o.second.first); });
    Lines out;
    for (const auto& [place, group] : order) {
        if (out.lines.size() < most)
            out.lines.push_back(group.devices == 1 ? Line{ref(group.sum.device), single(s, group.sum), double(group.sum.ms) / 1000}
                                                   : Line{place, several(group.devices, group.sum), double(group.sum.ms) / 1000});
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
        Item item;
        item.step = 1, item.device = id;
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
        const Milliwatts cools = m.coolingCapacity(id);
        if (cools.count() > 0 && !alive) item.what = What::CoolingDark, item.load = cools;
        item.ms = e.darkMs[std::size_t(std::ranges::lower_bound(e.dark, id) - e.dark.begin())];
        step[id.value] = item.step;
        items.push_back(item);
    }
    std::ranges::stable_sort(items, {}, [](const Item& i) { return std::pair(i.step, i.device); });
    return items;
}

/// What acts in time: batteries, generators, protection; and what was without power meanwhile.
std::vector<Item> timedItems(const Effect& e)
{
    std::vector<Item> items;
    for (const CascadeEvent& h : e.course.happenings) {
        Item item;
        item.device = DeviceId(h.device), item.ms = h.ms, item.load = h.load, item.most = h.rating, item.lasts = h.lastsMs, item.phase = h.phase;
        switch (h.what) {
        case CascadeEvent::What::OnBattery: item.what = What::OnBattery; break;
        case CascadeEvent::What::BatteryEmpty: item.what = What::BatteryEmpty; break;
        case CascadeEvent::What::Started: item.what = What::Started; break;
        case CascadeEvent::What::ChangedOver: item.what = What::ChangedOver; break;
        case CascadeEvent::What::BatteryTripped: item.what = What::BatteryTrips; break;
        case CascadeEvent::What::Tripped: item.what = What::Trips; break;
        case CascadeEvent::What::PhaseTripped: item.what = What::PhaseTrips; break;
        }
        items.push_back(item); // before what they darken, whose steps start at 1
    }
    for (const CascadeTimeline::Gap& gap : e.gaps) {
        if (std::ranges::any_of(e.coolant.restarts, [&](const auto& restart) { return restart.device == DeviceId(gap.device); })) continue;
        Item item;
        item.step = 1000, item.what = What::Interrupted, item.device = DeviceId(gap.device), item.ms = gap.fromMs, item.lasts = gap.toMs - gap.fromMs;
        items.push_back(item);
    }
    return items;
}

std::vector<Item> reserveItems(const Study& study, const Effect& e)
{
    const Model& m = study.model();
    std::vector<Item> items;
    for (const DeviceId id : e.weakened) {
        Item item;
        item.what = What::Ways, item.device = id, item.n = 0;
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
            items.push_back(itemOf(1, what, card.device, 1, 0));
    }
    for (const DeviceId id : e.switches) {
        const int lost = study.uplinksLost(id), of = m.uplinks[id.value];
        items.push_back(itemOf(2, lost < of ? What::Uplinks : What::CutOff, id, lost, of));
    }
    return items;
}

void append(Lines& to, Lines more)
{
    to.lines.insert(to.lines.end(), std::make_move_iterator(more.lines.begin()), std::make_move_iterator(more.lines.end()));
    to.leftOut += more.leftOut;
}

/// As many as there is room for.
void append(Lines& to, std::vector<Line> more, std::size_t most)
{
    if (more.size() > most) to.leftOut += std::int64_t(more.size() - most), more.resize(most);
    append(to, {std::move(more), 0});
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

/// What an element takes along by itself.
Text failedText(const Model& m, const Failing& f)
{
    if (f.entity.kind == EntityKind::Tray) {
        const auto links = std::int64_t(m.linksThrough(TrayId(f.entity.id)).size()),
                   feeders = std::int64_t(m.feedersThrough(TrayId(f.entity.id)).size());
        if (links == 0 && feeders > 0)
            return i18np(feeders, "failed: {:L} feeder or pipe is routed through it", "failed: {:L} feeders and pipes are routed through it");
        if (feeders > 0) return i18n("failed: {:L} data links and {:L} feeders and pipes are routed through it", links, feeders);
        return i18np(links, "failed: {:L} data link is routed through it", "failed: {:L} data links are routed through it");
    }
    if (f.entity.kind == EntityKind::Link && m.s->ports.medium[m.s->links.from[LinkId(f.entity.id)]] == Medium::Coolant)
        return i18n("failed: shut off");
    if (f.entity.kind == EntityKind::Device && f.whole())
        if (const Milliwatts cools = m.coolingCapacity(DeviceId(f.entity.id)); cools.count() > 0)
            return i18n("failed: {} of cooling capacity lost", kilowattText(cools));
    return i18n("failed");
}

} // namespace

Story tell(const Study& study, const Effect& e, std::span<const Failing> failed, std::size_t most)
{
    const Snapshot& s = *study.model().s;
    Story story;
    auto items = timedItems(e);
    for (Item& dark : darkItems(study, e)) items.push_back(dark);
    append(story.cascade, grouped(s, items, most));
    append(story.cascade, coolantCascade(study, e), most);
    std::ranges::stable_sort(story.cascade.lines, {}, [](const Line& line) { return secondOf(std::llround(line.after * 1000)); });
    std::vector<Line> first;
    for (const Failing& f : failed) first.push_back({f.entity, failedText(study.model(), f), 0});
    story.cascade.lines.insert(story.cascade.lines.begin(), first.begin(), first.end());
    std::vector<Item> after;
    for (const DeviceId id : e.hosts) {
        Item& item = after.emplace_back();
        item.what = What::NoCard, item.device = id, item.ms = e.endMs();
    }
    append(story.cascade, grouped(s, after, most));
    story.redundancy = grouped(s, reserveItems(study, e), most);
    append(story.redundancy, coolantReserve(study, e), most);
    tellTaken(study.model(), e, most, story);
    return story;
}

} // namespace hw::impact
