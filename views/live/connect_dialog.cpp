// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/connect_dialog.h"

#include "views/live/keychain.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QToolButton>

namespace hw::views {

namespace {

using Kind = LiveRequest::Kind;

std::filesystem::path pathOf(const QLineEdit* edit) { return edit->text().trimmed().toStdString(); }

QLabel* heading(const QString& title)
{
    auto* label = new QLabel(title);
    label->setProperty("role", "section");
    return label;
}

} // namespace

ConnectDialog::ConnectDialog(QWidget* parent)
    : QDialog(parent), m_kind(new QComboBox), m_url(new QLineEdit), m_user(new QLineEdit), m_password(new QLineEdit), m_credentials(new QLineEdit),
      m_ca(new QLineEdit), m_certificate(new QLineEdit), m_key(new QLineEdit), m_record(new QLineEdit), m_mappings(new QLineEdit),
      m_interval(new QDoubleSpinBox), m_remember(new QCheckBox(tr("Store in the desktop keychain"))),
      m_keep(new QCheckBox(tr("Store a history next to the project"))), m_rawDays(new QSpinBox), m_stepDays(new QSpinBox), m_problem(new QLabel),
      m_connect(nullptr), m_form(new QFormLayout)
{
    setWindowTitle(tr("Connect to live hall"));
    build();
    read();
    for (const QLineEdit* edit : {m_url, m_user, m_password, m_credentials, m_ca, m_certificate, m_key, m_record, m_mappings})
        connect(edit, &QLineEdit::textChanged, this, &ConnectDialog::refresh);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &ConnectDialog::refresh);
    connect(m_keep, &QCheckBox::toggled, this, &ConnectDialog::refresh);
    connect(m_rawDays, &QSpinBox::valueChanged, this, &ConnectDialog::refresh);
    connect(m_stepDays, &QSpinBox::valueChanged, this, &ConnectDialog::refresh);
    for (const QLineEdit* edit : {m_url, m_user}) connect(edit, &QLineEdit::editingFinished, this, &ConnectDialog::lookUpPassword);
    refresh();
    fitToScreen(*this, {620, 640});
    m_url->setFocus();
}

QWidget* ConnectDialog::fileField(QLineEdit* edit, const QString& title, bool save)
{
    auto* box = new QWidget;
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* button = new QToolButton;
    button->setIcon(icon("open"));
    button->setToolTip(title);
    button->setAccessibleName(title);
    layout->addWidget(edit, 1);
    layout->addWidget(button);
    connect(button, &QToolButton::clicked, this, [this, edit, title, save] {
        const QString file = save ? QFileDialog::getSaveFileName(this, title, edit->text()) : QFileDialog::getOpenFileName(this, title, edit->text());
        if (!file.isEmpty()) edit->setText(file);
    });
    return box;
}

void ConnectDialog::build()
{
    for (const auto& [title, kind] : {std::pair(tr("MQTT broker (DSX Exchange, BMS)"), Kind::Mqtt),
                                      {tr("Prometheus or a metrics endpoint"), Kind::Prometheus},
                                      {tr("Redfish service"), Kind::Redfish}})
        m_kind->addItem(title, int(kind));
    m_url->setObjectName("liveUrl");
    m_kind->setObjectName("liveKind");
    m_user->setObjectName("liveUser");
    m_password->setObjectName("livePassword");
    m_password->setEchoMode(QLineEdit::Password);
    m_interval->setRange(1, 3600);
    m_interval->setDecimals(0);
    m_interval->setSuffix(tr(" s"));
    for (QSpinBox* days : {m_rawDays, m_stepDays}) {
        days->setRange(1, 3650);
        days->setSuffix(tr(" days"));
    }
    m_credentials->setPlaceholderText(tr("environment, ~/.config/hallwright/credentials.yaml"));
    m_ca->setPlaceholderText(tr("system certificates"));
    m_certificate->setPlaceholderText(tr("none"));
    m_key->setPlaceholderText(tr("none"));
    m_record->setPlaceholderText(tr("not recorded"));
    m_mappings->setPlaceholderText(tr("mappings included with Hallwright; separate several files with semicolons"));
    m_mappings->setObjectName("liveMappings");
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->addRow(heading(tr("Source")));
    m_form->addRow(tr("&Kind"), m_kind);
    m_form->addRow(tr("&URL"), m_url);
    m_form->addRow(tr("&Polling interval"), m_interval);
    m_form->addRow(tr("&Mapping files"), fileField(m_mappings, tr("Data to query or topics to subscribe to")));
    m_form->addRow(heading(tr("Credentials")));
    m_form->addRow(tr("U&ser"), m_user);
    m_form->addRow(tr("&Password"), m_password);
    m_form->addRow(QString(), m_remember);
    m_form->addRow(tr("or credentials &file"), fileField(m_credentials, tr("Credentials file")));
    m_form->addRow(tr("C&A certificate"), fileField(m_ca, tr("Certificates for verifying servers")));
    m_form->addRow(tr("C&lient certificate"), fileField(m_certificate, tr("Client certificate")));
    m_form->addRow(tr("Client ke&y"), fileField(m_key, tr("Private key of the client certificate")));
    m_form->addRow(heading(tr("Retention")));
    m_form->addRow(QString(), m_keep);
    m_form->addRow(tr("Keep raw samples for"), m_rawDays);
    m_form->addRow(tr("Keep one-minute averages for"), m_stepDays);
    m_form->addRow(tr("&Record to"), fileField(m_record, tr("Recording file"), true));
    auto* content = new QWidget;
    content->setLayout(m_form);
    m_problem->setObjectName("liveProblem");
    m_problem->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_connect = buttons->addButton(tr("&Connect"), QDialogButtonBox::AcceptRole);
    m_connect->setObjectName("liveConnect");
    m_connect->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &ConnectDialog::onAccept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(new FittingArea(content), 1);
    auto* note = new QLabel(tr("Hallwright is read-only: it publishes nothing and controls nothing."));
    note->setProperty("role", "faint");
    note->setWordWrap(true);
    layout->addWidget(note);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
}

