// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/catalog_translator.h"

#include "core/foundation/base/language.h"

#include <QCoreApplication>
#include <QLocale>

namespace hw::views {

QString CatalogTranslator::translate(const char*, const char* source, const char*, int) const
{
    const auto found = source ? hw::language().find(source) : std::nullopt;
    return found ? QString::fromStdString(*found) : QString();
}

void installLanguage()
{
    setLanguage(languageOfEnvironment());
    const std::string name = language().name();
    if (name != "en") QLocale::setDefault(QLocale(QString::fromStdString(name))); // its numbers and dates
    QCoreApplication::installTranslator(new CatalogTranslator(QCoreApplication::instance()));
}

} // namespace hw::views
