// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/impact/impact_output.h"
#include "core/derived/impact/story_coolant.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace hw::impact {

namespace {

Text powerText(Milliwatts power) { return i18n("{:.1f} kW", toWatts(power) / 1000); }

Text countText(const Count& count)
{
    return count.backup > 0 ? i18n("{:L} plus {:L} backup", count.active, count.backup) : i18n("{:L}", count.active);
}

/// `timed`: each with when it comes. `names`: of the first ones.
void lines(std::string& out, const Model& m, const Text& title, const Lines& list, bool timed, const std::vector<std::string>& names = {})
{
    if (list.lines.empty()) return;
    out += fmt::format("{}\n", title);
    for (std::size_t i = 0; i < list.lines.size(); ++i) {
        const Line& line = list.lines[i];
        if (timed) out += fmt::format("  {:>9}", i18n("{:.1f} s", line.after));
        out += fmt::format("  {:<28} {}\n", i < names.size() ? names[i] : entityName(*m.s, *m.parts, line.entity), line.what);
    }
    if (list.leftOut > 0) out += fmt::format("  {}\n", i18n("… and {:L} more", list.leftOut));
}

void segmentsText(std::string& out, const Model& m, const Effect& e, std::size_t most)
{
    if (e.segments.empty()) return;
    out += fmt::format("{}\n", i18n("Remaining bandwidth"));
    for (std::size_t i = 0; i < std::min(e.segments.size(), most); ++i) {
        const Segment& segment = m.segments[e.segments[i].segment];
        out += fmt::format("  {}\n", i18n("pod {} segment {}: {:.2f} %", segment.pod + 1, segment.segment + 1, e.segments[i].left * 100));
    }
    if (e.segments.size() > most) out += fmt::format("  {}\n", i18n("… and {:L} more", e.segments.size() - most));
}

void takenText(std::string& out, const Model& m, const Story& story, std::size_t most)
{
    if (story.taken.empty()) return;
    out += fmt::format("{}\n", i18n("Load transferred to"));
    for (std::size_t i = 0; i < std::min(story.taken.size(), most); ++i) {
        const Taken& t = story.taken[i];
        out += fmt::format("{} {:<28} {}\n", t.overloaded() ? "!" : " ", m.s->devices.name[t.device], loadText(t));
    }
}

std::string groupOf(const Model& m, const Failing& f)
{
    if (f.entity.kind == EntityKind::Device) return m.s->tiers.name[m.s->devices.tier[DeviceId(f.entity.id)]];
    return std::string(f.entity.kind == EntityKind::Tray ? wordOf(m.s->trays.kind[TrayId(f.entity.id)]) : "");
}

void pairsText(std::string& out, const Model& m, const PairRanking& pairs, std::size_t most)
{
    out += fmt::format("\n{}\n", i18n("Pairs whose joint failure has more impact than the sum of the two single failures"));
    for (std::size_t i = 0; i < std::min(pairs.pairs.size(), most); ++i) {
        const RankedPair& p = pairs.pairs[i];
        out += fmt::format("  {}\n", i18n("{} and {}: {:L} GPUs lost, {:L} degraded, {:L} devices without power", nameOf(m, p.a), nameOf(m, p.b),
                                          p.loss.gpusLost.active, p.loss.gpusDegraded.active, p.loss.devicesDark));
    }
    if (pairs.pairs.empty()) out += fmt::format("  {}\n", i18n("none"));
    if (pairs.pairs.size() > most) out += fmt::format("  {}\n", i18n("… and {:L} more; --json lists them all", pairs.pairs.size() - most));
    out += words(i18np(pairs.tried,
                       "{:L} pair evaluated: elements whose failures affect a common element; the impact of any other pair is "
                       "the sum of its two single failures",
                       "{:L} pairs evaluated: elements whose failures affect a common element; the impact of any other pair is "
                       "the sum of its two single failures")) +
           '\n';
    if (pairs.untried > 0) out += words(i18np(pairs.untried, "{:L} further such pair not evaluated", "{:L} further such pairs not evaluated")) + '\n';
}

} // namespace

std::vector<Alike> alike(const Model& m, const std::vector<Ranked>& singles)
{
    std::vector<Alike> groups;
    for (std::size_t i = 0; i < singles.size();) {
        // Of equal losses, elements of several tiers may take turns.
        std::size_t end = i;
        while (end < singles.size() && singles[end].loss == singles[i].loss && groupOf(m, singles[end].element) == groupOf(m, singles[i].element))
            ++end;
        groups.push_back({i, end});
        i = end;
    }
    return groups;
}

namespace {

Text tripText(const Model& m, const Plant& plant)
{
    if (!plant.tripMs) return i18n("Tripping is disabled (setting impact.trips)");
    std::string type = settingOf(*m.s, "impact.breaker_curve");
    for (char& c : type) c = char(std::toupper(static_cast<unsigned char>(c)));
    const double seconds = double(*plant.tripMs) / 1000;
    return plant.bound == power::TripBound::Earliest
               ? i18n("Breakers trip at the lower bound of their time-current curves: IEC 60898-1 curve {} up to 125 A, "
                      "IEC 60947-2 above; batteries and generators trip after {:.3g} s",
                      type, seconds)
               : i18n("Breakers trip at the upper bound of their time-current curves: IEC 60898-1 curve {} up to 125 A, IEC "
                      "60947-2 above; batteries and generators trip after {:.3g} s",
                      type, seconds);
}

} // namespace

