// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/questions/request.h"

#include <QDialog>

#include <optional>

class QDialogButtonBox;
class QLabel;
class QPlainTextEdit;

namespace hw::views {

/// A scenario as JSON, checked while one types; errors name line and key. Opens and saves files.
class JsonDialog : public QDialog {
    Q_OBJECT
public:
    explicit JsonDialog(const QString& text, QWidget* parent = nullptr);
    [[nodiscard]] const std::optional<sim::ScenarioRequest>& request() const { return m_request; } ///< none while the text is wrong

private:
    void check();
    void openFile();
    void saveFile();

    QPlainTextEdit* m_edit;
    QLabel* m_problem;
    QDialogButtonBox* m_buttons;
    std::optional<sim::ScenarioRequest> m_request;
};

} // namespace hw::views
