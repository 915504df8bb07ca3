// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/build/empty_site.h"

#include "core/design/build/design_builder.h"
#include "core/foundation/base/text.h"

namespace hw {

SnapshotPtr emptySite(const std::string& name)
{
    auto empty = std::make_shared<Snapshot>();
    empty->putSetting("project.name", name.empty() ? words(i18n("New site")) : name);
    DesignBuilder(*empty).site({.name = "site"});
    empty->revision = 1;
    return empty;
}

} // namespace hw
