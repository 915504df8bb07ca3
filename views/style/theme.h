// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>

class QApplication;

namespace hw::views {

enum class ThemeKind { Dark, Light };

/// The colors of the window: neutral surfaces, one accent, and four states. Views read them at paint
/// time through theme(), so that changing the theme is a repaint. GUI thread only, but for paper (PaperScope).
struct Theme {
    ThemeKind kind = ThemeKind::Dark;
    QColor window, panel, raised, field, hover, border, borderStrong;
    QColor text, textDim, textFaint;
    QColor accent, accentText, accentSoft; ///< accentSoft: a tint for selected rows and buttons
    QColor ok, warning, error;
    QColor canvas, floor, grid, gridStrong;                          ///< of the drawings
    QColor server, backup, network, fabric, support, facility, tray; ///< what stands in a hall, as in the 3D view
    [[nodiscard]] bool dark() const { return kind == ThemeKind::Dark; }
};

[[nodiscard]] const Theme& theme();
[[nodiscard]] Theme makeTheme(ThemeKind kind);
/// Sets palette, style sheet, font and the value that theme() returns.
void applyTheme(QApplication& application, ThemeKind kind);

/// While it lives, its thread draws on paper: theme() is the light one there, and fonts have their size in 1/96 inch whatever the
/// screen has. Any thread.
class PaperScope {
public:
    PaperScope();
    ~PaperScope();
    PaperScope(const PaperScope&) = delete;
    PaperScope& operator=(const PaperScope&) = delete;

private:
    const Theme* m_before;
};
[[nodiscard]] bool onPaper(); ///< of this thread

/// Fixed-pitch font in the application's size, for ids and numbers in columns.
[[nodiscard]] QFont monoFont();
/// The application's font at `factor` times its size.
[[nodiscard]] QFont scaledFont(double factor, int weight = QFont::Normal);
/// One step of the spacing scale: a quarter of the line height, so that everything grows with the font.
[[nodiscard]] int space(int steps = 1);

/// Color of a share 0 … 1 (clamped) on the map that all views share, see loadMapRgb().
[[nodiscard]] QColor mapColor(double share);
/// Green, amber from 90 %, red from 100 % of a capacity.
[[nodiscard]] QColor loadColor(double share);
[[nodiscard]] QColor withOpacity(QColor color, double opacity);

} // namespace hw::views
