// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QFrame>

#include <vector>

class QBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace hw::views {

class TemplateCards;

/// A template as the start page shows it; `about` is what the search reads.
struct StartTemplate {
    QString name, title, summary, picture; ///< picture: a file; one that is missing leaves its place empty
};

/// A project in a file, or work that was never saved.
struct StartProject {
    QString path, title, detail;
};

/// One choice: icon, title and a line about it.
class StartChoice : public QAbstractButton {
    Q_OBJECT
public:
    StartChoice(const QString& icon, const QString& title, const QString& detail);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString m_icon, m_detail;
};

/// What one can begin with: a site of one's own, a hall drawing, a template, a project, the sample, work that was recovered. It covers its
/// window as far as its geometry says, and Tab stays in it. It knows no project: signals report the choice.
class StartPage : public QFrame {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);
    void setTemplates(std::vector<StartTemplate> templates);
    void setProjects(const std::vector<StartProject>& recovered, const std::vector<StartProject>& recent);
    void setCanClose(bool can); ///< a project is open behind it
    [[nodiscard]] TemplateCards* templates() const { return m_cards; }
    [[nodiscard]] QLineEdit* search() const { return m_search; }

signals:
    void emptySiteChosen();
    void drawingChosen();
    void sizeChosen();
    void openChosen();
    void sampleChosen();
    void templateChosen(const QString& name);
    void projectChosen(const QString& path);
    void recoveredChosen(const QString& path);
    void recoveredDropped(const QString& path);
    void closed();

protected:
    bool focusNextPrevChild(bool next) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeChoices();
    QWidget* makeTemplates();
    void fill(QBoxLayout* list, QLabel* title, const std::vector<StartProject>& projects, bool recovered);
    StartChoice* addChoice(QBoxLayout* column, const char* name, const QString& icon, const QString& title, const QString& detail);

    StartChoice* m_first = nullptr;
    QLabel *m_recoveredTitle, *m_recentTitle, *m_noMatch;
    QBoxLayout *m_recovered = nullptr, *m_recent = nullptr;
    QLineEdit* m_search;
    TemplateCards* m_cards;
    QPushButton* m_close;
};

} // namespace hw::views
