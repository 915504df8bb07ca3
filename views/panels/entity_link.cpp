// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/entity_link.h"

#include <QTextBrowser>
#include <QUrl>

namespace hw::views {

QString entityLink(EntityRef entity, const QString& name)
{
    const QString shown = name.toHtmlEscaped();
    return entity ? QString("<a href='entity:%1/%2'>%3</a>").arg(QString::number(int(entity.kind)), QString::number(entity.id), shown) : shown;
}

QString entityLink(const DocumentBridge& bridge, EntityRef entity) { return entity ? entityLink(entity, bridge.nameOf(entity)) : QString(); }

void followEntityLinks(QTextBrowser& browser, DocumentBridge& bridge)
{
    browser.setOpenLinks(false);
    QObject::connect(&browser, &QTextBrowser::anchorClicked, &browser, [&bridge](const QUrl& url) {
        const QStringList parts = url.path().split('/');
        if (url.scheme() == "entity" && parts.size() == 2) bridge.zoomTo(EntityRef{EntityKind(parts[0].toInt()), parts[1].toUInt()});
    });
}

} // namespace hw::views
