// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // first: moc stumbles over <compare> as the first header

#include "core/output/exchange/formats.h"

class QFormLayout;

namespace hw::app {

/// A help text with a capital at its start, as windows have it.
[[nodiscard]] QString sentence(QString text);

/// The options of a format as fields: a check box for a flag, a list for a choice such as "tree|block", a line for anything else.
class FormatFields : public QWidget {
    Q_OBJECT
public:
    explicit FormatFields(QWidget* parent = nullptr);
    void setOptions(std::vector<exchange::FormatOption> options);
    /// As they stand; what is empty is left out.
    [[nodiscard]] exchange::FormatChoices choices() const;

signals:
    void changed();

private:
    [[nodiscard]] QWidget* fieldFor(const exchange::FormatOption& option);
    std::vector<std::pair<exchange::FormatOption, QWidget*>> m_fields;
};

} // namespace hw::app