std::vector<LossLine> lossLines(const Effect& e)
{
    const Loss& loss = e.loss;
    std::vector<LossLine> out;
    const auto value = [&](Text label, Text text) { out.push_back({std::move(label), std::move(text)}); };
    value(i18n("GPUs lost"), countText(loss.gpusLost));
    value(i18n("GPUs degraded"), countText(loss.gpusDegraded));
    value(i18n("Hosts lost"), countText(loss.hostsLost));
    value(i18n("Devices without power"), i18n("{:L}, plus {:L} in the power chain", loss.devicesDark, loss.equipmentDark));
    if (loss.devicesInterrupted > 0)
        value(i18n("Reboot"), i18np(loss.devicesInterrupted, "{:L} device, including hosts: {}", "{:L} devices, including hosts: {}",
                                    countText(loss.hostsInterrupted)));
    if (loss.tripped > 0) value(i18n("Trips"), i18np(loss.tripped, "{:L} power chain element", "{:L} power chain elements"));
    if (e.course.rideThroughMs) value(i18n("Battery autonomy"), i18n("at least {:.1f} min", double(*e.course.rideThroughMs) / 60'000));
    if (e.coolant.rideThroughMs) value(e.coolant.ofAir ? i18n("Air ride-through") : i18n("Coolant ride-through"), timeText(*e.coolant.rideThroughMs));
    if (loss.coolingLost.count() > 0) value(i18n("Cooling capacity lost"), powerText(loss.coolingLost));
    if (loss.devicesHot > 0) value(i18n("Overheated devices"), i18n("{:L}", loss.devicesHot));
    if (loss.coolingShort.count() > 0) value(i18n("Heat not removed"), powerText(loss.coolingShort));
    value(i18n("Ports lost"), countText(loss.portsLost));
    value(i18n("NICs lost"), countText(loss.nicsLost));
    value(i18n("NICs on one port"), countText(loss.nicsHalf));
    value(i18n("Data links lost"), i18n("{:L}", loss.linksLost));
    value(i18n("Remaining bisection"), i18n("{:.2f} %", loss.bisectionShare * 100));
    return out;
}

Text loadText(const Taken& t)
{
    return t.capacity.count() > 0 ? i18n("{} instead of {}, capacity {}", powerText(t.now), powerText(t.before), powerText(t.capacity))
                                  : i18n("{} instead of {}", powerText(t.now), powerText(t.before));
}

std::vector<Text> assumptions(const Model& m, const Effect& e)
{
    const Plant& plant = *m.plant;
    std::vector<Text> out{i18n("Power on the {} basis; generators carry load after {:.3g} s", powerBasisName(m.basis), double(plant.startMs) / 1000),
                          tripText(m, plant)};
    if (!e.coolant.spells.empty())
        out.push_back(i18n("Flowing coolant heats up as one loop, together with the facility water flowing through its units; "
                           "stagnant coolant in a cabinet absorbs that cabinet's heat; the ride-through time of air is set by "
                           "impact.air_margin_s"));
    out.push_back(i18n("Short circuits and selective coordination are not modeled"));
    return out;
}

std::string impactText(Study& study, std::span<const Failing> failed, std::size_t most)
{
    const Model& m = study.model();
    const Effect& e = study.lose(failed);
    const Story story = tell(study, e, failed, most);
    std::vector<std::string> names;
    for (const Failing& f : failed) names.push_back(nameOf(m, f));
    std::string out = words(i18np(names.size(), "Failure of {1}", "Failure of {1}", listedNames(names))) + '\n';
    for (const LossLine& line : lossLines(e)) out += fmt::format("  {:<22} {}\n", line.label, line.value);
    segmentsText(out, m, e, most);
    takenText(out, m, story, most);
    lines(out, m, i18n("Sequence of events"), story.cascade, e.endMs() > 0 || !e.coolant.spells.empty(), names);
    lines(out, m, i18n("Still up, redundancy lost"), story.redundancy, false);
    for (const Text& one : assumptions(m, e)) out += words(one) + '\n';
    return out;
}

std::string rankingText(const Model& m, const std::vector<Ranked>& singles, const PairRanking* pairs, std::size_t most)
{
    std::string out = fmt::format("{:<34} {:>7} {:>6} {:>6} {:>6} {:>6} {:>6} {:>8} {:>6} {:>6} {:>6} {:>9} {:>8}\n", i18n("failed element"),
                                  i18n("identical"), i18n("GPUs"), i18n("hosts"), i18n("reboots"), i18n("NICs"), i18n("ports"), i18n("degraded"),
                                  i18n("unpowered"), i18n("overheated"), i18n("trips"), i18n("bisection"), i18n("redundancy"));
    const auto groups = alike(m, singles);
    for (std::size_t g = 0; g < std::min(groups.size(), most); ++g) {
        const Loss& l = singles[groups[g].from].loss;
        out += fmt::format("{:<34} {:>7} {:>6} {:>6} {:>6} {:>6} {:>6} {:>8} {:>6} {:>6} {:>6} {:>8.2f}% {:>8}\n",
                           nameOf(m, singles[groups[g].from].element), groups[g].to - groups[g].from, l.gpusLost.active, l.hostsLost.active,
                           l.hostsInterrupted.active, l.nicsLost.active, l.portsLost.active, l.gpusDegraded.active, l.devicesDark, l.devicesHot,
                           l.tripped, l.bisectionShare * 100, l.redundancyLost);
    }
    if (groups.size() > most) out += words(i18n("… and {:L} more; --json lists them all", groups.size() - most)) + '\n';
    out += words(i18n("GPUs, hosts, NICs, ports: number lost; reboots: hosts that reboot; redundancy: "
                      "elements still up that have lost redundancy ({} power basis)",
                      powerBasisName(m.basis))) +
           '\n';
    if (pairs) pairsText(out, m, *pairs, most);
    return out;
}

} // namespace hw::impact
