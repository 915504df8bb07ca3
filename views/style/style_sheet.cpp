// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/style_sheet.h"

#include "views/style/theme.h"

#include <QFile>

namespace hw::views {

QString styleSheet(const Theme& t)
{
    QFile file(":/styles/hallwright.qss");
    if (!file.open(QIODevice::ReadOnly)) return {};
    QString sheet = QString::fromUtf8(file.readAll());
    const std::pair<const char*, QString> values[] = {{"@window@", t.window.name()},
                                                      {"@panel@", t.panel.name()},
                                                      {"@raised@", t.raised.name()},
                                                      {"@field@", t.field.name()},
                                                      {"@hover@", t.hover.name()},
                                                      {"@border@", t.border.name()},
                                                      {"@borderStrong@", t.borderStrong.name()},
                                                      {"@text@", t.text.name()},
                                                      {"@textDim@", t.textDim.name()},
                                                      {"@textFaint@", t.textFaint.name()},
                                                      {"@accent@", t.accent.name()},
                                                      {"@accentText@", t.accentText.name()},
                                                      {"@accentSoft@", t.accentSoft.name()},
                                                      {"@warning@", t.warning.name()},
                                                      {"@error@", t.error.name()},
                                                      {"@scheme@", t.dark() ? "dark" : "light"},
                                                      {"@s1@", QString::number(space(1)) + "px"},
                                                      {"@s2@", QString::number(space(2)) + "px"},
                                                      {"@s3@", QString::number(space(3)) + "px"},
                                                      {"@small@", QString::number(scaledFont(0.9).pointSizeF(), 'f', 2) + "pt"}};
    for (const auto& [name, value] : values) sheet.replace(QLatin1String(name), value);
    return sheet;
}

} // namespace hw::views
