// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session.h"

#include "core/design/sizing/demand.h"
#include "core/design/sizing/sizing.h"

#include <QDialog>
#include <QTimer>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTextBrowser;

namespace hw::views {
class ListView;
struct CellRow;
} // namespace hw::views

namespace hw::app {

/// Which fabrics reach a number of accelerators: every feasible design with what it takes, the Pareto-optimal ones first, the others with
/// the reason; and, under a demand curve, what has to be built when. Answers while one types.
class SizeDialog : public QDialog {
    Q_OBJECT
public:
    SizeDialog(Session& session, QWidget* parent);
    ~SizeDialog() override;
    [[nodiscard]] const std::optional<sizing::SizeAnswer>& answer() const { return m_answer; }
    [[nodiscard]] const sizing::SizedDesign* chosen() const;
    bool loadCurve(const QString& path); ///< false, with the reason shown, when it cannot be read

signals:
    void createRequested(const QString& templateName, const hw::ParameterValues& values);
    /// A design is to stand in a hall of the project, or in a new one of the limits' size where `hall` is empty.
    void placementRequested(const QString& hall, const hw::sizing::SizedDesign& design, const hw::sizing::SizeLimits& limits);

private:
    QWidget* makeForm();
    QWidget* makeLimits();
    void fillPartBoxes();
    void fillHalls();
    void addDesigns(std::vector<views::CellRow>& rows) const;
    void addRefused(std::vector<views::CellRow>& rows) const;
    [[nodiscard]] std::optional<sizing::Refusal> refusedRow() const; ///< the group
    [[nodiscard]] QString refusals(sizing::Refusal kind) const;
    [[nodiscard]] QString acceleratorsName() const; ///< "GPUs", or whatever class is chosen
    [[nodiscard]] sizing::SizeRequest request() const;
    void start();
    void addFacility();
    void fill();
    void showChosen();
    [[nodiscard]] QString details(const sizing::SizedDesign& design) const;

    Session& m_session;
    QTimer m_timer;
    QSpinBox *m_accelerators, *m_planes, *m_tiers, *m_growth, *m_split;
    QComboBox *m_class, *m_server, *m_switch, *m_powerBasis;
    QDoubleSpinBox *m_oversubscription, *m_megawatts, *m_hallLength, *m_hallWidth;
    QSpinBox* m_racks;
    QLabel *m_wantedLabel, *m_curveNote;
    views::ListView* m_list;
    QTextBrowser* m_details;
    QLabel* m_headline;
    QPushButton *m_create, *m_place, *m_curveButton;
    std::optional<sizing::SizeAnswer> m_answer;
    bool m_facility = false; ///< the answer has the facility power of its designs
    sizing::DemandCurve m_curve;
};

} // namespace hw::app
