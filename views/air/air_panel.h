// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "simulation/air/openfoam.h"
#include "views/bridge/following_view.h"
#include "views/twin/air.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTabBar;
class QTabWidget;

namespace hw::views {

class AirLookForm;
class ListView;
class WorkBar;

/// The air of a hall: solved by a worker, on coarse grids first; racks, units and findings as lists; what of it the other views show. A result of a
/// design that was edited since stays and is marked as outdated, until the design is the same again or another run ends.
class AirPanel : public QWidget {
    Q_OBJECT
public:
    explicit AirPanel(DocumentBridge& bridge, QWidget* parent = nullptr);
    void run();                                                             ///< as the form asks; cancels nothing but an earlier run
    void simulateFailure(HallId hall, const std::vector<DeviceId>& failed); ///< chooses both in the form and runs
    /// Solves the finished result with OpenFOAM, too; its inlets then stand beside the embedded ones.
    struct FoamRequest {
        sim::air::FoamOptions options{};
        QString folder{}; ///< kept; empty: a temporary one
        bool slurm = false;
        QString partition{};
    };
    void runFoam(const FoamRequest& request);
    [[nodiscard]] const sim::air::FoamAnswer* foam() const { return m_foam.get(); } ///< null: none for the result that is shown
    [[nodiscard]] QSize minimumSizeHint() const override;
    void clear();
    [[nodiscard]] const sim::air::HallStudy& study() const { return m_study; } ///< the last grid that is solved; without `air`: nothing yet
    [[nodiscard]] bool finished() const { return m_study.air && !m_coarse; }
    [[nodiscard]] bool stale() const { return m_stale; }
    /// The finished answer for a hall of the design as it is, with all its air units; null: none.
    [[nodiscard]] std::shared_ptr<const sim::air::HallAir> current() const { return m_stale || m_coarse ? nullptr : m_whole; }
    [[nodiscard]] AirLookForm* look() const { return m_look; }
    [[nodiscard]] ListView* racks() const { return m_racks; }
    [[nodiscard]] ListView* units() const { return m_units; }
    [[nodiscard]] ListView* findings() const { return m_findings; }
    [[nodiscard]] ListView* metrics() const { return m_metrics; }
    void setSliceAt(double at); ///< dragged in a view

protected:
    void resizeEvent(QResizeEvent* event) override;

signals:
    void airChanged(const hw::views::TwinAir& air); ///< what the 3D view shall show

private:
    /// What can be simulated.
    struct Place {
        HallId hall;
        QString name;
        std::vector<std::pair<DeviceId, QString>> units;
    };
    struct Places {
        std::vector<Place> all;
    };
    [[nodiscard]] QWidget* makeForm();
    [[nodiscard]] QWidget* makeResult();
    [[nodiscard]] sim::air::HallOptions options() const;
    void readPlaces();
    void showPlaces(const Places& places);
    void showUnits();
    void take(sim::air::HallStudy study, bool coarse, const FiguresPtr& figures);
    void onFigures();
    void checkCurrent();
    void setStale(bool stale);
    void onJobs();
    void summarize();
    void fill();
    void showAir();
    void exportResult();
    void askForFoam();
    void arrange();

    DocumentBridge& m_bridge;
    QComboBox* m_hall;
    QSpinBox* m_cells;
    QDoubleSpinBox *m_leakage, *m_fans;
    QListWidget* m_failed;
    QPushButton *m_run, *m_export, *m_clear, *m_foamRun;
    QLabel *m_step, *m_summary;
    WorkBar* m_work;
    QTabBar* m_pages;
    QStackedWidget* m_lists;
    ListView *m_racks, *m_units, *m_findings, *m_metrics;
    AirLookForm* m_look;
    QTabWidget* m_sides; ///< the form; in a narrow panel also what is shown
    QWidget *m_lookBox, *m_right;
    std::shared_ptr<const sim::air::FoamAnswer> m_foam;
    Places m_places;
    sim::air::HallStudy m_study;
    sim::air::HallOptions m_asked;                    ///< that the study is of
    std::shared_ptr<const sim::air::HallAir> m_whole; ///< the last finished answer without failures
    std::size_t m_wholeCells = 0;
    FiguresPtr m_of; ///< that the study is of
    int m_runs = 0;  ///< begun so far: pictures of earlier ones are dropped
    bool m_coarse = false, m_stale = false;
    QTimer m_check;
    FollowingView m_following;
};

} // namespace hw::views
