// SPDX-License-Identifier: GPL-3.0-or-later
// Readings that a load bank and failovers of a segment should show.
#include "core/output/document/handover.h"

#include "core/derived/cooling/chain.h"
#include "core/derived/cooling/facility.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"
#include "core/output/report/amounts.h"
#include "core/physics/plant/supplies.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace hw::document {

std::vector<DeviceId> feedsOf(const HandoverInput& in)
{
    const Snapshot& s = in.snapshot();
    std::vector<DeviceId> open = in.segment.devices(), found;
    std::vector<char> seen(s.devices.nextId(), 0);
    while (!open.empty()) {
        const DeviceId id = open.back();
        open.pop_back();
        for (const PowerFeed& feed : in.model->feeds->of(id)) {
            if (std::exchange(seen[feed.supplier.value], char(1))) continue;
            found.push_back(feed.supplier);
            open.push_back(feed.supplier);
        }
    }
    std::erase_if(found, [&](DeviceId id) { return s.tiers.kind[s.devices.tier[id]] != TierKind::Power; });
    std::map<TierId, std::uint32_t> depth; // of tiers: sources come last in the order of the network
    for (const DeviceId id : found) {
        auto& most = depth[s.devices.tier[id]];
        most = std::max(most, in.model->chain->network.rank(id.value));
    }
    std::ranges::sort(found, [&](DeviceId a, DeviceId b) {
        const auto key = [&](DeviceId id) {
            const TierId tier = s.devices.tier[id];
            return std::tuple(-std::int64_t(depth.at(tier)), tier, in.model->feeds->side(id), std::string_view(s.devices.name[id]));
        };
        return key(a) < key(b);
    });
    return found;
}

namespace {

/// Heat of each loop over that of the design while the segment alone draws `share` of its load.
std::vector<double> heatShares(const HandoverInput& in, const CoolingChain& chain, double share)
{
    const Snapshot& s = in.snapshot();
    std::vector<double> all(chain.loops.size(), 0), now = all;
    const auto add = [&](std::int32_t loop, double watts, double part) {
        if (loop >= 0) all[std::size_t(loop)] += watts, now[std::size_t(loop)] += watts * part;
    };
    for (const CooledLoad& taker : chain.takers) {
        const auto own = std::ranges::count_if(taker.cooled, [&](DeviceId id) { return in.segment.has[id.value] != 0; });
        const double part = taker.cooled.empty() ? double(in.segment.has[taker.device.value] != 0) : double(own) / double(taker.cooled.size());
        add(taker.loop, taker.liquidW, share * part);
    }
    s.devices.forEach([&](DeviceId id) {
        const TierKind kind = s.tiers.kind[s.devices.tier[id]];
        const auto hall = hallOf(s, id);
        if (kind == TierKind::Power || kind == TierKind::Cooling || !hall) return;
        const double liquid = toWatts(in.figures.power->device(id).liquid[std::size_t(chain.at.basis)]);
        add(chain.airOf[(*hall).value], std::max(0.0, toWatts(in.model->chain->network[id.value].draw) - liquid),
            in.segment.has[id.value] ? share : 0);
    });
    std::vector<double> out(all.size(), 0);
    for (std::size_t depth = 0; depth < 4; ++depth) { // cabinets, CDUs, chillers, towers
        std::vector<double> passed(all.size(), 0), left = passed;
        for (const CoolingUnit& unit : chain.units)
            if (unit.parts() && unit.feeds >= 0 && unit.takes >= 0)
                passed[std::size_t(unit.takes)] += unit.heatW, left[std::size_t(unit.takes)] += unit.heatW * out[std::size_t(unit.feeds)];
        for (std::size_t l = 0; l < out.size(); ++l) {
            const double heat = all[l] + passed[l];
            out[l] = heat > 0 ? std::min(1.0, (now[l] + left[l]) / heat) : 1;
        }
    }
    return out;
}

} // namespace

