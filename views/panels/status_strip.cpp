// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/status_strip.h"

#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/style/work_bar.h"

#include <QBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>
#include <iterator>

namespace hw::views {

StatusStrip::StatusStrip(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_job(new ElidedLabel), m_durability(new ElidedLabel), m_revision(new QLabel), m_progress(new WorkBar),
      m_cancel(new QToolButton), m_rules(new QToolButton)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, space(2), 0);
    layout->setSpacing(space(3));
    m_progress->setFixedWidth(fontMetrics().averageCharWidth() * 18);
    m_cancel->setIcon(icon("close"));
    m_cancel->setToolTip(tr("Cancel this job"));
    m_cancel->setAccessibleName(tr("Cancel this job"));
    m_rules->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_rules->setToolTip(tr("Show findings"));
    for (QWidget* w : {static_cast<QWidget*>(m_job), static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_cancel),
                       static_cast<QWidget*>(m_rules), static_cast<QWidget*>(m_revision), static_cast<QWidget*>(m_durability)})
        layout->addWidget(w);
    m_job->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (ElidedLabel* label : {m_job, m_durability}) label->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    connect(&bridge.jobs(), &Jobs::changed, this, &StatusStrip::onJobs);
    connect(&bridge, &DocumentBridge::findingsChanged, this, &StatusStrip::onFindings);
    connect(&bridge, &DocumentBridge::documentChanged, this, &StatusStrip::onRevision);
    connect(m_rules, &QToolButton::clicked, this, &StatusStrip::findingsRequested);
    connect(m_cancel, &QToolButton::clicked, this, [this] { m_bridge.jobs().cancel(m_shownJob); });
    onJobs();
    onFindings();
    onRevision();
}

void StatusStrip::setDurability(const QString& text, bool good)
{
    m_durability->setText(text);
    m_durability->setStyleSheet(good ? QString() : QString("color: %1").arg(theme().warning.name()));
}

void StatusStrip::onJobs()
{
    std::vector<Jobs::Job> jobs;
    std::ranges::copy_if(m_bridge.jobs().running(), std::back_inserter(jobs), [](const Jobs::Job& job) { return !job.name.isEmpty(); });
    const bool any = !jobs.empty();
    for (QWidget* w : {static_cast<QWidget*>(m_job), static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_cancel)}) w->setVisible(any);
    if (!any) return;
    const auto& job = jobs.back();
    m_shownJob = job.id;
    const QString more = jobs.size() > 1 ? tr("  (+%1)").arg(jobs.size() - 1) : QString();
    m_job->setText(job.name + (job.step.isEmpty() ? QString() : ": " + job.step) + more);
    m_progress->setFraction(job.fraction);
}

void StatusStrip::onFindings()
{
    const CheckPtr& check = m_bridge.findings();
    m_rules->setVisible(check != nullptr);
    if (!check) return;
    const bool errors = check->errors > 0, warnings = check->warnings > 0;
    m_rules->setIcon(errors ? icon("error", theme().error) : warnings ? icon("warning", theme().warning) : icon("ok", theme().ok));
    m_rules->setText(errors || warnings ? text(i18np(std::int64_t(check->errors), "{:L} error", "{:L} errors")) + ", " +
                                              text(i18np(std::int64_t(check->warnings), "{:L} warning", "{:L} warnings"))
                                        : tr("rules pass"));
}

void StatusStrip::onRevision() { m_revision->setText(tr("revision %1").arg(m_bridge.snapshot()->revision)); }

} // namespace hw::views
