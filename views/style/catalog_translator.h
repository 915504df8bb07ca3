// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTranslator>

namespace hw::views {

/// Gives tr() the words of the process's language, from the same catalog as a Text. Plurals go through i18np.
class CatalogTranslator final : public QTranslator {
    Q_OBJECT
public:
    using QTranslator::QTranslator;
    QString translate(const char* context, const char* source, const char* disambiguation = nullptr, int n = -1) const override;
    bool isEmpty() const override { return false; }
};

/// For the application, before any widget: the language of the environment for core and window.
void installLanguage();

} // namespace hw::views