std::vector<double> loadBankReadings(const HandoverInput& in, std::span<const DeviceId> feeds, double share)
{
    const Snapshot& s = in.snapshot();
    const power::Network& network = in.model->chain->network;
    std::vector<power::Element> elements;
    std::vector<std::vector<power::Feed>> ways;
    const CoolingChain& cooled = in.figures.get<CoolingChainNode>();
    const std::vector<double> heat = heatShares(in, cooled, share);
    const double fixedHead = numberSetting(s, "year.fixed_head_percent") / 100, leastFlow = numberSetting(s, "year.least_flow_percent") / 100;
    const auto coolingAt = [&](const CoolingUnit& unit) { // compressors by heat, pumps and fans by flow as over the year
        const double part = unit.feeds >= 0 ? heat[std::size_t(unit.feeds)] : 1;
        const bool moves = unit.element == CoolingElement::Pump || (unit.parts() && unit.cop <= 0);
        return coolingDraw(cooled, unit) * (unit.cop > 0 ? part : moves ? plant::drivePower(std::max(part, leastFlow), fixedHead) : 1);
    };
    for (power::Index i = 0; i < network.size(); ++i) {
        power::Element e = network[i];
        const bool device = s.devices.alive(i);
        const TierKind kind = device ? s.tiers.kind[s.devices.tier[DeviceId(i)]] : TierKind::Other;
        const bool own = device && in.segment.has[i];
        if (own)
            e.draw = Milliwatts(std::int64_t(double(e.draw.count()) * share));
        else if (const CoolingUnit* unit = device && kind == TierKind::Cooling ? cooled.unit(DeviceId(i)) : nullptr)
            e.draw = std::min(e.draw, Milliwatts(std::llround(1000 * coolingAt(*unit))));
        else if (kind != TierKind::Power && kind != TierKind::Cooling)
            e.draw = {};
        elements.push_back(e);
        const auto of = network.feeds(i);
        ways.emplace_back(of.begin(), of.end());
    }
    const power::Network bank(std::move(elements), ways);
    const power::Flow flow = power::flowOf(bank);
    std::vector<double> readings;
    for (const DeviceId id : feeds) readings.push_back(toWatts(flow.intake[id.value].total()));
    return readings;
}

std::vector<DeviceId> coolersOf(const HandoverInput& in)
{
    const CoolingChain& chain = in.figures.get<CoolingChainNode>();
    std::set<std::int32_t> loops;
    const auto own = [&](DeviceId id) { return in.segment.has[id.value] != 0; };
    for (const CooledLoad& taker : chain.takers)
        if (taker.loop >= 0 && (own(taker.device) || std::ranges::any_of(taker.cooled, own))) loops.insert(taker.loop);
    const Snapshot& s = in.snapshot();
    std::set<HallId> halls;
    for (const DeviceId id : in.segment.devices())
        if (const auto hall = hallOf(s, id)) halls.insert(*hall);
    for (std::size_t i = 0; i < chain.loops.size(); ++i)
        if (chain.loops[i].kind == LoopKind::Air && chain.loops[i].hall && halls.contains(*chain.loops[i].hall)) loops.insert(std::int32_t(i));
    std::vector<DeviceId> all;
    for (const auto loop : loops)
        for (const DeviceId id : chain.loops[std::size_t(loop)].sources)
            if (std::ranges::find(all, id) == all.end()) all.push_back(id);
    return all;
}

