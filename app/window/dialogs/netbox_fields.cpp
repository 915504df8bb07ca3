// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/netbox_fields.h"

#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QToolButton>

namespace hw::app {

using views::space;
using views::text;

namespace {

QHBoxLayout* plainRow()
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space(2));
    return row;
}

} // namespace

NetboxFields::NetboxFields(QWidget* parent)
    : QWidget(parent), m_url(new QLineEdit(QSettings().value("netbox/url").toString())), m_token(new QLineEdit),
      m_credentials(new QLineEdit(QSettings().value("netbox/credentials").toString()))
{
    m_url->setObjectName("netboxUrl");
    m_url->setAccessibleName(tr("Server URL"));
    m_url->setPlaceholderText("https://netbox.example.com"); // no text
    m_token->setObjectName("netboxToken");
    m_token->setAccessibleName(tr("Token"));
    m_token->setEchoMode(QLineEdit::Password);
    m_token->setToolTip(tr("Not stored; empty: HALLWRIGHT_NETBOX_TOKEN or the credentials file"));
    m_credentials->setObjectName("credentials");
    m_credentials->setAccessibleName(tr("Credentials file"));
    m_credentials->setPlaceholderText("~/.config/hallwright/credentials.yaml"); // no text
    auto* browse = new QToolButton;
    browse->setIcon(views::icon("open"));
    browse->setToolTip(tr("Credentials file"));
    browse->setAccessibleName(tr("Choose credentials file"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setVerticalSpacing(space(1));
    auto* file = plainRow();
    file->addWidget(m_credentials, 1);
    file->addWidget(browse);
    form->addRow(tr("Server &URL"), m_url);
    form->addRow(tr("&Token"), m_token);
    form->addRow(tr("Credentials file"), file);
    connect(browse, &QToolButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Credentials file"), m_credentials->text());
        if (!path.isEmpty()) m_credentials->setText(path);
    });
    for (QLineEdit* line : {m_url, m_token, m_credentials}) connect(line, &QLineEdit::textChanged, this, &NetboxFields::changed);
    for (QLineEdit* line : {m_url, m_credentials}) connect(line, &QLineEdit::textChanged, this, &NetboxFields::tellToken);
    tellToken();
}

std::string NetboxFields::url() const { return m_url->text().trimmed().toStdString(); }
std::string NetboxFields::credentials() const { return m_credentials->text().trimmed().toStdString(); }

std::shared_ptr<const telemetry::TypedToken> NetboxFields::token() const
{
    return std::make_shared<const telemetry::TypedToken>(url(), "netbox", m_token->text().trimmed().toStdString());
}

void NetboxFields::remember() const
{
    QSettings settings;
    settings.setValue("netbox/url", m_url->text().trimmed());
    settings.setValue("netbox/credentials", m_credentials->text().trimmed());
}

/// Where the token comes from while none is typed.
void NetboxFields::tellToken()
{
    if (qEnvironmentVariableIsSet("HALLWRIGHT_NETBOX_TOKEN")) return m_token->setPlaceholderText(tr("from HALLWRIGHT_NETBOX_TOKEN"));
    const auto access = telemetry::accessOf(url(), "netbox", credentials());
    m_token->setPlaceholderText(access && !access->token.empty() ? tr("from the credentials file") : tr("API token"));
}

NetboxSource::NetboxSource(QWidget* parent)
    : QWidget(parent), m_byServer(new QRadioButton(tr("NetBox &server"))), m_byFiles(new QRadioButton(tr("&Exported lists"))),
      m_server(new NetboxFields), m_files(new QWidget), m_path(new QLineEdit)
{
    m_byServer->setObjectName("netboxServer");
    m_byFiles->setObjectName("netboxFiles");
    m_path->setObjectName("netboxPath");
    m_path->setAccessibleName(tr("Folder or files"));
    m_path->setPlaceholderText(tr("Folder of CSV or JSON lists, or files separated by semicolons"));
    auto* folder = new QPushButton(tr("&Folder …"));
    auto* files = new QPushButton(tr("Fi&les …"));
    folder->setAutoDefault(false), files->setAutoDefault(false);
    auto* row = new QHBoxLayout(m_files);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_path, 1);
    row->addWidget(folder);
    row->addWidget(files);
    auto* kinds = plainRow();
    kinds->addWidget(m_byServer);
    kinds->addWidget(m_byFiles);
    kinds->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space(2));
    column->addLayout(kinds);
    column->addWidget(m_server);
    column->addWidget(m_files);
    m_byServer->setChecked(true);
    m_files->hide();
    connect(m_byServer, &QRadioButton::toggled, this, [this](bool server) {
        m_server->setVisible(server), m_files->setVisible(!server);
        emit changed();
    });
    connect(m_server, &NetboxFields::changed, this, &NetboxSource::changed);
    connect(m_path, &QLineEdit::textChanged, this, &NetboxSource::changed);
    connect(folder, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getExistingDirectory(this, tr("Folder of exported lists"), m_path->text());
        if (!path.isEmpty()) m_path->setText(path);
    });
    connect(files, &QPushButton::clicked, this, [this] {
        const QStringList paths = QFileDialog::getOpenFileNames(this, tr("Exported lists"), {}, tr("Lists (*.csv *.json *.tsv *.gz);;All files (*)"));
        if (!paths.isEmpty()) m_path->setText(paths.join("; "));
    });
}

bool NetboxSource::isServer() const { return m_byServer->isChecked(); }

std::vector<std::string> NetboxSource::paths() const
{
    std::vector<std::string> all;
    if (isServer()) {
        if (std::string url = m_server->url(); !url.empty()) all.push_back(std::move(url));
        return all;
    }
    for (const QString& part : m_path->text().split(';', Qt::SkipEmptyParts))
        if (const QString path = part.trimmed(); !path.isEmpty()) all.push_back(path.toStdString());
    return all;
}

QString NetboxSource::name() const
{
    const auto all = paths();
    if (all.size() > 1) return text(i18np(all.size(), "{:L} file", "{:L} files"));
    if (all.empty() || isServer()) return all.empty() ? QString() : text(all.front());
    return QFileInfo(text(all.front())).fileName();
}

} // namespace hw::app
