// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString> // before core's headers: moc cannot read <compare> as the very first one

#include "views/bridge/document_bridge.h"

class QTextBrowser;

namespace hw::views {

/// `<a href='entity:…'>name</a>`, escaped; the plain name for none.
[[nodiscard]] QString entityLink(const DocumentBridge& bridge, EntityRef entity);
[[nodiscard]] QString entityLink(EntityRef entity, const QString& name);
/// A click on such a link zooms all views to the entity.
void followEntityLinks(QTextBrowser& browser, DocumentBridge& bridge);

} // namespace hw::views
