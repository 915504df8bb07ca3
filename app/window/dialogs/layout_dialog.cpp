// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/layout_dialog.h"

#include "views/panels/parameter_form.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>

namespace hw::app {

using views::space;
using views::text;

namespace {

/// Devices of the project's template that are not placed.
std::int64_t homeless(const Snapshot& s)
{
    std::int64_t count = 0;
    s.devices.forEach([&](DeviceId id) { count += !s.devices.rack[id] && !s.devices.row[id] && !s.devices.hall[id]; });
    return count;
}

} // namespace

LayoutDialog::LayoutDialog(Session& session, QWidget* parent)
    : QDialog(parent), m_session(session), m_halls(new QComboBox), m_designs(new QComboBox),
      m_form(new views::ParameterForm(session.bridge().jobs(), session.library().catalog)), m_hint(new QLabel), m_result(new QPlainTextEdit),
      m_apply(new QPushButton(tr("&Lay out"))), m_fitting(new QPushButton)
{
    setWindowTitle(tr("Lay out in existing hall"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space(4), space(4), space(4), space(4));
    column->setSpacing(space(3));
    auto* fields = new QFormLayout;
    m_halls->setObjectName("layoutHall");
    m_designs->setObjectName("layoutDesign");
    fields->addRow(tr("Hall"), m_halls);
    fields->addRow(tr("Equipment"), m_designs);
    m_hint->setWordWrap(true);
    m_result->setObjectName("layoutResult");
    m_result->setAccessibleName(tr("Result and limiting factor"));
    m_result->setReadOnly(true);
    m_result->hide();
    m_apply->setObjectName("applyLayout");
    m_apply->setDefault(true);
    m_fitting->setObjectName("layoutWhatFits");
    m_fitting->setAutoDefault(false);
    m_fitting->hide();
    auto* buttons = new QDialogButtonBox;
    auto* close = new QPushButton(tr("Close"));
    close->setAutoDefault(false);
    buttons->addButton(close, QDialogButtonBox::RejectRole);
    buttons->addButton(m_fitting, QDialogButtonBox::ApplyRole);
    buttons->addButton(m_apply, QDialogButtonBox::ApplyRole);
    column->addLayout(fields);
    column->addWidget(m_hint);
    column->addWidget(new views::FittingArea(m_form), 1);
    column->addWidget(m_result, 1);
    column->addWidget(buttons);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_apply, &QPushButton::clicked, this, [this] { apply(fitting::WhereNotAll::Refuse); });
    connect(m_fitting, &QPushButton::clicked, this, [this] { apply(fitting::WhereNotAll::AsManyAsFit); });
    connect(m_halls, &QComboBox::currentIndexChanged, this, [this] { offer(0); });
    connect(m_designs, &QComboBox::currentIndexChanged, this, &LayoutDialog::choose);
    connect(m_form, &views::ParameterForm::previewChanged, this, [this] {
        if (!m_working) offer(0);
        enable();
    });
    fill();
    views::fitToScreen(*this, {fontMetrics().averageCharWidth() * 120, fontMetrics().height() * 40});
}

void LayoutDialog::fill()
{
    const Snapshot& s = *m_session.bridge().snapshot();
    s.halls.forEach([&](HallId id) {
        if (s.halls.kind[id] == RoomKind::Hall || s.halls.kind[id] == RoomKind::Network)
            m_halls->addItem(QString::fromStdString(s.halls.name[id]), QString::fromStdString(s.halls.name[id]));
    });
    if (const auto count = homeless(s); count > 0) m_designs->addItem(tr("Unplaced devices: %1").arg(views::count(count)), QString());
    for (const Template& design : m_session.library().templates)
        m_designs->addItem(QString("%1: %2").arg(QString::fromStdString(design.name()), views::text(resourceText(design.title()))),
                           QString::fromStdString(design.name()));
    m_hint->setText(m_halls->count() == 0 ? tr("The project has no hall. Draw one, or import a hall drawing.")
                                          : tr("The hall and the equipment already in it stay unchanged. Layouts are ranked by data-cable cost, "
                                               "then by longest cable. If its walls are not parallel to the axes, the plan is rotated."));
    choose();
}

const Template* LayoutDialog::chosen() const
{
    const QString name = m_designs->currentData().toString();
    return name.isEmpty() ? nullptr : m_session.library().find(name.toStdString());
}

void LayoutDialog::choose()
{
    if (const Template* design = chosen())
        if (const auto values = design->complete(std::exchange(m_given, {}))) m_form->setTemplate(*design, *values);
    m_form->parentWidget()->setVisible(true);
    m_form->setVisible(chosen() != nullptr);
    offer(0);
    enable();
}

bool LayoutDialog::propose(const QString& hall, const std::string& design, const ParameterValues& values)
{
    const int room = m_halls->findData(hall), row = m_designs->findData(QString::fromStdString(design));
    if (room < 0 || row < 0) return false;
    m_halls->setCurrentIndex(room);
    m_given = values;
    if (m_designs->currentIndex() == row)
        choose();
    else
        m_designs->setCurrentIndex(row);
    return true;
}

void LayoutDialog::enable()
{
    const bool ready = !m_working && m_halls->count() > 0 && m_designs->count() > 0 && (!chosen() || m_form->acceptable());
    m_apply->setEnabled(ready);
    m_fitting->setEnabled(ready);
}

void LayoutDialog::offer(std::int64_t accelerators)
{
    m_most = accelerators;
    m_fitting->setText(tr("Lay out the %1 that &fit").arg(views::count(accelerators)));
    m_fitting->setToolTip(tr("Lays out %1 accelerators; the rest stays unplaced").arg(views::count(accelerators)));
    m_fitting->setVisible(accelerators > 0);
}

void LayoutDialog::apply(fitting::WhereNotAll whereNotAll)
{
    const auto hall = fitting::hallFor(*m_session.bridge().snapshot(), m_halls->currentData().toString().toStdString());
    if (!hall) return m_session.bridge().report(hall.error());
    m_working = true;
    enable();
    const auto known = std::make_shared<std::optional<fitting::Fit>>(); // also of what is not committed
    std::optional<Template> design;
    if (const Template* wanted = chosen()) design = *wanted;
    m_session.bridge().editInWorker<fitting::Fit>(
        tr("Lay out in %1").arg(m_halls->currentText()),
        [known, design, whereNotAll, values = design ? m_form->values() : ParameterValues{}, hall = *hall,
         catalog = m_session.library().catalog](Transaction& transaction, const Progress& progress) -> Result<fitting::Fit> {
            if (design)
                if (auto used = useTemplate(transaction, *design, values, *catalog, progress); !used) return tl::unexpected(used.error());
            auto fit = fitting::layOut(*transaction, hall, *catalog, progress, whereNotAll);
            if (!fit) return fit;
            *known = *fit;
            if (!fit->fits && fit->laidOut == 0)
                return fail(ErrorCode::Refused, fit->hall, fitting::fitText(*fit), i18n("reduce the number, or change the limiting factor"));
            return fit;
        },
        [self = QPointer<LayoutDialog>(this), known](const Result<fitting::Fit>& fit) {
            if (!self) return;
            self->m_working = false;
            self->m_result->setPlainText(*known ? text(fitting::fitReport(**known)) : QString::fromStdString(fit.error().text()));
            self->m_result->show();
            self->offer(!fit && *known ? (*known)->most : 0);
            self->enable();
            emit self->finishedOne(fit.has_value());
        });
}

} // namespace hw::app
