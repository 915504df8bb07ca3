// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/faults/followed_hall.h"

#include "core/design/template/template.h"
#include "simulation/emulation/fault_action.h"
#include "tests/bench/faults/apart.h"

#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

namespace hw::bench {

namespace {

emulation::Options optionsOf(std::uint64_t seed, ReadBy by)
{
    emulation::Options out;
    out.seed = seed, out.pollS = 10, out.startMs = 1'800'000'000'000;
    if (by == ReadBy::Second) out.metersFromS = out.metersToS = 1;
    if (by == ReadBy::Polls) out.metersFromS = 10, out.metersToS = 60;
    return out;
}

following::Sequence::Parts partsOf(std::vector<monitoring::Event>& events)
{
    following::Sequence::Parts parts;
    parts.judge = following::watchJudge, parts.binder = following::liveBinder();
    parts.event = [&events](const monitoring::Event& event) { events.push_back(event); };
    return parts;
}

} // namespace

FollowedHall::FollowedHall(FiguresPtr figures, std::uint64_t seed, ReadBy by, double missingPercent)
    : m_figures(std::move(figures)), m_hall(emulation::Hall::of(m_figures, optionsOf(seed, by)).value()), m_naming(*m_hall),
      m_spoke(m_hall->sensors().size(), 0), m_sequence(partsOf(m_events), m_figures)
{
    if (missingPercent > 0) act({"sensor-missing percent=" + std::to_string(missingPercent)});
    for (emulation::SensorNo no = 0; no < m_hall->sensors().size(); ++no)
        m_sequence.work(following::Declared{no, {m_naming.topic(no), m_naming.fields(no), m_naming.unit(no)}});
}

std::vector<monitoring::Event> FollowedHall::watch(int seconds)
{
    for (int i = 0; i < seconds; ++i) {
        following::Taken taken;
        for (const emulation::Value& value : m_hall->advance(m_hall->nowMs() + 1000))
            m_spoke[value.sensor] = 1, taken.samples.push_back({value.sensor, value.timeMs, m_naming.said(value.sensor, value.value), value.good});
        taken.atMs = m_hall->startMs() + m_hall->nowMs() + 500; // half a second on its way
        m_sequence.work(std::move(taken));
        m_sequence.work(following::Reached{m_hall->startMs() + m_hall->nowMs() + 1000});
    }
    return std::exchange(m_events, {});
}

bool FollowedHall::speaks(EntityRef entity, emulation::Reading reading, int part) const
{
    const auto no = m_hall->find(entity, reading, part);
    return no && m_spoke[*no];
}

std::map<DeviceId, std::vector<double>> FollowedHall::sentAhead(int intervals)
{
    const Snapshot& s = *m_figures->snapshot;
    const auto sentOf = [&] {
        std::map<DeviceId, double> out;
        const auto& sensors = m_hall->sensors();
        for (emulation::SensorNo no = 0; no < sensors.size(); ++no)
            if (sensors[no].reading == emulation::Reading::SentOctets && sensors[no].entity.kind == EntityKind::Port)
                if (const DeviceId id = s.ports.device[PortId(sensors[no].entity.id)]; s.tiers.kind[s.devices.tier[id]] == TierKind::Server)
                    out[id] += m_hall->truth(no);
        return out;
    };
    std::istringstream said(inCopy([&] {
        std::string out;
        auto before = sentOf();
        for (int i = 0; i < intervals; ++i) {
            (void)m_hall->advance(m_hall->nowMs() + 30'000);
            const auto now = sentOf();
            for (const auto& [id, sent] : now) out += fmt::format("{} {}\n", id.value, sent - before[id]);
            before = now;
        }
        return out;
    }));
    std::map<DeviceId, std::vector<double>> out;
    std::uint32_t id = 0;
    for (double sent = 0; said >> id >> sent;) out[DeviceId(id)].push_back(sent);
    return out;
}

void FollowedHall::act(const std::vector<std::string>& lines)
{
    std::vector<emulation::FaultAction> actions;
    for (const std::string& line : lines) {
        auto action = emulation::readLine(line);
        if (!action) throw std::runtime_error(action.error().text());
        actions.push_back(std::move(*action));
    }
    if (const auto planned = m_hall->plan(actions, "bench"); !planned) throw std::runtime_error(planned.error().text());
}

FiguresPtr designOf(const std::string& name, const std::map<std::string, std::string>& values)
{
    static const Catalog catalog = Catalog::load(HW_RESOURCES "/catalog").value();
    const auto design = Template::load(std::string(HW_RESOURCES "/templates/") + name + ".yaml").value();
    return computeFigures(instantiate(design, design.complete(values).value(), catalog).value()).value();
}

} // namespace hw::bench
