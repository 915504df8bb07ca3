// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/following_view.h"

#include <QTextBrowser>

namespace hw::views {

/// What every network of the design guarantees, proved from its cables: worked out by a worker while the panel can be seen, again after
/// every edit.
class ProofPanel : public QTextBrowser {
    Q_OBJECT
public:
    explicit ProofPanel(DocumentBridge& bridge, QWidget* parent = nullptr);
    [[nodiscard]] std::uint64_t provedRevision() const { return m_revision; } ///< 0: nothing yet

private:
    void start();

    DocumentBridge& m_bridge;
    FollowingView m_following;
    std::uint64_t m_revision = 0;
};

} // namespace hw::views
