// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>

namespace hw::views::paper {

/// Makes drawings of one page small: groups without content go, and what groups look like stands once, as a class that all drawings share.
/// Nothing looks different.
class SlimSvg {
public:
    [[nodiscard]] QString slim(const QString& svg);
    /// The rules of all classes so far, for the page's style sheet.
    [[nodiscard]] QString rules() const { return m_rules; }

private:
    QString group(const QString& attributes);
    QHash<QString, QString> m_classes; ///< by declarations
    QString m_rules;
};

} // namespace hw::views::paper
