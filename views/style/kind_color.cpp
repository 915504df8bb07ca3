// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/kind_color.h"

namespace hw::views {

QColor kindColor(const Theme& t, RackKind kind)
{
    switch (kind) {
    case RackKind::Empty: return t.raised;
    case RackKind::Server: return t.server;
    case RackKind::Backup: return t.backup;
    case RackKind::Access: return t.network;
    case RackKind::Fabric: return t.fabric;
    case RackKind::Support: return t.support;
    case RackKind::Facility: return t.facility;
    }
    return t.support;
}

} // namespace hw::views
