// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/scenario/parameter_schema.h"

#include <QWidget>

#include <vector>

class QFormLayout;
class QLabel;
class QLineEdit;

namespace hw::views {

/// A form for the parameters of a scenario, made from their descriptions: texts, choices, switches; lists as "2, 4, 8", pods and segments
/// as "all" or "1-4, 7", everything nested as JSON. Checks while one types and says what is wrong below.
class FieldForm : public QWidget {
    Q_OBJECT
public:
    explicit FieldForm(QWidget* parent = nullptr);
    void setFields(std::span<const sim::Field> fields, const sim::Json& values);
    /// The parameters, complete; or why not, with the key as place.
    [[nodiscard]] Result<sim::Json> values() const;

    /// "1-4, 7" as [1, 2, 3, 4, 7]; "all" or nothing as "all"; null for anything else.
    [[nodiscard]] static sim::Json selectionOf(const QString& text);

signals:
    void changed();

private:
    QWidget* editorFor(const sim::Field& field, const sim::Json& value);
    [[nodiscard]] sim::Json read(std::size_t index) const;
    void check();

    std::vector<sim::Field> m_fields;
    std::vector<QWidget*> m_editors;
    QFormLayout* m_form;
    QLabel* m_problem;
};

} // namespace hw::views
