// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/port_pairs.h"
#include "views/bridge/dialog_preview.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace hw::app {

/// Connects ports: by hand, by ranges ("host[h=001-016]:nic[r=1-8]p1" to "leaf-[r]:port[h]"), from a pasted table, or the free ports of two
/// selected devices. The design shows the links while the dialog is open; they become one undo step.
class ConnectPortsDialog : public QDialog {
    Q_OBJECT
public:
    explicit ConnectPortsDialog(views::DocumentBridge& bridge, QWidget* parent = nullptr);
    [[nodiscard]] const std::vector<edit::PortPair>& pairs() const { return m_pairs; }

public slots:
    void accept() override;

private:
    void addByRanges();
    void paste();
    void matchFreePorts();
    void removeChosen();
    void onTyped(int row, int column);
    void add(std::vector<edit::PortPair> pairs);
    void check(); ///< tries all pairs on the design as it was
    void refresh();

    views::DocumentBridge& m_bridge;
    views::DialogPreview m_preview;
    std::vector<edit::PortPair> m_pairs;
    std::vector<DeviceId> m_devices; ///< two that were selected; else none
    std::size_t m_connected = 0;
    bool m_filling = false;
    QLineEdit *m_from, *m_to;
    QTableWidget* m_table;
    QLabel* m_state;
    QPushButton* m_apply;
};

} // namespace hw::app
