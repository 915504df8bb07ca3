// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that fills the command palette with what is neither an object nor a command.
#include "app/window/central_area.h"
#include "app/window/dialogs/documentation.h"
#include "app/window/dialogs/guide.h"
#include "app/window/dialogs/settings_dialog.h"
#include "app/window/dialogs/shortcuts_dialog.h"
#include "app/window/main_window.h"
#include "core/derived/rules/rule.h"
#include "core/design/edit/settings_check.h"
#include "views/panels/catalog_panel.h"
#include "views/panels/find_palette.h"
#include "views/panels/findings_panel.h"
#include "views/panels/settings_form.h"
#include "views/style/format.h"
#include "views/style/icons.h"

#include <QApplication>
#include <QDockWidget>

namespace hw::app {

using views::PaletteEntry;
using views::PaletteScope;

void MainWindow::addPartTypes(std::vector<PaletteEntry>& entries)
{
    auto* catalog = qobject_cast<views::CatalogPanel*>(panel("catalog"));
    if (!catalog) return;
    for (const auto& [slug, model, group] : catalog->partTypes())
        entries.push_back({PaletteScope::PartType, model, slug + "   " + group, views::icon("layers"), [this, catalog, slug = slug] {
                               raisePanel("catalog");
                               catalog->showPart(slug);
                           }});
}

void MainWindow::addSettings(std::vector<PaletteEntry>& entries)
{
    const Snapshot& s = *m_session.bridge().snapshot();
    for (const Setting& setting : edit::knownSettings(s)) {
        const QString key = views::text(setting.key), value = views::text(s.setting(setting.key, setting.fallback));
        const QString unit = value.isEmpty() || setting.unit.empty() ? QString() : " " + views::text(setting.unit);
        entries.push_back({PaletteScope::Setting, views::text(setting.label), value + unit + "   " + views::text(setting.group) + "   " + key,
                           views::icon("settings"), [this, key] {
                               auto* dialog = new SettingsDialog(m_session, this);
                               dialog->setAttribute(Qt::WA_DeleteOnClose);
                               dialog->open();
                               dialog->showSetting(key);
                           }});
    }
}

void MainWindow::addRules(std::vector<PaletteEntry>& entries)
{
    for (const Rule& rule : allRules()) {
        const QString id = QString::fromUtf8(rule.id.data(), qsizetype(rule.id.size()));
        std::size_t open = 0;
        if (const auto& check = m_session.bridge().findings())
            open = std::size_t(std::ranges::count_if(check->findings, [&](const Finding& f) { return f.rule == rule.id && !f.waived; }));
        entries.push_back({PaletteScope::Rule, id + "  " + views::text(rule.title),
                           views::text(i18np(std::int64_t(open), "{:L} open finding", "{:L} open findings")),
                           views::icon(open > 0 ? "warning" : "ok"), [this, id] {
                               raisePanel("findings");
                               if (auto* findings = qobject_cast<views::FindingsPanel*>(panel("findings"))) findings->showRule(id);
                           }});
    }
}

void MainWindow::addHelp(std::vector<PaletteEntry>& entries)
{
    for (const HelpTopic& topic : helpTopics())
        entries.push_back({PaletteScope::Help, topic.section.isEmpty() ? topic.page : topic.section, topic.section.isEmpty() ? QString() : topic.page,
                           views::icon("info"), [this, topic] { showDocumentation()->showTopic(topic); }});
    for (const auto& [where, how, what] : ShortcutsDialog::gestures())
        entries.push_back({PaletteScope::Help, what, how + "   " + where, views::icon("info"), [this, what = what] {
                               auto* dialog = new ShortcutsDialog(allActions(), this);
                               dialog->setAttribute(Qt::WA_DeleteOnClose);
                               dialog->open();
                               dialog->search(what);
                           }});
}

/// A modal dialog blocks the help of the window, so it has its own.
DocumentationDialog* MainWindow::showDocumentation()
{
    QWidget* modal = QApplication::activeModalWidget();
    QWidget* owner = modal ? modal : this;
    auto* dialog = owner->findChild<DocumentationDialog*>(QString(), Qt::FindDirectChildrenOnly);
    if (!dialog) dialog = new DocumentationDialog(owner);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
    return dialog;
}

void MainWindow::showGuide()
{
    const QString page = guidePageOf(focusedPlace());
    showDocumentation()->showGuide(page);
}

/// The dialog, the start page, or the panel or pane with the keyboard focus; empty: none of them.
std::string MainWindow::focusedPlace() const
{
    const QWidget* modal = QApplication::activeModalWidget();
    const QWidget* window = modal ? modal : QApplication::activeWindow();
    if (qobject_cast<const QDialog*>(window)) return QString(window->metaObject()->className()).section("::", -1).toStdString();
    if (startShown()) return "start";
    for (const QWidget* at = QApplication::focusWidget(); at; at = at->parentWidget()) {
        for (const auto& [name, box] : m_docks)
            if (box == at) return name.toStdString();
        for (const char* name : {"twin", "plan", "elevation", "fabric", "power", "cooling"})
            if (m_central->pane(name) == at) return name;
    }
    return {};
}

void MainWindow::openFind()
{
    QList<QAction*> actions;
    for (const auto& [id, action] : m_actions)
        if (id != "edit.find") actions << action;
    std::vector<PaletteEntry> others;
    if (m_session.bridge().figures() && !startShown()) {
        if (m_session.hasLibrary()) addPartTypes(others);
        addSettings(others);
        addRules(others);
    }
    addHelp(others);
    m_find->open(actions, std::move(others));
}

} // namespace hw::app
