// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/live/live_request.h"
#include "views/live/live_session.h"

namespace hw::app {

/// How what a request asks for is made, for LiveSession::open: the source, its follower, the history beside `project` (empty: the design is in
/// no file, and nothing is kept). The password stays in memory.
[[nodiscard]] views::LiveSession::Open feedOf(const views::LiveRequest& request, const QString& project);

} // namespace hw::app
