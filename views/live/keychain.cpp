// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/keychain.h"

#include <qt6keychain/keychain.h>

namespace hw::views {

namespace {

const QString kService = QStringLiteral("Hallwright"); // no text
QString keyOf(const QString& address, const QString& user) { return user + "@" + address; }

} // namespace

void readPassword(QObject* owner, const QString& address, const QString& user, std::function<void(QString)> found)
{
    auto* job = new QKeychain::ReadPasswordJob(kService, owner);
    job->setAutoDelete(true);
    job->setKey(keyOf(address, user));
    QObject::connect(job, &QKeychain::Job::finished, owner,
                     [job, found = std::move(found)] { found(job->error() == QKeychain::NoError ? job->textData() : QString()); });
    job->start();
}

void storePassword(QObject* owner, const QString& address, const QString& user, const QString& password, std::function<void(bool)> stored)
{
    auto* job = new QKeychain::WritePasswordJob(kService, owner);
    job->setAutoDelete(true);
    job->setKey(keyOf(address, user));
    job->setTextData(password);
    QObject::connect(job, &QKeychain::Job::finished, owner, [job, stored = std::move(stored)] { stored(job->error() == QKeychain::NoError); });
    job->start();
}

} // namespace hw::views
