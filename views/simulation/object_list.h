// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/answers/parameter_schema.h"

#include <QWidget>

#include <vector>

class QToolButton;
class QVBoxLayout;

namespace hw::views {

class FieldForm;

/// A parameter that is a list of objects (jobs, causes, plans): a form for each, folded to a line that says what is set, with buttons that
/// add and remove. What nobody touched is returned as it came.
class ObjectList : public QWidget {
    Q_OBJECT
public:
    /// `place` names the list in its fields' object names: "jobs" → "field.jobs[0].gpus".
    ObjectList(const sim::Field& field, const sim::Json& values, const QString& place, QWidget* parent = nullptr);
    /// Null where there is no entry and none by default.
    [[nodiscard]] sim::Json value() const;

signals:
    void changed();

private:
    struct Entry {
        QWidget* box = nullptr;
        QToolButton* head = nullptr;
        FieldForm* form = nullptr;
    };
    void add(const sim::Json& values, bool open);
    void remove(QWidget* box);
    void onChanged();
    void tell();

    sim::Field m_field;
    sim::Json m_given;
    QString m_place;
    bool m_touched = false;
    std::vector<Entry> m_entries;
    QVBoxLayout* m_column;
};

} // namespace hw::views
