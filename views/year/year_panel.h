// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/following_view.h"
#include "views/year/year_charts.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace hw::views {

/// The plant of the design over a year at a place: annual figures, months, load-duration curve and a heat map of every hour. The place may be
/// tried without changing the project. Follows the design while it is looked at.
class YearPanel : public QWidget {
    Q_OBJECT
public:
    explicit YearPanel(DocumentBridge& bridge, QWidget* parent = nullptr);

    [[nodiscard]] const YearPtr& year() const { return m_year; } ///< null: none could be computed
    [[nodiscard]] std::string place() const;                     ///< chosen; empty: that of the project
    void setPlace(const std::string& slug);

signals:
    void shown(); ///< a result, or why there is none

private:
    /// What a worker gives.
    struct Outcome {
        YearPtr year;
        QString problem, place;
    };
    void refresh();
    void show(const Outcome& outcome);
    void showMonths();
    void usePlace();

    DocumentBridge& m_bridge;
    QComboBox *m_places, *m_quantity;
    QPushButton* m_use;
    QLabel *m_figures, *m_problem;
    QTableWidget* m_months;
    DurationCurve* m_duration;
    YearMap* m_map;
    QWidget* m_result;
    YearPtr m_year;
    FollowingView m_following;
};

} // namespace hw::views
