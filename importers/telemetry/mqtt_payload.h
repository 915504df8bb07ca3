// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/channel.h"
#include "importers/telemetry/mapping.h"

#include <optional>
#include <string_view>

namespace hw::telemetry {

/// Whether a topic is one of a filter's (MQTT 3.1.1, 4.7).
[[nodiscard]] bool matches(std::string_view filter, std::string_view topic);
/// The topic under `describes` that stands for `topic` under `subscribe`: what + and # stand for is taken over.
[[nodiscard]] std::string describedTopic(const TopicMapping& mapping, std::string_view topic);

struct PayloadValue {
    std::size_t place = 0; ///< in the mapping's values
    double value = 0;
};
/// What one message says.
struct Payload {
    std::vector<PayloadValue> values;
    std::optional<std::int64_t> timeMs;
    bool good = true;
};
/// False: not understood (no JSON, no number where one should be). Reuses what `into` has.
[[nodiscard]] bool readPayload(const TopicMapping& mapping, std::string_view text, Payload& into);
/// The fields of a description as labels, in ascending order, lists joined by commas, and its unit. Nothing: not understood.
[[nodiscard]] std::optional<bindings::ChannelText> readDescription(const TopicMapping& mapping, std::string_view text);

} // namespace hw::telemetry
