// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/simulation_panel.h"

#include "views/simulation/answer_view.h"
#include "views/simulation/jobs_view.h"
#include "views/simulation/kept_view.h"
#include "views/simulation/links_view.h"
#include "views/simulation/load_histogram.h"
#include "views/simulation/scenario_setup.h"
#include "views/simulation/time_line_view.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QTabWidget>
#include <QToolButton>

namespace hw::views {

SimulationPanel::SimulationPanel(SimulationSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_setup(new ScenarioSetup(session)), m_timeLine(new TimeLineView(session)), m_pages(new QTabWidget),
      m_pin(new QToolButton), m_clear(new QToolButton)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(space(3), space(2), space(2), 0);
    row->setSpacing(space(4));
    row->addWidget(m_setup, 2); // up to the width that it likes
    row->addWidget(m_pages, 3);
    const auto add = [this](QWidget* page, const char* name, const QString& title) {
        page->setProperty("page", name);
        m_pages->addTab(page, title);
    };
    m_pages->setDocumentMode(true);
    m_pages->setObjectName("scenarioPages");
    add(new AnswerView(session), "answer", tr("Result"));
    add(new LinksView(session), "links", tr("Links and flows"));
    add(new JobsView(session), "jobs", tr("Jobs"));
    add(new LoadHistogramView(session), "histogram", tr("Loads by tier"));
    add(m_timeLine, "timeline", tr("Timeline"));
    add(new StoredResultsView(session), "kept", tr("Saved"));
    auto* corner = new QWidget;
    auto* buttons = new QHBoxLayout(corner);
    buttons->setContentsMargins(0, 0, 0, 0);
    buttons->addWidget(m_pin);
    buttons->addWidget(m_clear);
    m_pages->setCornerWidget(corner);
    m_clear->setText(tr("Clear"));
    m_pin->setToolTip(tr("Compare the next results with this one, on the same scale"));
    connect(m_pin, &QToolButton::clicked, this, [this] { m_session.pinned() ? m_session.unpin() : m_session.pin(); });
    connect(m_clear, &QToolButton::clicked, this, [this] { m_session.clear(); });
    connect(&session, &SimulationSession::answerChanged, this, &SimulationPanel::onAnswer);
    onAnswer();
}

void SimulationPanel::showPage(const QString& name)
{
    for (int i = 0; i < m_pages->count(); ++i)
        if (m_pages->widget(i)->property("page").toString() == name) m_pages->setCurrentIndex(i);
}

void SimulationPanel::onAnswer()
{
    m_pin->setText(m_session.pinned() ? tr("Unpin") : tr("Pin to compare"));
    m_pin->setEnabled(m_session.answer() || m_session.pinned());
    m_clear->setEnabled(m_session.answer() != nullptr);
    const bool moves = m_session.playback() && !m_session.playback()->frames.empty();
    if (m_session.answer() && !moves && m_pages->currentWidget() == m_timeLine) showPage("answer"); // nothing to play
}

} // namespace hw::views
