// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/monitor.h"
#include "core/output/document/report_document.h"

namespace hw::monitoring {

/// What happened in a time, as a report: the causes with their impact and the design's prediction beside what is measured, what stood out, what
/// came when, and loads over time.
struct Incident {
    std::int64_t fromMs = 0, toMs = 0;
    std::vector<Event> events; ///< of that time, in order
    FramePtr frame;            ///< at its end, or later
};

/// From two minutes before the first cause to the last event of any; of all events where there is no cause.
[[nodiscard]] Incident incidentOf(std::vector<Event> events, FramePtr frame);
/// Of one alarm alone: from two minutes before it to its end.
[[nodiscard]] Incident incidentOf(const Alarm& alarm, std::vector<Event> events, FramePtr frame);
/// As a document for the writers of views/paper.
[[nodiscard]] document::ReportDocument incidentDocument(const Incident& incident, const DesignStamp& stamp);

/// Title and sections as JSON with their words, for a program that draws and knows no events; drawings of the design are left out.
[[nodiscard]] std::string documentText(const document::ReportDocument& document);
/// Error: Unreadable.
[[nodiscard]] Result<document::ReportDocument> documentFromText(const std::string& text, FiguresPtr figures, const std::string& where);

} // namespace hw::monitoring
