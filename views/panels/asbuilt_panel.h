// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "core/operations/asbuilt/compare.h"
#include "views/bridge/following_view.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace hw::views {

class ListView;

/// What was built against what is planned: differences, what costs most first, and beside them what to do about the chosen one. Of what the
/// project keeps, or of a capture that was only read; in both cases against the plan as it is now. Compared by a worker while it can be seen.
class AsBuiltPanel : public QWidget {
    Q_OBJECT
public:
    /// A design with what one capture saw, and what of it could not be used.
    struct Seen {
        FiguresPtr figures;
        std::vector<asbuilt::CaptureIssue> doubts;
    };
    using See = std::function<Result<Seen>(const SnapshotPtr& design, const Progress&)>; ///< called by a worker
    using ComparisonPtr = std::shared_ptr<const asbuilt::Comparison>;

    explicit AsBuiltPanel(DocumentBridge& bridge, QWidget* parent = nullptr);
    void compareWith(const QString& name, See see); ///< a capture that the project does not keep
    void compareKept();
    [[nodiscard]] ListView* list() const { return m_list; }
    [[nodiscard]] ListView* work() const { return m_work; }
    [[nodiscard]] const ComparisonPtr& comparison() const { return m_comparison; } ///< null: none yet
    [[nodiscard]] QString summary() const;

signals:
    void captureRequested(); ///< the user wants to read one
    void keepRequested();    ///< the project shall keep the capture that is shown
    void workOrderRequested(const hw::FiguresPtr& figures, const hw::views::AsBuiltPanel::ComparisonPtr& comparison);

private:
    struct Compared {
        FiguresPtr figures;
        asbuilt::Comparison comparison;
        std::vector<asbuilt::CaptureIssue> doubts;
    };
    void makeLayout();
    void refresh();
    void showCompared(Result<Compared> compared);
    void fill();
    void fillWork();
    void onClicked();
    [[nodiscard]] const asbuilt::Difference* current() const;
    [[nodiscard]] QString tallyText() const;

    DocumentBridge& m_bridge;
    ListView *m_list, *m_work;
    QLabel* m_summary;
    QComboBox* m_show;
    QPushButton *m_read, *m_keep, *m_kept, *m_order;
    QString m_name;
    See m_see; ///< empty: of what the project keeps
    FiguresPtr m_figures;
    ComparisonPtr m_comparison;
    std::vector<asbuilt::CaptureIssue> m_doubts;
    FollowingView m_following;
};

} // namespace hw::views