LiveRequest ConnectDialog::request() const
{
    LiveRequest r;
    r.kind = Kind(m_kind->currentData().toInt());
    r.url = m_url->text().trimmed().toStdString();
    r.user = m_user->text().trimmed().toStdString();
    r.password = m_password->text().toStdString();
    r.credentials = pathOf(m_credentials);
    r.ca = pathOf(m_ca);
    r.certificate = pathOf(m_certificate);
    r.key = pathOf(m_key);
    for (const QString& file : m_mappings->text().split(';', Qt::SkipEmptyParts))
        if (const QString name = file.trimmed(); !name.isEmpty()) r.mappings.emplace_back(name.toStdString());
    r.intervalS = m_interval->value();
    r.keep = m_keep->isChecked();
    r.rawDays = m_rawDays->value();
    r.stepDays = m_stepDays->value();
    r.record = pathOf(m_record);
    return r;
}

void ConnectDialog::setRequest(const LiveRequest& r)
{
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(int(r.kind))));
    m_url->setText(text(r.url));
    m_user->setText(text(r.user));
    m_password->setText(text(r.password));
    for (const auto& [edit, path] :
         {std::pair(m_credentials, &r.credentials), {m_ca, &r.ca}, {m_certificate, &r.certificate}, {m_key, &r.key}, {m_record, &r.record}})
        edit->setText(text(path->string()));
    QStringList mappings;
    for (const auto& file : r.mappings) mappings << text(file.string());
    m_mappings->setText(mappings.join("; "));
    m_interval->setValue(r.intervalS);
    m_keep->setChecked(r.keep);
    if (r.rawDays > 0) setRetention(r.rawDays, r.stepDays);
}

void ConnectDialog::setRetention(int rawDays, int stepDays)
{
    m_stepDays->setValue(stepDays); // first: it is at least as long
    m_rawDays->setValue(rawDays);
}

void ConnectDialog::refresh()
{
    const Kind kind = Kind(m_kind->currentData().toInt());
    m_url->setPlaceholderText(kind == Kind::Mqtt         ? "mqtts://broker:8883"    // no text
                              : kind == Kind::Prometheus ? "http://prometheus:9090" // no text
                                                         : "https://redfish");      // no text
    m_form->labelForField(m_interval)->setEnabled(kind != Kind::Mqtt);
    m_interval->setEnabled(kind != Kind::Mqtt);
    m_remember->setEnabled(!m_password->text().isEmpty());
    for (QSpinBox* days : {m_rawDays, m_stepDays}) days->setEnabled(m_keep->isChecked());
    const auto ok = checked(request());
    m_connect->setEnabled(ok.has_value());
    const bool empty = m_url->text().trimmed().isEmpty();
    m_problem->setText(ok || empty ? QString() : text(ok.error().text()));
    m_problem->setStyleSheet(QString("color: %1").arg(theme().warning.name())); // no text
}

void ConnectDialog::lookUpPassword()
{
    const QString url = m_url->text().trimmed(), user = m_user->text().trimmed();
    if (user.isEmpty() || !m_password->text().isEmpty() || !checked(request())) return;
    readPassword(this, url, user, [this, url, user](const QString& password) {
        if (m_password->text().isEmpty() && url == m_url->text().trimmed() && user == m_user->text().trimmed()) m_password->setText(password);
    });
}

void ConnectDialog::onAccept()
{
    if (!checked(request())) return;
    write();
    if (m_remember->isChecked() && !m_password->text().isEmpty()) // it is kept whether or not this dialog still is there
        storePassword(parent() ? parent() : this, m_url->text().trimmed(), m_user->text().trimmed(), m_password->text(), [](bool) {});
    accept();
}

/// Everything but the password.
void ConnectDialog::read()
{
    const QSettings settings;
    LiveRequest r;
    r.kind = Kind(settings.value("live/kind", 0).toInt());
    const auto string = [&](const char* key) { return settings.value(key).toString().toStdString(); };
    r.url = string("live/url"), r.user = string("live/user");
    r.credentials = string("live/credentials"), r.ca = string("live/ca"), r.certificate = string("live/certificate"), r.key = string("live/key");
    for (const QString& file : settings.value("live/mappings").toStringList()) r.mappings.emplace_back(file.toStdString());
    r.intervalS = settings.value("live/interval", r.intervalS).toDouble();
    r.keep = settings.value("live/keep", r.keep).toBool();
    setRequest(r);
    setRetention(7, 400);
    lookUpPassword();
}

void ConnectDialog::write() const
{
    const LiveRequest r = request();
    QSettings settings;
    settings.setValue("live/kind", int(r.kind));
    for (const auto& [key, value] : {std::pair("live/url", r.url),
                                     {"live/user", r.user},
                                     {"live/credentials", r.credentials.string()},
                                     {"live/ca", r.ca.string()},
                                     {"live/certificate", r.certificate.string()},
                                     {"live/key", r.key.string()}})
        settings.setValue(key, text(value));
    QStringList mappings;
    for (const auto& file : r.mappings) mappings << text(file.string());
    settings.setValue("live/mappings", mappings);
    settings.setValue("live/interval", r.intervalS);
    settings.setValue("live/keep", r.keep);
}

} // namespace hw::views
