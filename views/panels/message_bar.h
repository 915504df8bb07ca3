// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QTimer>

#include <functional>

class QBoxLayout;
class QLabel;

namespace hw::views {

/// A note over the window's lower edge: what happened, and what can be done about it. It blocks
/// nothing and goes by itself unless it offers a choice.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    struct Choice {
        QString text;
        std::function<void()> run;
    };
    explicit MessageBar(QWidget* window);
    enum class Stays { UntilChosen, ForAWhile }; ///< one with choices
    void say(const QString& text, bool problem = false, std::vector<Choice> choices = {}, Stays stays = Stays::UntilChosen);
    [[nodiscard]] QString text() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void watch(QObject* sibling);
    void place();
    QLabel *m_icon, *m_text;
    QBoxLayout* m_buttons;
    QTimer m_timer;
};

} // namespace hw::views
