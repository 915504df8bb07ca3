// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/operations/bindings/channel.h"
#include "core/operations/bindings/point.h"

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace hw::bindings {

/// A channel as a person looks at it before it is bound otherwise.
struct PreviewRow {
    std::string channel;
    Bound::Reason state = Bound::Reason::Unbound;
    std::string entity; ///< its name; empty: none
    std::string measure, element;
    std::string unit, keptIn; ///< as the source states it; of the measure
    Conversion conversion;
    Text why; ///< of what is not bound
};
[[nodiscard]] PreviewRow previewRow(const Figures& design, const Bound& bound, std::span<const ChannelText> channels, ChannelNo number);
/// Their numbers: those in doubt first (ambiguous, unit conflict, unbound), then bound, then set aside; each by name.
[[nodiscard]] std::vector<ChannelNo> previewOrder(const Bound& bound, std::span<const ChannelText> channels);

/// Those of the same channels that are bound otherwise: another state or reason, point, or conversion. In the order of `previewOrder` by `after`.
[[nodiscard]] std::vector<ChannelNo> changedChannels(const Bound& before, const Bound& after, std::span<const ChannelText> channels);

/// Rules and exceptions of a project, and what they make of channels.
struct BindingsReport {
    FiguresPtr design;
    std::vector<ChannelText> channels;
    BoundPtr bound;
    std::vector<Text> troubles; ///< rules that cannot be understood
    /// No channel is ambiguous, none has a conflicting unit, all rules are understood.
    [[nodiscard]] bool clear() const { return bound->ambiguous == 0 && bound->conflicting == 0 && troubles.empty(); }
};
[[nodiscard]] BindingsReport bindingsReport(FiguresPtr design, std::vector<ChannelText> channels);
/// hallwright.bindings/1
[[nodiscard]] nlohmann::ordered_json bindingsJson(const BindingsReport& report);
[[nodiscard]] std::string bindingsText(const BindingsReport& report);

/// Names of channels from a file: the metadata set of `export dsx-metadata` (.json, .jsonl), any JSON of topics with their
/// metadata, a recording as JSON lines, Prometheus' text format, or a list of names, a line each. A metadata topic stands for its value topic.
/// Rows that cannot be read are named in `left`. Errors: Unreadable, where no row can.
[[nodiscard]] Result<std::vector<ChannelText>> channelsOf(const std::string& content, const std::string& file, std::vector<Error>& left);
/// A channel of DSX metadata: fields as labels (lists joined by commas, states as "0=Open,1=Closed"), engUnit as unit.
[[nodiscard]] ChannelText channelOfMetadata(const std::string& topic, const nlohmann::json& metadata);

} // namespace hw::bindings
