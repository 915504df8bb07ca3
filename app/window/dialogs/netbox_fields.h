// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // first: moc stumbles over <compare> as the first header

#include "core/output/exchange/formats.h"
#include "importers/telemetry/access.h"

class QLineEdit;
class QRadioButton;

namespace hw::app {

/// A NetBox server: address, and a token that is typed here or comes from the environment or a credentials file. A typed token is kept in memory
/// alone; address and file are remembered in the settings of the program.
class NetboxFields : public QWidget {
    Q_OBJECT
public:
    explicit NetboxFields(QWidget* parent = nullptr);
    [[nodiscard]] std::string url() const;
    [[nodiscard]] std::string credentials() const;
    /// While it lives, requests to the server carry the token that is typed here.
    [[nodiscard]] std::shared_ptr<const telemetry::TypedToken> token() const;
    void remember() const;

signals:
    void changed();

private:
    void tellToken();
    QLineEdit *m_url, *m_token, *m_credentials;
};

/// Where an installation is read from: a server, a folder of exported lists, or the files themselves.
class NetboxSource : public QWidget {
    Q_OBJECT
public:
    explicit NetboxSource(QWidget* parent = nullptr);
    [[nodiscard]] bool isServer() const;
    [[nodiscard]] const NetboxFields& server() const { return *m_server; }
    /// Without contents: the importer reads servers and folders itself. Empty: nothing is stated yet.
    [[nodiscard]] std::vector<std::string> paths() const;
    [[nodiscard]] QString name() const; ///< for people

signals:
    void changed();

private:
    QRadioButton *m_byServer, *m_byFiles;
    NetboxFields* m_server;
    QWidget* m_files;
    QLineEdit* m_path; ///< several files with semicolons between
};

} // namespace hw::app
