// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export_name.h"

#include <QFileInfo>
#include <QObject>
#include <QRegularExpression>
#include <QStringList>

namespace hw::app {

ExportName exportName(const QString& path, const QString& filter, const QString& chosen)
{
    static const QRegularExpression pattern("\\*\\.([A-Za-z0-9]+)");
    QStringList known;
    for (auto match = pattern.globalMatch(filter); match.hasNext();) known << match.next().captured(1).toLower();
    const QString suffix = QFileInfo(path).suffix();
    if (known.isEmpty() || known.contains(suffix.toLower())) return {path, {}};
    const auto match = pattern.match(chosen);
    const QString wanted = match.hasMatch() ? match.captured(1).toLower() : known.front();
    if (suffix.isEmpty()) return {path + (path.endsWith('.') ? "" : ".") + wanted, {}};
    return {path.left(path.size() - suffix.size()) + wanted,
            QObject::tr("Cannot export as .%1. Available formats: %2.").arg(suffix, QString(filter).replace(";;", ", "))};
}

} // namespace hw::app
