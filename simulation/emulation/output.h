// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/emulation/job_series.h"
#include "simulation/emulation/naming.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace hw::emulation {

/// Where the values of a hall go. Called by one thread.
class Output {
public:
    virtual ~Output() = default;
    /// Says what there is. Error: Unreadable (nobody listens there, a port that is taken, a file that cannot be written).
    [[nodiscard]] virtual Result<void> begin() = 0;
    /// What the hall said in its last step.
    [[nodiscard]] virtual Result<void> say(std::span<const Value> values) = 0;
    /// What the job's framework reported; `job` is the same at every call.
    [[nodiscard]] virtual Result<void> sayJob(const JobEmulation& job, std::span<const JobEmulation::Reading> readings) = 0;
    /// Waits until all is out. Error: Unreadable.
    [[nodiscard]] virtual Result<void> end() = 0;
    [[nodiscard]] virtual Text trouble() { return {}; } ///< what is wrong at the moment, empty: nothing
    struct Counts {
        std::uint64_t values = 0, lost = 0, metadata = 0; ///< lost: nobody took them, the broker was away
    };
    [[nodiscard]] virtual Counts counts() const = 0;
};

/// To an MQTT broker: retained metadata of the points first (again when the connection was lost), then values. "mqtt://host:1883", "mqtts://…".
/// Who publishes is taken from HALLWRIGHT_MQTT_USER, _PASSWORD, _CA, _CERTIFICATE, _KEY in the environment. Error: Usage (no such URL).
[[nodiscard]] Result<std::unique_ptr<Output>> mqttOutput(const Hall& hall, const std::string& url);

/// Answers GET /metrics on 127.0.0.1 in Prometheus' text format.
[[nodiscard]] std::unique_ptr<Output> prometheusOutput(const Hall& hall, std::uint16_t port);

/// Into a recording that `replay` reads: lines of JSON, channels before their values.
[[nodiscard]] std::unique_ptr<Output> recordingOutput(const Hall& hall, std::filesystem::path file);

} // namespace hw::emulation
