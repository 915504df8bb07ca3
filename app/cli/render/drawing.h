// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/render_views.h"
#include "views/plan/plan_layers.h"

#include <QSize>

#include <string>
#include <vector>

namespace hw::app {

/// A picture as it was asked for; checked by hallwright-cli.
struct Request {
    std::string file, picture, overlay;
    cli::ViewChoice view;
    QSize size;
    bool dark = false;
    std::vector<std::string> fail; ///< what fails together
    views::PlanLayers layers;
    std::vector<std::string> open; ///< what of a fabric or of the power chain is shown on its own
};
[[nodiscard]] Result<void> drawPicture(const Request& request);

inline constexpr int kProgressFd = 3; ///< where hallwright-cli listens to progress
/// `report -o`: FILE OUTPUT PAPER BASIS PHASE. `listened`: somebody reads kProgressFd.
[[nodiscard]] Result<void> drawReport(const std::vector<std::string>& arguments, bool listened);
/// The hand-over pack of a segment: FILE OUTPUT PAPER SEGMENT NETWORK.
[[nodiscard]] Result<void> drawHandover(const std::vector<std::string>& arguments, bool listened);

/// What happened: FILE OUTPUT PAPER DOSSIER, the last a file of hallwright-cli.
[[nodiscard]] Result<void> drawIncident(const std::vector<std::string>& arguments, bool listened);

} // namespace hw::app