namespace {

using namespace amounts;

Text sideText(const HandoverInput& in, DeviceId id)
{
    const char side = in.model->feeds->side(id);
    return side ? verbatim(std::string(1, side)) : verbatim("–");
}

Milliwatts ratedOf(const HandoverInput& in, DeviceId id) { return in.model->parts->device(in.snapshot().devices.type[id]).capacity.value; }

/// What its meter shows at the way in: what it passes on and its own loss.
double meterW(const HandoverInput& in, DeviceId id, Milliwatts through)
{
    return toWatts(through + in.model->chain->network[id.value].loss.at(through));
}

struct Failover {
    DeviceId first{};
    std::int64_t alike = 1;
    bool cooler = false;
};

/// Failures of one tier and side that cost the same are one script.
std::vector<Failover> failoversOf(const HandoverInput& in, impact::Study& study)
{
    const Snapshot& s = in.snapshot();
    std::vector<Failover> all;
    std::map<std::string, std::size_t> known;
    const auto put = [&](DeviceId id, bool cooler) {
        const auto& loss = study.lose({ref(id), -1, -1, -1}).loss;
        std::string key = s.tiers.key[s.devices.tier[id]] + in.model->feeds->side(id);
        for (const auto n : {loss.gpusLost.active, loss.hostsLost.active, loss.devicesDark, loss.tripped, loss.coolingLost.count()})
            key += "/" + std::to_string(n);
        const auto [at, fresh] = known.emplace(key, all.size());
        if (fresh)
            all.push_back({id, 1, cooler});
        else
            ++all[at->second].alike;
    };
    for (const DeviceId id : feedsOf(in)) put(id, false);
    for (const DeviceId id : coolersOf(in)) put(id, true);
    return all;
}

Table meterTable(const HandoverInput& in, const impact::Effect& effect, std::span<const DeviceId> feeds)
{
    struct Row {
        DeviceId id;
        double before, after;
    };
    std::vector<Row> rows;
    const std::set<DeviceId> own(feeds.begin(), feeds.end());
    for (const auto& change : effect.changed)
        if (const DeviceId id(change.element); own.contains(id))
            rows.push_back({id, toWatts(in.model->chain->load(id)), meterW(in, id, change.through.total())});
    for (const DeviceId id : effect.dark)
        if (own.contains(id)) rows.push_back({id, toWatts(in.model->chain->load(id)), 0});
    std::ranges::stable_sort(rows, [](const Row& a, const Row& b) { return std::abs(a.after - a.before) > std::abs(b.after - b.before); });
    Table table;
    table.columns = {{i18n("Meter"), 2.4},       {i18n("Feed"), 0.5},        {i18n("Before"), 0.9, true},
                     {i18n("After"), 0.9, true}, {i18n("Rated"), 0.9, true}, {i18n("Reading"), 1}};
    constexpr std::size_t kMost = 14;
    for (std::size_t i = 0; i < rows.size() && i < kMost; ++i) {
        const Milliwatts rated = ratedOf(in, rows[i].id);
        const bool over = rated.count() > 0 && rows[i].after > toWatts(rated);
        table.rows.push_back(
            {{verbatim(in.snapshot().devices.name[rows[i].id]), sideText(in, rows[i].id), powerText(rows[i].before),
              Cell(powerText(rows[i].after), over ? Tone::Bad : Tone::Plain), rated.count() ? powerText(rated) : verbatim("–"), Cell()}});
    }
    if (rows.size() > kMost)
        table.rows.push_back({{Cell(i18np(std::int64_t(rows.size() - kMost), "and {:L} more meter", "and {:L} more meters"), Tone::Dim), Cell(),
                               Cell(), Cell(), Cell(), Cell()}});
    return table;
}

Facts outcomeFacts(const impact::Effect& effect)
{
    const impact::Loss& loss = effect.loss;
    Facts facts;
    facts.lines.push_back({i18n("GPUs lost"), grouped(loss.gpusLost.active), loss.gpusLost.active ? Tone::Bad : Tone::Good});
    facts.lines.push_back({i18n("Devices without power"), grouped(loss.devicesDark), loss.devicesDark ? Tone::Bad : Tone::Good});
    facts.lines.push_back(
        {i18n("Hosts that reboot"), grouped(loss.hostsInterrupted.active), loss.hostsInterrupted.active ? Tone::Warning : Tone::Good});
    facts.lines.push_back({i18n("Redundancy lost meanwhile"), grouped(loss.redundancyLost)});
    if (const auto ride = effect.rideThroughMs()) facts.lines.push_back({i18n("Time to limit"), i18n("{:.0f} s", double(*ride) / 1000)});
    return facts;
}

} // namespace

