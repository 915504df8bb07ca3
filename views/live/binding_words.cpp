// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/binding_words.h"

#include <QObject>

namespace hw::views {

Cell bindingCell(bindings::Bound::Reason reason, const QColor& warning)
{
    using Reason = bindings::Bound::Reason;
    switch (reason) {
    case Reason::Bound: return {QObject::tr("bound"), int(reason), "ok"};
    case Reason::Unbound: return {QObject::tr("unbound"), int(reason), "info"};
    case Reason::Ambiguous: return {QObject::tr("ambiguous"), int(reason), "warning", warning};
    case Reason::UnitConflict: return {QObject::tr("unit mismatch"), int(reason), "warning", warning};
    case Reason::SetAside: return {QObject::tr("ignored"), int(reason), "waive"};
    }
    return {};
}

} // namespace hw::views
