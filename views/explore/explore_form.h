// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "core/design/template/template.h"
#include "simulation/explore/explore.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableWidget;
class QToolButton;

namespace hw::views {

/// A request to explore as a form: templates with the values that their parameters take, limits, objectives. Other keys of a file are kept.
class ExploreForm : public QWidget {
    Q_OBJECT
public:
    explicit ExploreForm(const std::vector<Template>& templates, QWidget* parent = nullptr);
    [[nodiscard]] Result<sim::ExploreRequest> request() const; ///< errors name the field
    void setRequest(const sim::ExploreRequest& request);
    void addDesign(const QString& templateName, const QString& values);

signals:
    void changed();

private:
    [[nodiscard]] QComboBox* makeTemplates(const QString& chosen);
    [[nodiscard]] Result<sim::Json> design(int row) const;
    [[nodiscard]] Result<void> addLimits(sim::Json& limits) const;
    [[nodiscard]] std::vector<int> shownObjectives() const;
    void showParameters();
    void fillObjectives();

    const std::vector<Template>& m_templates;
    sim::Json m_base = sim::Json::object();
    QLineEdit* m_name;
    QTableWidget* m_designs;
    QToolButton *m_add, *m_remove;
    QLabel* m_parameters;
    QLineEdit *m_least, *m_most, *m_power, *m_capital;
    std::vector<QComboBox*> m_objectives;
    std::vector<int> m_shownObjectives; ///< as the request of a file set them
};

} // namespace hw::views
