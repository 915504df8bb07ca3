// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/prediction/history.h"

#include "core/derived/topology/holding.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hw::prediction {

namespace {

using bindings::Measure;
using bindings::Point;

constexpr std::int64_t kMostStepMs = 3'600'000; ///< for which a value holds without another one

/// XIDs that the application causes (NVIDIA, Xid Errors): graphics exception, page fault, stopped processing, cleanup.
bool isOfApplication(double code) { return code == 13 || code == 31 || code == 43 || code == 45; }
/// Double-bit error, row remapping failure, uncontained and unrecovered ECC error.
bool isUncorrected(double code) { return code == 48 || code == 64 || code == 95 || code == 140; }

/// How a channel of a sign is counted.
enum class Way : std::uint8_t { None, Codes, Total, Rate, Falls, Hot };
struct Counting {
    Way way = Way::None;
    Sign sign = Sign::Xid;
    DeviceId host{};
    double factor = 1, last = std::numeric_limits<double>::quiet_NaN();
    std::int64_t lastMs = 0;
};

} // namespace

struct History::State {
    State(FiguresPtr figures, const HazardModel& given) : design(std::move(figures)), model(given), binder(design)
    {
        const Snapshot& s = *design->snapshot;
        for (const DeviceId host : gpuHosts(*design)) hosts.emplace(host, Signs());
        s.links.forEach([&](LinkId link) {
            const PortId from = s.links.from[link], to = s.links.to[link];
            if (hosts.contains(s.ports.device[from])) peers.emplace(to.value, from);
            if (hosts.contains(s.ports.device[to])) peers.emplace(from.value, to);
        });
    }

    /// The GPU host that a point belongs to; none: no GPU host.
    [[nodiscard]] Maybe<DeviceId> hostOf(const Point& point) const
    {
        if (const auto device = deviceOf(*design->snapshot, point.entity); device && hosts.contains(*device)) return device;
        if (point.entity.kind != EntityKind::Port) return {};
        const auto peer = peers.find(point.entity.id);
        if (peer == peers.end()) return {};
        const bool seenThere = point.measure == Measure::LinkUp || point.measure == Measure::LinkChanges; // both ends report the same
        if (seenThere && bound->find({ref(peer->second), point.measure, point.element}) != bindings::kNoPoint) return {};
        return design->snapshot->ports.device[peer->second];
    }

    [[nodiscard]] Counting countingOf(const Point& point, const bindings::Conversion& conversion) const
    {
        Counting out;
        const auto host = hostOf(point);
        if (!host) return out;
        out.host = *host, out.factor = conversion.factor;
        const auto with = [&](std::string_view part) { return point.element.find(part) != std::string::npos; };
        const Way counted = conversion.counter ? Way::Total : Way::Rate;
        switch (point.measure) {
        case Measure::Xid: out.way = Way::Codes; break;
        case Measure::Errors:
            out.way = counted;
            out.sign = with("ecc-double") ? Sign::EccUncorrected
                       : with("ecc")      ? Sign::EccCorrected
                       : with("pcie")     ? Sign::PcieReplays
                                          : Sign::LinkErrors;
            break;
        case Measure::LinkUp: out.way = Way::Falls, out.sign = Sign::Flaps; break;
        case Measure::LinkChanges: out.way = counted, out.sign = Sign::Flaps, out.factor /= 2; break; // down and up again
        case Measure::Temperature:
            if (point.entity.kind == EntityKind::Device && with("gpu") && !with("memory")) out.way = Way::Hot, out.sign = Sign::HotHours;
            break;
        default: break;
        }
        return out;
    }

    void bindNew()
    {
        if (counted == channels.size()) return;
        bound = binder.bind(channels);
        counting.resize(channels.size());
        for (std::size_t i = counted; i < channels.size(); ++i) {
            const auto& one = bound->channels[i];
            if (one.point == bindings::kNoPoint) continue;
            conversions.resize(channels.size());
            conversions[i] = one.conversion;
            counting[i] = countingOf(bound->points[one.point], one.conversion);
            ofSigns += counting[i].way != Way::None;
        }
        conversions.resize(channels.size());
        counted = channels.size();
    }

