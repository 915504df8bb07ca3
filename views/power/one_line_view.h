// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "core/derived/oneline/one_line_model.h"
#include "views/bridge/document_bridge.h"

namespace hw {
struct OverlayValues;
}

namespace hw::views {

class ElidedLabel;
class OneLineCanvas;

/// The power chain of the design, or the loops that cool it, as a one-line diagram, with what it adds up to above it. Follows the figures while it is
/// seen; worked out on a worker. GUI thread.
class OneLineView : public QWidget {
    Q_OBJECT
public:
    explicit OneLineView(DocumentBridge& bridge, Medium medium = Medium::Power, QWidget* parent = nullptr);

    [[nodiscard]] OneLineCanvas* canvas() const { return m_canvas; }
    void fit();
    /// Calls back once the diagram is of the current design, also while nobody sees it.
    void whenReady(std::function<void()> call);
    void reveal(EntityRef entity);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    [[nodiscard]] QString slot() const { return m_medium == Medium::Coolant ? "cooling-line" : "one-line"; } ///< of jobs
    struct Made {
        OneLinePtr line;
        std::optional<OneLineOpen> readable; ///< how far it is open, of a diagram that is new
    };
    void adopt(Made made);
    void showValues();
    void showFindings();

    DocumentBridge& m_bridge;
    Medium m_medium;
    OneLineCanvas* m_canvas;
    ElidedLabel* m_summary;
    std::vector<std::function<void()>> m_waiting;
    EntityRef m_pending;                           ///< to be revealed when the diagram is there
    std::shared_ptr<const OverlayValues> m_impact; ///< of the failure that was revealed last
    bool m_stale = true, m_fresh = false;          ///< fresh: another design was loaded
};

} // namespace hw::views
