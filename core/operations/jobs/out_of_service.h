// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/network_loss.h"
#include "core/derived/impact/study.h"
#include "core/operations/isolation/isolation.h"

#include <string>
#include <vector>

namespace hw::jobs {

/// What of a design is out of service, as the networks see it. One at a time.
class OutOfService {
public:
    explicit OutOfService(FiguresPtr figures) : m_figures(std::move(figures)) {}
    [[nodiscard]] const FiguresPtr& figures() const { return m_figures; }
    /// Hosts and links that alarms and deviations of `frame` report as failed (null: none), elements by name with all that follows from their
    /// loss, and hosts that are cordoned. Errors: Refused for an unknown name, with the name as place; Canceled.
    [[nodiscard]] Result<impact::NetworkLoss> of(const monitoring::Frame* frame, const std::vector<std::string>& failed,
                                                 const std::vector<isolation::Cordoned>& cordoned, const Progress& progress);

private:
    FiguresPtr m_figures;
    impact::ModelPtr m_model; ///< made when something fails first
};

} // namespace hw::jobs
