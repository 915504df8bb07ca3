// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace hw::telemetry {

/// How the messages under an MQTT topic filter are read. Places in a payload are JSON pointers (RFC 6901); "" is the whole payload.
struct TopicMapping {
    std::string subscribe; ///< filter, may end in # and have + in it
    std::string describes; ///< filter of the channels that payloads here say something about (their fields become labels); the text of
                           ///< # and + is taken over. Empty: payloads are values
    std::map<std::string, std::string> values; ///< pointer → unit ("": not stated). One: the channel is the topic; more: topic#pointer
    std::string time;                          ///< pointer; empty: the moment of arrival
    double msPerTime = 1;
    std::string quality;                 ///< pointer; empty: all are good
    std::vector<std::string> good;       ///< values of `quality` of what can be trusted
    std::map<std::string, double> words; ///< what words stand for, beside true and false
    std::string unitAt;                  ///< of `describes`: pointer to the unit
};

/// What a Prometheus server is asked.
struct QueryMapping {
    std::string metric;                           ///< all series of it, as they are, or its rise per second
    std::string unit;                             ///< of the metric; a rate is that per second
    std::string unitLabel;                        ///< the label that states the unit, where series differ
    std::string rate;                             ///< "1m": the rise per second over this time; empty: the values as they are
    std::string query;                            ///< in the place of `rate`: any PromQL; `metric` then names the answer
    [[nodiscard]] std::string answerUnit() const; ///< "B" asked as a rate: "B/s"
};

struct Mapping {
    enum class Kind { Mqtt, Prometheus } kind = Kind::Mqtt;
    std::filesystem::path file;
    std::vector<TopicMapping> topics;
    std::vector<QueryMapping> queries;
    std::vector<std::string> without; ///< labels of these metrics that say who uses the thing just now, not which thing it is
};

/// A YAML file; docs/live.md describes it. Error: Unreadable, with FILE:LINE and key; a key that is not known is one.
[[nodiscard]] Result<Mapping> readMapping(const std::filesystem::path& file);
/// Those named, which must be of the kind; none: all of the kind in resources/telemetry.
[[nodiscard]] Result<std::vector<Mapping>> mappingsOf(Mapping::Kind kind, const std::vector<std::filesystem::path>& files);

} // namespace hw::telemetry
