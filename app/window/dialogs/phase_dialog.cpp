// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/phase_dialog.h"

#include "core/design/edit/edits_phase.h"
#include "core/design/edit/lookup.h"
#include "core/foundation/money/phases.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>

namespace hw::app {

using views::space;
using views::text;

namespace {

constexpr int kFirstSystem = int(kWords<edit::PhaseScope>.size()); ///< data of the scope box: scopes, then systems

} // namespace

PhaseDialog::PhaseDialog(views::DocumentBridge& bridge, QWidget* parent)
    : QDialog(parent), m_bridge(bridge), m_scope(new QComboBox), m_number(new QSpinBox), m_state(new QLabel)
{
    setWindowTitle(tr("Assign phase"));
    auto* layout = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    m_scope->setObjectName("phaseScope");
    m_number->setObjectName("phaseNumber");
    m_state->setObjectName("phaseState");
    if (!bridge.selection().empty()) {
        m_scope->addItem(tr("Selected objects"), int(edit::PhaseScope::Objects));
        m_scope->addItem(tr("Rows of the selection"), int(edit::PhaseScope::Rows));
        m_scope->addItem(tr("Segments of the selection"), int(edit::PhaseScope::Segments));
        m_scope->insertSeparator(m_scope->count());
    }
    for (std::size_t i = 0; i < kCostSystems; ++i) m_scope->addItem(tr("System: %1").arg(text(systemText(CostSystem(i)))), kFirstSystem + int(i));
    const Snapshot& s = *bridge.snapshot();
    int last = 1;
    s.phases.forEach([&](PhaseId id) { last = std::max(last, int(s.phases.number[id])); });
    m_number->setRange(1, 1000);
    m_number->setValue(std::max(2, last));
    form->addRow(tr("&Objects"), m_scope);
    form->addRow(tr("&Phase"), m_number);
    layout->addLayout(form);
    m_state->setWordWrap(true);
    m_state->setMinimumHeight(2 * fontMetrics().height());
    layout->addWidget(m_state);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_apply = buttons->button(QDialogButtonBox::Ok);
    connect(buttons, &QDialogButtonBox::accepted, this, &PhaseDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &PhaseDialog::reject);
    layout->addWidget(buttons);
    connect(m_scope, &QComboBox::currentIndexChanged, this, &PhaseDialog::check);
    connect(m_number, &QSpinBox::valueChanged, this, &PhaseDialog::check);
    views::fitToScreen(*this, {space(96), sizeHint().height()});
    check();
}

std::vector<EntityRef> PhaseDialog::objects() const
{
    const Snapshot& s = *m_bridge.figures()->snapshot;
    const int chosen = m_scope->currentData().toInt();
    if (chosen < kFirstSystem) return edit::phaseObjects(s, m_bridge.selection(), edit::PhaseScope(chosen));
    return edit::phaseObjects(s, *m_bridge.figures()->parts, CostSystem(chosen - kFirstSystem));
}

void PhaseDialog::check()
{
    const auto found = objects();
    m_apply->setEnabled(!found.empty());
    if (found.empty()) return m_state->setText(tr("No building, hall, row, rack or device matches."));
    const int number = m_number->value();
    const QString what = text(i18np(std::int64_t(found.size()), "{:L} object", "{:L} objects"));
    const bool known = phaseOfNumber(*m_bridge.snapshot(), number).has_value();
    m_state->setText(known ? tr("%1, with all that they hold, installed by %2").arg(what, text(phaseText(*m_bridge.snapshot(), number)))
                           : tr("%1, with all that they hold; phase %2 is added").arg(what).arg(number));
}

void PhaseDialog::accept()
{
    const auto found = objects();
    const int number = m_number->value();
    const auto done = m_bridge.edit(tr("Assign phase %1").arg(number), [&](Transaction& t) -> Result<void> {
        edit::Lookup lookup(t.preview());
        const auto assigned = edit::assignPhase(t, *m_bridge.figures()->parts, lookup, found, number);
        if (!assigned) return tl::unexpected(assigned.error());
        return {};
    });
    if (done) QDialog::accept();
}

} // namespace hw::app
