// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/air/air_look_form.h"

#include "views/style/theme.h"
#include "views/style/units.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QSlider>

#include <cmath>

namespace hw::views {

namespace air = sim::air;

namespace {

constexpr int kSliderSteps = 100; ///< a meter

} // namespace

AirLookForm::AirLookForm(QWidget* parent)
    : QWidget(parent), m_state(new QComboBox), m_racks(new QComboBox), m_quantity(new QComboBox), m_axis(new QComboBox), m_paths(new QComboBox),
      m_at(new QSlider(Qt::Horizontal)), m_atLabel(new QLabel), m_flow(new QCheckBox(tr("Animated"))), m_surface(new QCheckBox(tr("Surface at"))),
      m_surfaceC(new QDoubleSpinBox)
{
    m_state->setObjectName("airState"), m_racks->setObjectName("airRackColor"), m_quantity->setObjectName("airQuantity");
    m_axis->setObjectName("airSlice"), m_paths->setObjectName("airPaths"), m_at->setObjectName("airSliceAt");
    m_flow->setObjectName("airFlow"), m_surface->setObjectName("airSurface"), m_surfaceC->setObjectName("airSurfaceC");
    m_state->addItem(tr("After the failure"), int(State::After));
    m_state->addItem(tr("Before the failure"), int(State::Before));
    m_state->addItem(tr("Change"), int(State::Change));
    m_racks->addItem(tr("As in the Colors menu"), -1);
    m_racks->addItem(tr("Inlet, maximum"), int(air::RackQuantity::InletMax));
    m_racks->addItem(tr("Inlet, mean"), int(air::RackQuantity::InletMean));
    m_racks->addItem(tr("Inlet, top third"), int(air::RackQuantity::InletTop));
    m_racks->addItem(tr("Capture index"), int(air::RackQuantity::Capture));
    m_racks->setCurrentIndex(1);
    m_quantity->addItem(tr("Temperature"), int(air::Quantity::Celsius));
    m_quantity->addItem(tr("Speed"), int(air::Quantity::Speed));
    m_quantity->addItem(tr("Static pressure"), int(air::Quantity::Pressure));
    m_axis->addItem(tr("None"), -1);
    m_axis->addItem(tr("Horizontal"), 2);
    m_axis->addItem(tr("Vertical, across X"), 0);
    m_axis->addItem(tr("Vertical, across Y"), 1);
    m_axis->setCurrentIndex(1);
    m_paths->addItem(tr("None"), -1);
    m_paths->addItem(tr("From air units"), int(air::PathStart::Units));
    m_paths->addItem(tr("From rack rears"), int(air::PathStart::Racks));
    m_at->setToolTip(tr("Position of the slice; in the 3D view, drag its knob"));
    m_at->setAccessibleName(tr("Position of the slice"));
    m_flow->setToolTip(tr("The air moves along the streamlines at its own speed"));
    m_surface->setToolTip(tr("Surface on which the air has this temperature; initially the inlet limit of the project"));
    m_surfaceC->setRange(0, 80);
    m_surfaceC->setDecimals(1);
    m_surfaceC->setSuffix(tr(" °C"));
    m_surfaceC->setAccessibleName(tr("Temperature of the surface"));
    m_state->setEnabled(false); // until units failed
    m_state->setToolTip(tr("State of the hall that all views show"));

    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(space(1));
    const auto row = [](std::initializer_list<QWidget*> widgets) {
        auto* line = new QHBoxLayout;
        line->setSpacing(space(2));
        for (QWidget* widget : widgets) line->addWidget(widget);
        line->addStretch(1);
        return line;
    };
    m_atLabel->setMinimumWidth(fontMetrics().horizontalAdvance("000.00 m"));
    auto* at = new QHBoxLayout;
    at->addWidget(m_at, 1);
    at->addWidget(m_atLabel);
    form->addRow(tr("Stat&e"), m_state);
    form->addRow(tr("&Rack color"), m_racks);
    form->addRow(tr("&Slice"), m_axis);
    auto* position = new QLabel(tr("&Position"));
    position->setBuddy(m_at);
    form->addRow(position, at);
    form->addRow(tr("Sho&ws"), m_quantity);
    auto* streamlines = new QLabel(tr("Stream&lines"));
    streamlines->setBuddy(m_paths);
    form->addRow(streamlines, row({m_paths, m_flow}));
    form->addRow(QString(), row({m_surface, m_surfaceC}));
    for (QComboBox* box : {m_state, m_racks, m_quantity, m_paths})
        connect(box, &QComboBox::currentIndexChanged, this, [this] { refresh(), emit changed(); });
    connect(m_axis, &QComboBox::currentIndexChanged, this, &AirLookForm::onAxis);
    connect(m_at, &QSlider::valueChanged, this, &AirLookForm::onSlider);
    connect(m_surfaceC, &QDoubleSpinBox::valueChanged, this, &AirLookForm::changed);
    for (QCheckBox* box : {m_flow, m_surface}) connect(box, &QCheckBox::toggled, this, [this] { refresh(), emit changed(); });
    refresh();
}

void AirLookForm::setRoom(const air::HallPlan& hall, bool failures)
{
    const QSignalBlocker quiet(this);
    const bool other = !m_roomSet || m_high != hall.plan.room.high;
    if (other) {
        m_high = hall.plan.room.high;
        m_places = {m_high[0] / 2, m_high[1] / 2, std::min(1.5, m_high[2] / 2)};
        m_surfaceC->setValue(hall.limitC);
    }
    m_roomSet = true;
    const int changeAt = m_racks->findData(int(air::RackQuantity::Change));
    if (failures && changeAt < 0) m_racks->addItem(tr("Change of the maximum"), int(air::RackQuantity::Change));
    if (!failures) {
        m_state->setCurrentIndex(0);
        if (changeAt >= 0) m_racks->removeItem(changeAt);
    }
    m_state->setEnabled(failures);
    if (other) onAxis();
    refresh();
}

void AirLookForm::refresh()
{
    const int axis = m_axis->currentData().toInt();
    m_at->setEnabled(axis >= 0);
    m_flow->setEnabled(m_paths->currentData().toInt() >= 0);
    m_surfaceC->setEnabled(m_surface->isChecked());
    m_quantity->setEnabled(state() != State::Change && (axis >= 0 || m_flow->isEnabled()));
    m_atLabel->setText(axis >= 0 ? exactLength(1000 * m_places[std::size_t(axis)]) : QString());
}

void AirLookForm::onAxis()
{
    const int axis = m_axis->currentData().toInt();
    if (axis >= 0) {
        const QSignalBlocker quiet(m_at);
        m_at->setRange(0, int(std::lround(m_high[std::size_t(axis)] * kSliderSteps)));
        m_at->setValue(int(std::lround(m_places[std::size_t(axis)] * kSliderSteps)));
    }
    refresh();
    emit changed();
}

void AirLookForm::onSlider(int value)
{
    const int axis = m_axis->currentData().toInt();
    if (axis < 0) return;
    m_places[std::size_t(axis)] = double(value) / kSliderSteps;
    refresh();
    emit changed();
}

void AirLookForm::setSliceAt(double at)
{
    const int axis = m_axis->currentData().toInt();
    if (axis < 0) return;
    const QSignalBlocker quiet(m_at);
    m_places[std::size_t(axis)] = at;
    m_at->setValue(int(std::lround(at * kSliderSteps)));
    refresh();
}

AirLookForm::State AirLookForm::state() const { return State(m_state->currentData().toInt()); }

std::optional<air::RackQuantity> AirLookForm::racks() const
{
    const int chosen = m_racks->currentData().toInt();
    return chosen < 0 ? std::nullopt : std::optional(air::RackQuantity(chosen));
}

void AirLookForm::setRacks(std::optional<air::RackQuantity> quantity)
{
    const QSignalBlocker quiet(m_racks);
    m_racks->setCurrentIndex(m_racks->findData(quantity ? int(*quantity) : -1));
}

TwinAirLook AirLookForm::look() const
{
    TwinAirLook look;
    look.quantity = state() == State::Change ? air::Quantity::Change : air::Quantity(m_quantity->currentData().toInt());
    look.sliceAxis = m_axis->currentData().toInt();
    look.sliceAt = look.sliceAxis >= 0 ? m_places[std::size_t(look.sliceAxis)] : 0;
    if (const int from = m_paths->currentData().toInt(); from >= 0) look.paths = air::PathStart(from);
    look.flow = m_flow->isChecked();
    if (m_surface->isChecked()) look.surfaceC = m_surfaceC->value();
    return look;
}

} // namespace hw::views
