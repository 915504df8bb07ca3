// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>

#include <vector>

namespace hw::app {

/// Designs that are in no file of the user's yet, kept with their journal in a folder of the program's own:
/// `$HALLWRIGHT_SETTINGS/drafts`, else `drafts` in the application's data folder. Each has one writer, who holds
/// the project file's lock; a draft that nobody holds was left by a program that was killed.
struct Draft {
    QString path, title;
    QDateTime changed;
};

[[nodiscard]] QString draftFolder();
[[nodiscard]] QString newDraftPath(const QString& title); ///< in a folder that exists, of a name that nothing has
[[nodiscard]] std::vector<Draft> abandonedDrafts();       ///< newest first
/// Deletes a draft with its side files; false while somebody has it open.
bool removeDraft(const QString& path);

} // namespace hw::app
