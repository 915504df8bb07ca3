// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/derive/figures.h"

#include <QImage>

namespace hw::views {

/// One network of a design as layers of blocks with the bundles between them. Usage error naming the
/// networks when `network` is none of them.
[[nodiscard]] Result<QImage> renderFabric(const FiguresPtr& figures, const std::string& network, QSize size, bool dark);

} // namespace hw::views
