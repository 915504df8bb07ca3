// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"

#include <QtGlobal>

namespace hw::test {

/// The catalog that is shipped, loaded once.
inline const Catalog& catalog()
{
    static const Catalog loaded = [] {
        auto read = Catalog::load(HW_RESOURCES "/catalog");
        if (!read) qFatal("%s", read.error().text().c_str());
        return *read;
    }();
    return loaded;
}

} // namespace hw::test
