// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session.h"

#include "core/design/sizing/compare.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace hw::views {
class ListView;
}

namespace hw::app {

/// Two designs side by side, number by number: the open one, another project, or a template with its defaults.
class CompareDialog : public QDialog {
    Q_OBJECT
public:
    CompareDialog(Session& session, QWidget* parent);
    ~CompareDialog() override;
    [[nodiscard]] const std::optional<sizing::Comparison>& comparison() const { return m_comparison; }
    void compareWithFile(const QString& path);
    void compareWithTemplate(const QString& name);

private:
    using Loader = std::function<Result<FiguresPtr>(const Progress&)>;
    void compareWith(const QString& name, Loader other);
    void fill();

    Session& m_session;
    QComboBox* m_other;
    QCheckBox* m_onlyDifferences;
    QLineEdit* m_filter;
    views::ListView* m_list;
    QLabel* m_headline;
    std::optional<sizing::Comparison> m_comparison;
};

} // namespace hw::app
