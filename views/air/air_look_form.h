// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "views/twin/air.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSlider;

namespace hw::views {

/// What of the air of a hall is shown, and how.
class AirLookForm : public QWidget {
    Q_OBJECT
public:
    enum class State : std::uint8_t { After, Before, Change }; ///< of a failure

    explicit AirLookForm(QWidget* parent = nullptr);
    /// The room that is shown; `failures`: there is a before and an after.
    void setRoom(const sim::air::HallPlan& hall, bool failures);
    [[nodiscard]] TwinAirLook look() const;
    [[nodiscard]] State state() const;
    [[nodiscard]] std::optional<sim::air::RackQuantity> racks() const; ///< by what racks are colored
    void setRacks(std::optional<sim::air::RackQuantity> quantity);     ///< without a signal
    void setSliceAt(double at);                                        ///< without a signal

signals:
    void changed();

private:
    void onAxis();
    void onSlider(int value);
    void refresh();

    QComboBox *m_state, *m_racks, *m_quantity, *m_axis, *m_paths;
    QSlider* m_at;
    QLabel* m_atLabel;
    QCheckBox *m_flow, *m_surface;
    QDoubleSpinBox* m_surfaceC;
    std::array<double, 3> m_high{1, 1, 1}, m_places{0, 0, 1.5}; ///< of the room; of the slice by axis, m
    bool m_roomSet = false;
};

} // namespace hw::views
