// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace hw::views {

/// A title within a sentence: "Rack power (kW)" as "rack power (kW)", "PUE of the year" as it is.
[[nodiscard]] inline QString inSentence(QString title)
{
    if (title.size() > 1 && title[0].isUpper() && !title[1].isUpper()) title[0] = title[0].toLower();
    return title;
}

} // namespace hw::views
