// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

#include <utility>

namespace hw::views {

/// The change that an open dialog shows in all views: tried again with every edit in the dialog, committed as one undo step, or taken back
/// when the dialog goes. A member of the dialog.
class DialogPreview {
public:
    explicit DialogPreview(DocumentBridge& bridge) : m_bridge(bridge) {}
    ~DialogPreview() { cancel(); }
    DialogPreview(const DialogPreview&) = delete;
    DialogPreview& operator=(const DialogPreview&) = delete;

    [[nodiscard]] bool open() const { return m_open; }
    /// Runs `edit` on the design; on an error nothing stays. Refused while another gesture is in progress or figures are being computed.
    [[nodiscard]] Result<void> tryEdit(const QString& name, const DocumentBridge::Edit& edit)
    {
        cancel();
        m_open = m_bridge.beginPreview(name);
        if (!m_open) return fail(ErrorCode::Refused, name.toStdString(), i18n("the design is being edited"), i18n("try again in a moment"));
        const auto done = m_bridge.preview(edit);
        if (!done) cancel();
        return done;
    }
    void commit(const QString& name)
    {
        if (std::exchange(m_open, false)) m_bridge.commitPreview(name);
    }
    void cancel()
    {
        if (std::exchange(m_open, false)) m_bridge.cancelPreview();
    }

private:
    DocumentBridge& m_bridge;
    bool m_open = false;
};

} // namespace hw::views
