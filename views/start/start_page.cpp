// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/start/start_page.h"

#include "views/start/template_cards.h"
#include "views/style/fit.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace hw::views {
namespace {

constexpr int kIconSteps = 6; ///< of the spacing scale

QLabel* sectionTitle(const QString& text)
{
    auto* label = new QLabel(text);
    label->setProperty("role", "section");
    return label;
}

} // namespace

StartChoice::StartChoice(const QString& icon, const QString& title, const QString& detail) : m_icon(icon), m_detail(detail)
{
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(detail);
    setToolTip(detail);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize StartChoice::sizeHint() const { return {fontMetrics().averageCharWidth() * 40, 2 * fontMetrics().height() + 2 * space(2)}; }
QSize StartChoice::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * 24, sizeHint().height()}; }

bool StartChoice::event(QEvent* event)
{
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave) update();
    return QAbstractButton::event(event);
}

void StartChoice::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return click();
    QAbstractButton::keyPressEvent(event);
}

void StartChoice::paintEvent(QPaintEvent*)
{
    const Theme& t = theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setPen(hasFocus() ? QPen(t.accent, 1.5) : QPen(Qt::NoPen));
    painter.setBrush(isDown() ? t.accentSoft : underMouse() ? t.hover : QColor(Qt::transparent));
    painter.drawRoundedRect(box, 6, 6);
    const int size = space(kIconSteps), left = space(2);
    views::icon(m_icon, t.accent).paint(&painter, left, (height() - size) / 2, size, size);
    const int text = left + size + space(3), width = this->width() - text - space(2), line = fontMetrics().height();
    painter.setFont(scaledFont(1.05, QFont::DemiBold));
    painter.setPen(t.text);
    painter.drawText(QRect(text, height() / 2 - line, width, line), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(QAbstractButton::text(), Qt::ElideRight, width));
    painter.setFont(scaledFont(0.9));
    painter.setPen(t.textDim);
    painter.drawText(QRect(text, height() / 2, width, line), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(m_detail, Qt::ElideMiddle, width));
}

StartPage::StartPage(QWidget* parent)
    : QFrame(parent), m_recoveredTitle(sectionTitle(tr("Recovered work"))), m_recentTitle(sectionTitle(tr("Recent projects"))),
      m_noMatch(new QLabel(tr("No match"))), m_search(new QLineEdit), m_cards(new TemplateCards), m_close(new QPushButton(tr("&Back to project")))
{
    setObjectName("startPage");
    setProperty("role", "start");
    setAccessibleName(tr("Start page"));
    setAutoFillBackground(true);
    setFocusPolicy(Qt::NoFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(space(6), space(5), space(6), space(3));
    row->setSpacing(space(8));
    row->addWidget(makeChoices(), 2);
    row->addWidget(makeTemplates(), 5);
}

StartChoice* StartPage::addChoice(QBoxLayout* column, const char* name, const QString& icon, const QString& title, const QString& detail)
{
    auto* choice = new StartChoice(icon, title, detail);
    choice->setObjectName(name);
    column->addWidget(choice);
    return choice;
}

QWidget* StartPage::makeChoices()
{
    auto* inside = new QWidget;
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(space(1), 0, space(1), 0);
    column->setSpacing(space(1));
    auto* title = new QLabel(tr("New project"));
    title->setProperty("role", "title");
    column->addWidget(title);
    const auto add = [&](const char* name, const QString& icon, const QString& text, const QString& detail, void (StartPage::*signal)()) {
        auto* choice = addChoice(column, name, icon, text, detail);
        connect(choice, &StartChoice::clicked, this, signal);
        if (!m_first) m_first = choice;
    };
    add("startEmpty", "pencil", tr("Empty site"), tr("Draw buildings and halls"), &StartPage::emptySiteChosen);
    add("startDrawing", "plan", tr("My hall"), tr("Import a hall drawing (DXF)"), &StartPage::drawingChosen);
    add("startSize", "network", tr("Size a fabric"), tr("Compare designs for a number of GPUs"), &StartPage::sizeChosen);
    add("startSample", "play", tr("Sample pod"), tr("HPN pod, 15,360 GPUs, with a training iteration"), &StartPage::sampleChosen);
    add("startOpen", "open", tr("Open project"), tr("Hallwright project (*.hall)"), &StartPage::openChosen);
    column->addSpacing(space(3));
    const auto list = [&](QLabel* heading, QBoxLayout*& rows) {
        column->addWidget(heading);
        rows = new QVBoxLayout;
        rows->setSpacing(0);
        column->addLayout(rows);
        column->addSpacing(space(2));
    };
    list(m_recoveredTitle, m_recovered);
    list(m_recentTitle, m_recent);
    column->addStretch(1);
    auto* area = new FittingArea(inside);
    inside->setAutoFillBackground(false); // that of the page
    return area;
}

QWidget* StartPage::makeTemplates()
{
    auto* right = new QWidget;
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space(2));
    auto* head = new QHBoxLayout;
    auto* title = new QLabel(tr("Templates"));
    title->setProperty("role", "title");
    m_search->setObjectName("startSearch");
    m_search->setPlaceholderText(tr("Search templates"));
    m_search->setAccessibleName(tr("Search templates"));
    m_search->setClearButtonEnabled(true);
    m_close->setObjectName("startClose");
    m_close->hide();
    head->addWidget(title);
    head->addSpacing(space(4));
    head->addWidget(m_search, 1);
    head->addWidget(m_close);
    m_noMatch->setProperty("role", "dim");
    m_noMatch->hide();
    column->addLayout(head);
    column->addWidget(m_noMatch);
    column->addWidget(m_cards, 1);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& words) { m_noMatch->setVisible(m_cards->filter(words) == 0); });
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        if (m_cards->currentItem()) m_cards->setFocus(Qt::TabFocusReason); // the next Return takes it
    });
    connect(m_cards, &TemplateCards::chosen, this, &StartPage::templateChosen);
    connect(m_close, &QPushButton::clicked, this, &StartPage::closed);
    return right;
}

