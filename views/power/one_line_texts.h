// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/oneline/one_line_layout.h"
#include "views/power/one_line_findings.h"

#include <QString>

namespace hw::views {

/// "1.72 of 2.99 MW".
[[nodiscard]] QString loadText(Milliwatts load, Milliwatts capacity);
/// "HPN pod · Power", "Design basis   17.9 MW drawn …".
[[nodiscard]] QString powerTitle(const OneLine& line);
[[nodiscard]] QString powerSummary(const OneLine& line);
/// "56 loads are not fed"; empty where all is well.
[[nodiscard]] QString powerProblems(const OneLine& line);
/// What stands at the left of a level: its kinds, and how much of what they carry is in use.
struct LevelText {
    QString name, sums;
    double share = 0; ///< of the worst element; 0: no capacity is stated
};
[[nodiscard]] std::vector<LevelText> levelTexts(const OneLine& line);
/// "P12: …", with the reason where it is waived.
[[nodiscard]] QString findingText(const Finding& finding);
/// Of a box, for a tool tip: rich text.
[[nodiscard]] QString boxTip(const OneLineModel& model, const OneLineBox& box, const OneLineFindings* findings = nullptr);

} // namespace hw::views
