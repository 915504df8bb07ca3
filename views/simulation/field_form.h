// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/answers/parameter_schema.h"

#include <QWidget>

#include <vector>

class QFormLayout;
class QLabel;

namespace hw::views {

/// A form for the parameters of a scenario, made from their descriptions: texts, choices, switches; lists as "2, 4, 8", pods and segments
/// as "all" or "1-4, 7", the keys of an object as fields of their own, lists of objects as such
/// forms that fold (`ObjectList`). A field that is not set is not sent: what
/// the scenario does then is what it does on the command line. Checks while one types and says what is wrong below.
class FieldForm : public QWidget {
    Q_OBJECT
public:
    /// `place` stands before the keys in the object names of the fields: of an entry of a list "jobs[0].".
    explicit FieldForm(QWidget* parent = nullptr, QString place = {});
    void setFields(std::span<const sim::Field> fields, const sim::Json& values);
    /// The parameters, complete; or why not, with the key as place.
    [[nodiscard]] Result<sim::Json> values() const;
    /// What is sent: only what is set, and otherwise than the default unless it came so. Without `all`, fields that do not count beside the
    /// others are left out; in a sweep they may count at other points.
    [[nodiscard]] sim::Json given(bool all = false) const;

    /// "1-4, 7" as [1, 2, 3, 4, 7]; "all" or nothing as "all"; null for anything else.
    [[nodiscard]] static sim::Json selectionOf(const QString& text);

signals:
    void changed();

private:
    struct Row {
        std::vector<std::string> path; ///< keys from the outside in
        sim::Field field;
        QWidget* editor = nullptr;
        bool stated = false; ///< it came with a value of its own
        [[nodiscard]] std::string key() const;
    };
    void addFields(std::span<const sim::Field> fields, const sim::Json& values, const std::vector<std::string>& path);
    void addRow(Row row, const sim::Json& value);
    QWidget* editorFor(const Row& row, const sim::Json& value);
    void offerFile(class QLineEdit* line, const QString& title);
    [[nodiscard]] static sim::Json read(const Row& row); ///< null: not set
    void check();

    QString m_place;
    std::vector<sim::Field> m_fields;
    std::vector<Row> m_rows;
    QFormLayout* m_form;
    QLabel* m_problem;
};

} // namespace hw::views