void StartPage::setTemplates(std::vector<StartTemplate> templates)
{
    m_cards->setTemplates(templates);
    m_noMatch->setVisible(m_cards->filter(m_search->text()) == 0);
}

void StartPage::setProjects(const std::vector<StartProject>& recovered, const std::vector<StartProject>& recent)
{
    fill(m_recovered, m_recoveredTitle, recovered, true);
    fill(m_recent, m_recentTitle, recent, false);
}

void StartPage::fill(QBoxLayout* list, QLabel* title, const std::vector<StartProject>& projects, bool recovered)
{
    while (QLayoutItem* item = list->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater(); // it may be what was clicked
        }
        delete item;
    }
    title->setVisible(!projects.empty());
    for (const StartProject& project : projects) {
        auto* line = new QWidget;
        auto* row = new QHBoxLayout(line);
        row->setContentsMargins(0, 0, 0, 0);
        auto* choice = new StartChoice(recovered ? "history" : "hall", project.title, project.detail);
        choice->setObjectName(recovered ? "startRecovered" : "startRecent");
        row->addWidget(choice, 1);
        connect(choice, &StartChoice::clicked, this, [this, recovered, path = project.path] {
            if (recovered)
                emit recoveredChosen(path);
            else
                emit projectChosen(path);
        });
        if (recovered) {
            auto* drop = new QToolButton;
            drop->setObjectName("startDrop");
            drop->setIcon(icon("close"));
            drop->setToolTip(tr("Delete the recovered work"));
            drop->setAccessibleName(tr("Delete %1").arg(project.title));
            row->addWidget(drop);
            connect(drop, &QToolButton::clicked, this, [this, path = project.path] { emit recoveredDropped(path); });
        }
        list->addWidget(line);
    }
}

void StartPage::setCanClose(bool can) { m_close->setVisible(can); }

/// What it covers cannot be reached by Tab.
bool StartPage::focusNextPrevChild(bool next)
{
    QWidget* from = focusWidget() ? focusWidget() : this;
    const auto step = [next](QWidget* widget) { return next ? widget->nextInFocusChain() : widget->previousInFocusChain(); };
    for (QWidget* widget = step(from); widget != from; widget = step(widget))
        if (isAncestorOf(widget) && widget->isVisibleTo(this) && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus)) {
            widget->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
            break;
        }
    return true;
}

void StartPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || m_close->isHidden()) return QFrame::keyPressEvent(event);
    emit closed();
}

void StartPage::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    m_first->setFocus(Qt::OtherFocusReason);
}

} // namespace hw::views
