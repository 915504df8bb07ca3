// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/theme.h"

#include "core/foundation/base/language.h"

#include "views/style/load_map.h"
#include "views/style/style_sheet.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPalette>
#include <QStyleFactory>

#include <cmath>

/// The resources live in a static library, so nothing else pulls them in (a macro for global scope).
static void initResources()
{
    Q_INIT_RESOURCE(icons);
    Q_INIT_RESOURCE(styles);
}

namespace hw::views {
namespace {

Theme g_theme = makeTheme(ThemeKind::Dark);
thread_local const Theme* t_paper = nullptr; ///< what this thread draws on paper with
constexpr double kPixelsPerPoint = 96.0 / 72;

Theme darkTheme()
{
    Theme t;
    t.kind = ThemeKind::Dark;
    t.window = "#0f1319", t.panel = "#161b23", t.raised = "#1e2530", t.field = "#10151c", t.hover = "#232b38";
    t.border = "#262e3b", t.borderStrong = "#3a4556";
    t.text = "#e4e9f1", t.textDim = "#98a4b5", t.textFaint = "#7f8b9d";
    t.accent = "#4f9dff", t.accentText = "#08111f", t.accentSoft = "#1b3556";
    t.ok = "#3fbf85", t.warning = "#e6a93c", t.error = "#f0625a";
    t.canvas = "#0c1016", t.floor = "#141a22", t.grid = "#1a212b", t.gridStrong = "#232c38";
    t.server = "#8494a4", t.backup = "#5a6876", t.network = "#4596db", t.fabric = "#8f7be0", t.support = "#5fb08a", t.facility = "#857e70",
    t.tray = "#a98a55";
    return t;
}

Theme lightTheme()
{
    Theme t;
    t.kind = ThemeKind::Light;
    t.window = "#eef1f5", t.panel = "#ffffff", t.raised = "#f4f6f9", t.field = "#ffffff", t.hover = "#e9eef6";
    t.border = "#d8dee7", t.borderStrong = "#b4bfcd";
    t.text = "#18212e", t.textDim = "#566273", t.textFaint = "#717c8b";
    t.accent = "#1769d6", t.accentText = "#ffffff", t.accentSoft = "#d8e7fb";
    t.ok = "#1d8a5a", t.warning = "#b97509", t.error = "#cc3a32";
    t.canvas = "#f3f5f8", t.floor = "#ffffff", t.grid = "#eaeef3", t.gridStrong = "#dbe2ea";
    t.server = "#9aa6b2", t.backup = "#c3ccd5", t.network = "#3e86c6", t.fabric = "#7462bd", t.support = "#62a587", t.facility = "#bdb6a6",
    t.tray = "#c29a55";
    return t;
}

QPalette paletteOf(const Theme& t)
{
    QPalette p;
    p.setColor(QPalette::Window, t.window);
    p.setColor(QPalette::WindowText, t.text);
    p.setColor(QPalette::Base, t.panel);
    p.setColor(QPalette::AlternateBase, t.raised);
    p.setColor(QPalette::Text, t.text);
    p.setColor(QPalette::PlaceholderText, t.textFaint);
    p.setColor(QPalette::Button, t.raised);
    p.setColor(QPalette::ButtonText, t.text);
    p.setColor(QPalette::BrightText, t.error);
    p.setColor(QPalette::Highlight, t.accent);
    p.setColor(QPalette::HighlightedText, t.accentText);
    p.setColor(QPalette::Link, t.accent);
    p.setColor(QPalette::ToolTipBase, t.raised);
    p.setColor(QPalette::ToolTipText, t.text);
    p.setColor(QPalette::Light, t.borderStrong);
    p.setColor(QPalette::Mid, t.border);
    p.setColor(QPalette::Dark, t.border);
    for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) p.setColor(QPalette::Disabled, role, t.textFaint);
    return p;
}

QFont applicationFont(QFont font)
{
    const QStringList families = QFontDatabase::families();
    for (const char* family : {"Inter", "Noto Sans", "DejaVu Sans"}) {
        if (!families.contains(QLatin1String(family))) continue;
        QStringList chosen{QLatin1String(family)};
        if (language().name().starts_with("zh")) chosen << QStringLiteral("Noto Sans CJK SC"); // by default the Japanese forms of its glyphs
        font.setFamilies(chosen);
        break;
    }
    font.setPointSizeF(9.5);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

} // namespace

const Theme& theme() { return t_paper ? *t_paper : g_theme; }

PaperScope::PaperScope() : m_before(t_paper)
{
    static const Theme paper = [] {
        Theme t = makeTheme(ThemeKind::Light);
        t.canvas = "#ffffff", t.floor = "#f6f8fa", t.panel = "#ffffff";
        return t;
    }();
    t_paper = &paper;
}
PaperScope::~PaperScope() { t_paper = m_before; }
bool onPaper() { return t_paper != nullptr; }

Theme makeTheme(ThemeKind kind) { return kind == ThemeKind::Dark ? darkTheme() : lightTheme(); }

void applyTheme(QApplication& application, ThemeKind kind)
{
    g_theme = makeTheme(kind);
    static const QFont font = applicationFont(QApplication::font());
    if (!application.property("hwStyled").toBool()) {
        application.setProperty("hwStyled", true);
        initResources();
        QApplication::setStyle(QStyleFactory::create("Fusion"));
        QApplication::setFont(font);
    }
    QApplication::setPalette(paletteOf(g_theme));
    application.setStyleSheet(styleSheet(g_theme));
}

QFont monoFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

QFont scaledFont(double factor, int weight)
{
    QFont font = QApplication::font();
    if (t_paper) {
        font.setPixelSize(std::max(1, int(std::lround(font.pointSizeF() * factor * kPixelsPerPoint))));
        font.setStyleStrategy(QFont::PreferNoShaping); // contextual forms of signs have no characters to search for
    } else {
        font.setPointSizeF(font.pointSizeF() * factor);
    }
    font.setWeight(QFont::Weight(weight));
    return font;
}

int space(int steps)
{
    static const double unit = QFontMetricsF(QApplication::font()).height() / 4.0;
    return int(std::lround(unit * steps));
}

QColor mapColor(double share) { return QColor::fromRgb(loadMapRgb(share, theme().dark())); }

QColor withOpacity(QColor color, double opacity)
{
    color.setAlphaF(float(opacity));
    return color;
}

QColor loadColor(double share)
{
    if (share > 1.0) return theme().error;
    return share > 0.9 ? theme().warning : theme().ok;
}

} // namespace hw::views
