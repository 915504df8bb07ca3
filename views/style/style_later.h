// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace hw::views {

/// While it lives, the application has no style sheet, unless a window shows. With one, Qt styles a widget and all below it again each time that it
/// gets a parent: a third of the time of making the main window. Nothing may be measured meanwhile.
class StyleLater {
public:
    StyleLater();
    ~StyleLater();
    StyleLater(const StyleLater&) = delete;
    StyleLater& operator=(const StyleLater&) = delete;

private:
    QString m_sheet;
};

} // namespace hw::views
