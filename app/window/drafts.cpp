// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/drafts.h"

#include "core/foundation/storage/file_lock.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QUuid>

#include <algorithm>
#include <functional>

namespace hw::app {
namespace {

constexpr QChar kMark = u'~'; ///< between the title and what makes the name unique
constexpr int kLongestTitle = 60;

bool abandoned(const QString& path) { return storage::FileLock::acquire(path.toStdString()).has_value(); }

} // namespace

QString draftFolder()
{
    const QString settings = qEnvironmentVariable("HALLWRIGHT_SETTINGS");
    return (settings.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) : settings) + "/drafts";
}

QString newDraftPath(const QString& title)
{
    static const QRegularExpression unsafe("[/\\\\:*?\"<>|~\\x00-\\x1f]+");
    QString name = QString(title).replace(unsafe, " ").simplified().left(kLongestTitle);
    if (name.isEmpty() || name.startsWith('.')) name = "Untitled";
    QDir().mkpath(draftFolder());
    return draftFolder() + "/" + name + kMark + QUuid::createUuid().toString(QUuid::Id128) + ".hall";
}

std::vector<Draft> abandonedDrafts()
{
    std::vector<Draft> drafts;
    for (const QFileInfo& file : QDir(draftFolder()).entryInfoList({"*.hall"}, QDir::Files, QDir::Time)) {
        if (!abandoned(file.absoluteFilePath())) continue;
        const QFileInfo log(file.absoluteFilePath() + "-wal"); // commits since the draft was made
        drafts.push_back({file.absoluteFilePath(), file.completeBaseName().section(kMark, 0, 0), std::max(file.lastModified(), log.lastModified())});
    }
    std::ranges::stable_sort(drafts, std::greater(), &Draft::changed);
    return drafts;
}

bool removeDraft(const QString& path)
{
    const auto lock = storage::FileLock::acquire(path.toStdString());
    if (!lock) return false;
    for (const char* side : {"-wal", "-shm", "-journal"}) QFile::remove(path + side);
    return QFile::remove(path);
}

} // namespace hw::app
