// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString> // before core's headers: moc cannot read <compare> as the very first one

#include "core/derived/impact/study.h"

#include <span>

namespace hw::views {

/// What a failure costs and what happens when, as HTML: every element is a link (entityLink). Of the last loss of the study. Any thread.
[[nodiscard]] QString impactHtml(const impact::Study& study, const impact::Effect& effect, std::span<const impact::Failing> failed, std::size_t most);

} // namespace hw::views
