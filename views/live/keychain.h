// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <functional>

namespace hw::views {

/// Passwords in the desktop's keychain, by address and user. Answers come by the event loop; where there is no keychain, `found` gets nothing
/// and `stored` false. `owner` gone: nobody is called.
void readPassword(QObject* owner, const QString& address, const QString& user, std::function<void(QString)> found);
void storePassword(QObject* owner, const QString& address, const QString& user, const QString& password, std::function<void(bool)> stored);

} // namespace hw::views
