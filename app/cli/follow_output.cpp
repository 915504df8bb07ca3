// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/follow_output.h"

#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "core/operations/monitoring/incident/capacity.h"
#include "core/operations/monitoring/incident/event_output.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// A line is there for whoever reads the pipe as soon as it is said.
void printLine(const std::string& text)
{
    print(text + '\n');
    std::fflush(stdout);
}

void printJson(const Json& json) { printLine(json.dump(-1, ' ', false, Json::error_handler_t::replace)); }

Json channelsJson(const char* event, const following::Counts& counts)
{
    return {{"t", counts.judgedMs == 0 ? Json(nullptr) : Json(monitoring::timeText(counts.judgedMs))},
            {"event", event},
            {"channels", counts.channels},
            {"bound", counts.bound},
            {"unbound", counts.unbound},
            {"ambiguous", counts.ambiguous},
            {"conflicting", counts.conflicting},
            {"set_aside", counts.setAside}};
}

Text channelCount(const following::Counts& counts) { return i18np(counts.channels, "{:L} channel", "{:L} channels"); }

} // namespace

Result<void> FollowOutput::follow(following::Options options, std::vector<std::unique_ptr<bindings::Source>> sources, std::optional<double> seconds,
                                  const Progress& progress)
{
    std::atomic<const following::Follower*> running = nullptr;
    options.event = [this](const monitoring::Event& one) { event(one); };
    options.boundAgain = [this, &running](std::size_t) {
        if (const auto* follower = running.load()) bound(follower->counts());
    };
    m_kept = options.store.has_value();
    following::Follower follower(m_design, std::move(options));
    running = &follower;
    if (!m_simulated.gbps.empty()) follower.simulated(std::move(m_simulated.gbps), std::move(m_simulated.after));
    interrupt::patience(std::chrono::milliseconds(3000)); // what is in the air is still kept
    if (auto started = follower.start(std::move(sources)); !started) return started;
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds.value_or(0)));
    while (!progress.stopRequested() && !follower.ended() && (!seconds || Clock::now() < end)) {
        notes(follower);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    notes(follower);
    const auto stopped = follower.stop();
    m_frame = follower.frame();
    following::Counts counts = follower.counts();
    if (!m_kept) counts.stored = counts.lost = 0;
    summary(counts);
    return stopped;
}

void FollowOutput::event(const monitoring::Event& one)
{
    if (m_keeps) m_events.push_back(one);
    if (m_json)
        printJson(monitoring::eventJson(one, *m_design));
    else
        printLine(words(monitoring::eventText(one, *m_design)));
}

std::optional<monitoring::Incident> FollowOutput::incident()
{
    if (!m_frame || m_frame->atMs < 0 || !m_frame->bound) return std::nullopt;
    return monitoring::incidentOf(std::move(m_events), m_frame);
}

void FollowOutput::bound(const following::Counts& counts)
{
    if (counts.channels == 0) return;
    if (m_json) return printJson(channelsJson("bound", counts));
    const bool asBefore = counts.unbound == m_said.unbound && counts.ambiguous == m_said.ambiguous && counts.conflicting == m_said.conflicting;
    if (asBefore && counts.channels < 2 * m_said.channels) return; // a hall says them one after the other
    m_said = counts;
    printLine(words(i18n("{} {}: {:L} bound, {:L} unbound, {:L} ambiguous", monitoring::timeText(counts.judgedMs).substr(11, 8), channelCount(counts),
                         counts.bound, counts.unbound, counts.ambiguous)));
}

void FollowOutput::summary(const following::Counts& counts) const
{
    const auto fresh = counts.received - std::min(counts.received, counts.duplicate + counts.outOfOrder);
    Json json = channelsJson("summary", counts);
    json.update({{"received", counts.received},
                 {"evaluated", fresh},
                 {"stored", counts.stored},
                 {"lost", counts.lost},
                 {"duplicate", counts.duplicate},
                 {"out_of_order", counts.outOfOrder},
                 {"not_numbers", counts.notNumbers},
                 {"gaps", counts.gaps},
                 {"faults", counts.faults}});
    std::optional<monitoring::MeasuredCapacity> capacity; // what life left unused
    if (m_frame && m_frame->life && m_frame->bound) capacity = monitoring::lifeCapacity(*m_frame->design, *m_frame->bound, *m_frame->life);
    if (capacity && capacity->racks > 0) json["capacity"] = monitoring::capacityJson(*capacity, *m_frame->design);
    if (m_json) return printJson(json);
    if (capacity && capacity->racks > 0) printLine(words(monitoring::capacityText(*capacity)));
    const Text received = i18np(counts.received, "{:L} sample", "{:L} samples");
    const Text duplicates = i18np(counts.duplicate, "{:L} duplicate", "{:L} duplicates");
    const Text samples = m_kept ? i18n("{} received: {:L} stored ({:L} of them late), {:L} lost, {};", received, counts.stored, counts.outOfOrder,
                                       counts.lost, duplicates)
                                : i18n("{} received: {:L} evaluated, {:L} late, {};", received, fresh, counts.outOfOrder, duplicates);
    printLine(words(together({samples, i18n("{}: {:L} bound, {:L} unbound, {:L} ambiguous, {:L} with conflicting units, {:L} ignored; {}",
                                            channelCount(counts), counts.bound, counts.unbound, counts.ambiguous, counts.conflicting, counts.setAside,
                                            i18np(counts.gaps, "{:L} gap", "{:L} gaps"))})));
}

void FollowOutput::notes(const following::Follower& follower)
{
    if (!m_notes) return;
    constexpr auto kOver = std::chrono::minutes(1); // what comes and goes is one note, and so is a number that counts on
    const auto now = Clock::now();
    for (const auto& trouble : follower.troubles()) {
        std::string key = words(trouble);
        std::erase_if(key, [](char c) { return c >= '0' && c <= '9'; });
        const auto [at, isNew] = m_told.try_emplace(std::move(key), now);
        if (isNew || now - at->second >= kOver) printNote(trouble);
        at->second = now;
    }
}

} // namespace hw::cli
