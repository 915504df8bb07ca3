// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/start/start_page.h"

#include <QListWidget>

namespace hw::views {

/// Templates as cards with their pictures, as many beside each other as there is room for.
class TemplateCards : public QListWidget {
    Q_OBJECT
public:
    TemplateCards();
    void setTemplates(const std::vector<StartTemplate>& templates);
    int filter(const QString& words); ///< those that hold every word; how many these are
    [[nodiscard]] QSize card() const { return m_card; }

signals:
    void chosen(const QString& name);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void arrange();
    QSize m_card;
};

} // namespace hw::views