    void take(const bindings::Sample& sample)
    {
        if (sample.channel >= counting.size()) return;
        Counting& at = counting[sample.channel];
        if (at.way == Way::None || !sample.good || !std::isfinite(sample.value)) return;
        fromMs = fromMs == 0 ? sample.timeMs : std::min(fromMs, sample.timeMs), toMs = std::max(toMs, sample.timeMs);
        const double hours = at.lastMs > 0 ? double(std::clamp<std::int64_t>(sample.timeMs - at.lastMs, 0, kMostStepMs)) / 3.6e6 : 0;
        const bool first = at.lastMs == 0;
        double count = 0;
        Sign sign = at.sign;
        const double value = at.way == Way::Total || at.way == Way::Rate ? sample.value * at.factor : conversions[sample.channel](sample.value);
        switch (at.way) {
        case Way::Codes:
            if (value > 0 && value != at.last && !isOfApplication(value)) count = 1, sign = isUncorrected(value) ? Sign::EccUncorrected : Sign::Xid;
            break;
        case Way::Total: count = first ? 0 : value >= at.last ? value - at.last : value; break; // after a counter reset
        case Way::Rate: count = first ? 0 : at.last * hours * 3600; break;
        case Way::Falls: count = !first && at.last >= 0.5 && value < 0.5 ? 1 : 0; break;
        case Way::Hot: count = !first && at.last >= model.hotC ? hours : 0; break;
        case Way::None: break;
        }
        at.last = value, at.lastMs = std::max(at.lastMs, sample.timeMs);
        if (const auto host = hosts.find(at.host); host != hosts.end()) host->second.add(sign, sample.timeMs, count, model.halfLifeDays);
    }

    FiguresPtr design;
    HazardModel model;
    bindings::Binder binder;
    bindings::BoundPtr bound;
    mutable std::mutex mutex;
    std::map<DeviceId, Signs> hosts;
    std::unordered_map<std::uint32_t, PortId> peers; ///< by port: the port of a host that it is connected to
    std::vector<bindings::ChannelText> channels;
    std::unordered_map<std::string, bindings::ChannelNo> numbers;
    std::vector<Counting> counting;                ///< by channel
    std::vector<bindings::Conversion> conversions; ///< by channel
    std::size_t counted = 0, ofSigns = 0;
    std::int64_t fromMs = 0, toMs = 0;
};

History::History(FiguresPtr design, const HazardModel& model) : m_state(std::make_unique<State>(std::move(design), model)) {}
History::~History() = default;

bindings::ChannelNo History::channel(const bindings::ChannelText& text)
{
    const std::lock_guard lock(m_state->mutex);
    const auto [at, fresh] = m_state->numbers.emplace(text.name, bindings::ChannelNo(m_state->channels.size()));
    if (fresh) m_state->channels.push_back(text);
    return at->second;
}

void History::take(std::span<const bindings::Sample> samples)
{
    const std::lock_guard lock(m_state->mutex);
    m_state->bindNew();
    for (const auto& sample : samples) m_state->take(sample);
}

void History::gap(const bindings::Gap&) {}
void History::clock(std::int64_t) {}

History::Coverage History::coverage() const
{
    const std::lock_guard lock(m_state->mutex);
    return {m_state->channels.size(), m_state->ofSigns, m_state->fromMs, m_state->toMs};
}

std::vector<Likely> History::ranked() const
{
    const std::lock_guard lock(m_state->mutex);
    std::vector<Likely> out;
    for (const auto& [host, signs] : m_state->hosts) {
        const Counts counts = signs.excess(m_state->toMs, m_state->model.halfLifeDays);
        out.push_back({host, m_state->design->snapshot->devices.name[host], m_state->model.probability(counts), m_state->model.ratio(counts), counts,
                       signs.firstMs(), m_state->model.predicts(counts)});
    }
    rank(out);
    return out;
}

} // namespace hw::prediction
