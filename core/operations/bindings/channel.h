// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hw::bindings {

/// A channel is one series of values of a source, known by its name:
///   MQTT        the topic                                   "BMS/v1/PUB/Value/Rack/RackPower/hall-1/a07"
///               or topic#/json/pointer where a payload holds several values
///   Prometheus  the metric with its labels in ascending order   DCGM_FI_DEV_POWER_USAGE{Hostname="host-12",gpu="3"}
///   Redfish     path#property                               "/redfish/v1/ThermalEquipment/CDUs/1/PrimaryCoolantConnectors/1#FlowLitersPerMinute"
///   recordings  what stood there
using ChannelNo = std::uint32_t; ///< of one run, from 0, in the order in which channels appear

using Labels = std::vector<std::pair<std::string, std::string>>; ///< ascending by name

/// What a source says of a channel: labels of a metric, or fields of DSX metadata (objectId, engUnit, rackLocationId, …; lists joined by commas).
struct ChannelText {
    std::string name;
    Labels labels;
    std::string unit; ///< as the source states it, empty: it does not
    friend bool operator==(const ChannelText&, const ChannelText&) = default;
};

struct Sample {
    ChannelNo channel = 0;
    std::int64_t timeMs = 0; ///< since 1970, as the source dates it
    double value = 0;        ///< may be NaN: the source has none
    bool good = true;        ///< the source trusts it
    friend bool operator==(const Sample&, const Sample&) = default;
};

/// A time without data of a source, and why.
struct Gap {
    std::string source;
    std::int64_t fromMs = 0, toMs = 0; ///< by our clock; toMs 0: still going on
    Text why;
};

/// Takes what sources bring. Called by any thread; `take` may wait when the queue is full (back-pressure), never drops.
class Intake {
public:
    virtual ~Intake() = default;
    /// The number of a channel; the same name gives the same number. New labels or a new unit replace those known.
    virtual ChannelNo channel(const ChannelText& text) = 0;
    virtual void take(std::span<const Sample> samples) = 0;
    virtual void gap(const Gap& gap) = 0;
    /// Replays only: what comes from here on arrived at this moment; it never goes back. Live data arrive when they come.
    virtual void clock(std::int64_t atMs) = 0;
};

/// Writes down everything that arrives, in its order, so that a replay gives the same. Called by one thread.
class Recorder {
public:
    virtual ~Recorder() = default;
    virtual void channel(ChannelNo number, const ChannelText& text) = 0;
    virtual void take(std::int64_t arrivedMs, std::span<const Sample> samples) = 0;
    virtual void gap(std::int64_t arrivedMs, const Gap& gap) = 0;
    virtual Result<void> finish(std::int64_t atMs) = 0;       ///< the last moment that was judged
    [[nodiscard]] virtual Text trouble() const { return {}; } ///< why nothing can be written at the moment, empty: it can
};

/// A live source or a replay. Works on a thread of its own between start and stop; reads only.
class Source {
public:
    virtual ~Source() = default;
    [[nodiscard]] virtual std::string name() const = 0; ///< its URL without user and password, or its file
    /// Fails where nothing can come of it: address not understood, password refused. A server that is away is tried again, with a gap.
    virtual Result<void> start(Intake& intake) = 0;
    virtual void stop() = 0;                        ///< waits for its thread; within a second
    [[nodiscard]] virtual bool ended() const = 0;   ///< nothing more will come (end of a recording, or `trouble`)
    [[nodiscard]] virtual Text trouble() const = 0; ///< what is wrong at the moment, empty: nothing
};

} // namespace hw::bindings
