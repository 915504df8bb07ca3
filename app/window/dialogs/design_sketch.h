// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"
#include "views/fabric/render.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;

namespace hw::app {

/// A design that does not exist yet: its networks drawn, and how many accelerators each of its limits carries. For the assistant.
class DesignSketch : public QWidget {
    Q_OBJECT
public:
    DesignSketch(views::Jobs& jobs, std::shared_ptr<const Catalog> catalog, QWidget* parent = nullptr);
    ~DesignSketch() override;
    void show(const FiguresPtr& figures); ///< null: nothing to draw
    [[nodiscard]] bool drawn() const { return m_page.has_value(); }
    [[nodiscard]] QString limitsText() const;

private:
    class Sheet;
    void fillNetworks();
    void draw();
    void findLimits();

    views::Jobs& m_jobs;
    QString m_slot;
    std::shared_ptr<const Catalog> m_catalog;
    FiguresPtr m_figures;
    std::optional<views::FabricPage> m_page;
    QComboBox* m_networks;
    Sheet* m_sheet;
    QLabel* m_limits;
};

} // namespace hw::app
