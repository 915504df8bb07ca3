// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog> // before core's headers: moc cannot read <compare> as the very first one

#include "views/live/live_request.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace hw::views {

/// Asks what to follow. Remembers everything but passwords in the settings; a password it keeps in the desktop's keychain, where one is asked
/// for. Nonsense is reported as it is typed and cannot be sent.
class ConnectDialog : public QDialog {
    Q_OBJECT
public:
    explicit ConnectDialog(QWidget* parent = nullptr);
    [[nodiscard]] LiveRequest request() const;
    void setRequest(const LiveRequest& request);
    void setRetention(int rawDays, int stepDays); ///< what the project says

private:
    void build();
    void refresh();
    void onAccept();
    void lookUpPassword();
    void read();
    void write() const;
    [[nodiscard]] QWidget* fileField(QLineEdit* edit, const QString& title, bool save = false);

    QComboBox* m_kind;
    QLineEdit *m_url, *m_user, *m_password, *m_credentials, *m_ca, *m_certificate, *m_key, *m_record, *m_mappings;
    QDoubleSpinBox* m_interval;
    QCheckBox *m_remember, *m_keep;
    QSpinBox *m_rawDays, *m_stepDays;
    QLabel* m_problem;
    QPushButton* m_connect;
    QFormLayout* m_form;
};

} // namespace hw::views
