// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "views/bridge/document_bridge.h"

class QSlider;
class QToolButton;

namespace hw::views {

class ElidedLabel;

/// A slider over the installation phases of the design: all views show it as installed by the chosen one; at the right end all of it, which can be
/// edited. Hidden where the design has one phase. GUI thread.
class PhaseBar : public QWidget {
    Q_OBJECT
public:
    explicit PhaseBar(DocumentBridge& bridge, QWidget* parent = nullptr);
    [[nodiscard]] QSlider* slider() const { return m_slider; }
    [[nodiscard]] const std::vector<int>& numbers() const { return m_numbers; }
    [[nodiscard]] QString text() const;

private:
    void readPhases();
    void choose(int position);
    void say();

    DocumentBridge& m_bridge;
    QSlider* m_slider;
    ElidedLabel* m_text;
    QToolButton* m_all;
    std::vector<int> m_numbers; ///< of phases, ascending
    bool m_reading = false;
};

} // namespace hw::views
