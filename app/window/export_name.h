// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace hw::app {

/// The file that an export goes to: a name without a suffix gets that of the chosen filter; a suffix that is none of the
/// filter's formats is a problem, and `path` then proposes one that is.
struct ExportName {
    QString path, problem;
};
/// `filter`: "Text (*.txt);;JSON (*.json)"; `chosen`: one of its parts, empty for the first.
[[nodiscard]] ExportName exportName(const QString& path, const QString& filter, const QString& chosen);

} // namespace hw::app
