// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/phase_bar.h"

#include "core/foundation/money/phases.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSlider>
#include <QToolButton>

#include <algorithm>

namespace hw::views {

PhaseBar::PhaseBar(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_slider(new QSlider(Qt::Horizontal)), m_text(new ElidedLabel), m_all(new QToolButton)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(space(3), space(1), space(2), space(1));
    row->setSpacing(space(3));
    auto* title = new QLabel(tr("Installed by phase"));
    title->setBuddy(m_slider);
    m_slider->setObjectName("phaseSlider");
    m_slider->setAccessibleName(title->text());
    m_slider->setToolTip(tr("All views show the design as installed by this phase; right end: the whole design"));
    m_slider->setPageStep(1);
    m_slider->setFixedWidth(space(60));
    m_all->setObjectName("phaseAll");
    m_all->setText(tr("All phases"));
    m_all->setToolTip(tr("Show the whole design, which can be edited"));
    row->addWidget(title);
    row->addWidget(m_slider);
    row->addWidget(m_text, 1);
    row->addWidget(m_all);
    connect(m_slider, &QSlider::valueChanged, this, &PhaseBar::choose);
    connect(m_all, &QToolButton::clicked, this, [this] { m_slider->setValue(m_slider->maximum()); });
    connect(&bridge, &DocumentBridge::figuresChanged, this, &PhaseBar::readPhases);
    connect(&bridge, &DocumentBridge::phaseChanged, this, &PhaseBar::say);
    hide();
}

QString PhaseBar::text() const { return m_text->text(); }

void PhaseBar::readPhases()
{
    if (m_bridge.phase()) return say(); // what is shown has its own phases only
    const Snapshot& s = *m_bridge.figures()->snapshot;
    m_numbers = s.phases.size() > 0 ? PhaseIndex(s).numbers() : std::vector<int>{1};
    setVisible(m_numbers.size() > 1);
    const QScopedValueRollback reading(m_reading, true);
    m_slider->setRange(0, int(m_numbers.size()) - 1);
    m_slider->setValue(m_slider->maximum());
    say();
}

void PhaseBar::choose(int position)
{
    if (m_reading || m_numbers.empty()) return;
    m_bridge.showPhase(position == m_slider->maximum() ? std::nullopt : std::optional(m_numbers[std::size_t(position)]));
}

void PhaseBar::say()
{
    const QScopedValueRollback reading(m_reading, true);
    m_all->setEnabled(m_bridge.phase().has_value());
    if (!m_bridge.phase() || !m_bridge.figures()) {
        m_slider->setValue(m_slider->maximum());
        m_text->setText(tr("whole design, %1 phases").arg(m_numbers.size()));
        return;
    }
    const Snapshot& whole = *m_bridge.snapshot();
    const int number = *m_bridge.phase();
    m_slider->setValue(int(std::ranges::find(m_numbers, number) - m_numbers.begin()));
    QString name = views::text(phaseText(whole, number));
    if (const auto id = phaseOfNumber(whole, number); id && !whole.phases.date[*id].empty())
        name = tr("%1 (%2)").arg(name, views::text(whole.phases.date[*id]));
    const Snapshot& s = *m_bridge.figures()->snapshot;
    m_text->setText(tr("as installed by %1: %2 of %3 racks, %4 of %5 links; read-only")
                        .arg(name, count(std::int64_t(s.racks.size())), count(std::int64_t(whole.racks.size())), count(std::int64_t(s.links.size())),
                             count(std::int64_t(whole.links.size()))));
}

} // namespace hw::views
