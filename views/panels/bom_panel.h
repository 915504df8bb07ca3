// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/following_view.h"

#include "core/output/exchange/bom_sections.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace hw::views {

class ListView;

/// The bill of materials, live: quantity, part, unit price with its trust, sum; or the sums of its parts by system, phase
/// or building. While something is
/// being dragged, changed lines show by how much.
class BomPanel : public QWidget {
    Q_OBJECT
public:
    explicit BomPanel(DocumentBridge& bridge, QWidget* parent = nullptr);
    [[nodiscard]] ListView* list() const { return m_list; }
    [[nodiscard]] Money total() const { return m_total; }

signals:
    void exportRequested();

private:
    void refresh();
    struct Shown {
        Bom bom;
        std::optional<BomSections> sections; ///< none: line by line
    };
    void show(const Shown& shown);
    DocumentBridge& m_bridge;
    ListView* m_list;
    QLabel* m_sum;
    QComboBox* m_by;
    FollowingView m_following;
    Money m_total;
};

} // namespace hw::views
