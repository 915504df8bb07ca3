// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"
#include "views/fabric/fabric_look.h"

#include <QWidget>

class QBoxLayout;
class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace hw::views {

class FabricCanvas;
class MatrixView;

/// The networks of the document: which one, in which colors, where one is in it, what the filter finds, the
/// drawing and the matrix beside it. Selection is the document's. Works only while it can be seen.
class FabricView : public QWidget {
    Q_OBJECT
public:
    explicit FabricView(DocumentBridge& bridge, QWidget* parent = nullptr);

    [[nodiscard]] FabricCanvas* canvas() const { return m_canvas; }
    [[nodiscard]] MatrixView* matrix() const { return m_matrix; }
    [[nodiscard]] QComboBox* networkBox() const { return m_networks; }
    [[nodiscard]] QComboBox* colorBox() const { return m_colors; }
    [[nodiscard]] QLineEdit* filter() const { return m_filter; }
    [[nodiscard]] QWidget* crumbBar() const { return m_crumbs; }
    void setNetwork(NetworkId network);
    void setColor(FabricColor color);
    /// Colors by load now and when the view is next shown; `on` false goes back to what was shown before, unless the user chose otherwise.
    void showLoads(bool on);
    void setMatrixVisible(bool visible);
    void fit();
    /// Calls back once the drawing is of the current design, also while nobody sees it.
    void whenReady(std::function<void()> call);
    /// Opens what hides an entity and brings it near; changes the network where only another one has it.
    void reveal(EntityRef entity);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeBar();
    QToolButton* addTool(const QString& icon, const QString& tip, bool checkable = false);
    void onFigures(const ChangesPtr& changes);
    void fillNetworks();
    void fillColors();
    void onLoads();
    void onValues();
    void followLoads();
    void followMeasured();
    void fillCrumbs();
    void refreshIndex();
    void adopt(FabricIndexPtr index);
    void showSelection();
    void applyFilter();
    [[nodiscard]] std::optional<NetworkId> chosen() const;

    DocumentBridge& m_bridge;
    FabricCanvas* m_canvas;
    MatrixView* m_matrix;
    QBoxLayout* m_bar = nullptr;
    QComboBox *m_networks, *m_colors;
    QLineEdit* m_filter;
    QLabel* m_found;
    QWidget* m_crumbs;
    QToolButton* m_matrixButton = nullptr;
    std::vector<std::function<void()>> m_waiting;
    EntityRef m_pending;                                     ///< to be revealed when the index is there
    std::optional<FabricColor> m_before;                     ///< of showLoads(): the colors to go back to
    std::optional<FabricColor> m_beforeMeasured;             ///< of followMeasured(), likewise
    bool m_showLoads = false;                                ///< loads are wanted as soon as there are some
    bool m_stale = true, m_filling = false, m_fresh = false; ///< fresh: another design was loaded
};

} // namespace hw::views