Section loadBankSection(const HandoverInput& in)
{
    constexpr std::array<double, 4> kSteps{0.25, 0.5, 0.75, 1.0};
    Section section{i18n("Load bank"), 1, "load-bank", {}};
    section.blocks.push_back(
        Paragraph{i18n("Load banks replace the devices of the segment only; all other loads are off, and cooling equipment "
                       "runs at the heat load of the step. 100 % is the design load of the segment. Hold each step until the readings are "
                       "steady, and record them next to the predicted values."),
                  Paragraph::Style::Body});
    const auto feeds = feedsOf(in);
    std::vector<std::vector<double>> readings;
    for (const double share : kSteps) readings.push_back(loadBankReadings(in, feeds, share));
    Table table;
    table.caption = i18n("Predicted meter readings, from the utility down");
    table.columns = {{i18n("Meter"), 2.4}, {i18n("Feed"), 0.5}};
    for (const double share : kSteps) table.columns.push_back({i18n("{:.0f} %", 100 * share), 0.9, true});
    table.columns.push_back({i18n("Rated"), 0.9, true});
    for (std::size_t i = 0; i < feeds.size(); ++i) {
        const Milliwatts rated = ratedOf(in, feeds[i]);
        Table::Row row{{verbatim(in.snapshot().devices.name[feeds[i]]), sideText(in, feeds[i])}};
        for (const auto& step : readings)
            row.cells.emplace_back(powerText(step[i]), rated.count() > 0 && step[i] > toWatts(rated) ? Tone::Bad : Tone::Plain);
        row.cells.emplace_back(rated.count() ? powerText(rated) : verbatim("–"));
        table.rows.push_back(std::move(row));
    }
    if (table.rows.empty())
        section.blocks.push_back(
            Paragraph{i18n("The design contains no power chain that feeds the segment."), Paragraph::Style::Body, Tone::Warning});
    else
        section.blocks.push_back(std::move(table));
    return section;
}

void addFailovers(const HandoverInput& in, std::vector<Section>& sections)
{
    sections.push_back({i18n("Failover scripts"), 1, "failover", {}});
    sections.back().blocks.push_back(
        Paragraph{i18n("One element is switched off at a time, at design load of the entire hall; readings are those after "
                       "transfer. Elements with the same type, feed and outcome share one script: repeat it for each of "
                       "them."),
                  Paragraph::Style::Body});
    impact::Study study(in.model);
    const auto feeds = feedsOf(in);
    const auto scripts = failoversOf(in, study);
    if (scripts.empty())
        sections.back().blocks.push_back(
            Paragraph{i18n("The design contains no equipment that feeds or cools the segment."), Paragraph::Style::Body, Tone::Warning});
    for (std::size_t i = 0; i < scripts.size(); ++i) {
        const Failover& one = scripts[i];
        const std::string name = in.snapshot().devices.name[one.first];
        Section section{one.cooler ? i18n("{} stopped", name) : i18n("{} switched off", name), 2, "failover." + std::to_string(i + 1), {}};
        if (one.alike > 1)
            section.blocks.push_back(
                Paragraph{i18np(one.alike - 1, "Repeat for {:L} other identical element.", "Repeat for {:L} other identical elements.")});
        const auto& effect = study.lose({ref(one.first), -1, -1, -1});
        section.blocks.push_back(outcomeFacts(effect));
        if (Table table = meterTable(in, effect, feeds); !table.rows.empty())
            section.blocks.push_back(std::move(table));
        else
            section.blocks.push_back(Paragraph{i18n("No meter reading of the segment changes."), Paragraph::Style::Body, Tone::Dim});
        sections.push_back(std::move(section));
    }
}

} // namespace hw::document
