// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session.h"

#include <QFileInfo>
#include <QSettings>

#include <spdlog/spdlog.h>

namespace hw::app {
namespace {

constexpr int kRecent = 10;

struct Made { SnapshotPtr snapshot; FiguresPtr figures; };

std::filesystem::path native(const QString& path) { return path.toStdString(); }

} // namespace

Session::Session(QObject* parent) : QObject(parent)
{
    connect(&m_bridge, &views::DocumentBridge::documentChanged, this, &Session::stateChanged);
}

Session::~Session()
{
    m_journal.reset();
    if (m_file)
        if (auto closed = m_file->close(); !closed) spdlog::error("[session] E201 {}", closed.error().text());
}

QString Session::title() const
{
    const QString name = m_path.isEmpty() ? QString::fromStdString(m_bridge.snapshot()->setting("project.name", "Untitled")) : QFileInfo(m_path).completeBaseName();
    return name.isEmpty() ? tr("Untitled") : name;
}

bool Session::modified() const
{
    if (m_file) return m_file->savedRevision() != m_bridge.snapshot()->revision;
    return m_bridge.historyPosition() > 0;
}

Session::Durability Session::durability() const
{
    if (!m_file) return Durability::NoFile;
    if (m_storageFailed) return Durability::Failed;
    if (m_file->durableRevision() < m_bridge.snapshot()->revision) return Durability::Writing;
    return modified() ? Durability::Journaled : Durability::Saved;
}

void Session::loadLibrary()
{
    m_bridge.jobs().start<Result<Library>>("library", tr("Reading catalogue and templates"), [](const Progress&) { return Library::load(); },
                                           [this](Result<Library> library) {
                                               if (!library) return emit failed(QString::fromStdString(library.error().text()));
                                               m_library = std::move(*library);
                                               emit libraryLoaded();
                                           });
}

void Session::startDesign(const Template& design, const ParameterValues& values, SnapshotPtr made)
{
    m_bridge.jobs().start<Result<Made>>(
        "open", tr("Generating %1").arg(QString::fromStdString(design.title())),
        [design, values, made, catalogue = m_library.catalogue](const Progress& progress) -> Result<Made> {
            Result<SnapshotPtr> snapshot = made;
            if (!made) {
                auto full = design.complete(values);
                if (!full) return tl::unexpected(full.error());
                snapshot = instantiate(design, *full, *catalogue, progress);
                if (!snapshot) return tl::unexpected(snapshot.error());
            }
            return computeFigures(*snapshot, progress).map([&](FiguresPtr figures) { return Made{*snapshot, std::move(figures)}; });
        },
        [this](Result<Made> result) {
            if (!result) return emit failed(QString::fromStdString(result.error().text()));
            m_journal.reset();
            m_file.reset();
            m_path.clear();
            m_bridge.load(std::move(result->snapshot), std::move(result->figures));
            emit opened();
            emit stateChanged();
        });
}

void Session::open(const QString& path)
{
    struct Opened { std::shared_ptr<std::unique_ptr<ProjectFile>> file; FiguresPtr figures; };
    m_bridge.jobs().start<Result<Opened>>(
        "open", tr("Opening %1").arg(QFileInfo(path).fileName()),
        [path, calls = callbacks()](const Progress& progress) -> Result<Opened> {
            auto file = ProjectFile::open(native(path), calls, progress);
            if (!file) return tl::unexpected(file.error());
            auto figures = computeFigures((*file)->loaded().snapshot, progress);
            if (!figures) return tl::unexpected(figures.error());
            return Opened{std::make_shared<std::unique_ptr<ProjectFile>>(std::move(*file)), std::move(*figures)};
        },
        [this, path](Result<Opened> result) {
            if (!result) return emit failed(QString::fromStdString(result.error().text()));
            m_journal.reset();
            const LoadedProject loaded = (*result->file)->loaded();
            m_bridge.load(loaded.snapshot, result->figures);
            adopt(std::move(*result->file), path);
            emit opened();
            if (!loaded.recovery()) return;
            m_lastSaved = loaded.saved;
            emit recovered(QString::fromStdString(loaded.recoveryText()));
        });
}

void Session::adopt(std::unique_ptr<ProjectFile> file, const QString& path)
{
    m_journal.reset();
    m_file = std::move(file);
    m_file->releaseLoaded();
    m_path = path;
    m_storageFailed = false;
    m_lastSaved.reset();
    follow();
    remember(path);
    emit stateChanged();
}

/// The journal listens to the document itself, so nothing can be committed past it.
void Session::follow() { m_journal = m_bridge.journal(*m_file); }

void Session::goBackToSaved()
{
    if (!m_file || !m_lastSaved) return;
    m_journal.reset();
    m_file->discardJournal();
    m_bridge.load(std::exchange(m_lastSaved, nullptr));
    follow();
    emit stateChanged();
}

void Session::discardChanges()
{
    m_journal.reset();
    if (m_file) m_file->discardJournal();
}

void Session::save()
{
    if (!m_file) return;
    m_lastSaved.reset();
    m_file->save(m_bridge.snapshot());
    emit stateChanged();
}

void Session::saveAs(const QString& path)
{
    if (m_file && QFileInfo(path) == QFileInfo(m_path)) return save();
    using File = std::shared_ptr<std::unique_ptr<ProjectFile>>;
    const SnapshotPtr snapshot = m_bridge.snapshot();
    m_bridge.jobs().start<Result<File>>(
        "save", tr("Saving %1").arg(QFileInfo(path).fileName()),
        [path, snapshot, calls = callbacks()](const Progress& progress) -> Result<File> {
            return ProjectFile::create(native(path), snapshot, calls, progress).map([](auto file) { return std::make_shared<std::unique_ptr<ProjectFile>>(std::move(file)); });
        },
        [this, path, snapshot](Result<File> file) {
            if (!file) return emit failed(QString::fromStdString(file.error().text()));
            const SnapshotPtr now = m_bridge.snapshot();
            if (now != snapshot) { // what was done while the file was being written
                auto changes = std::make_shared<ChangeSet>(difference(*snapshot, *now, "Edited while saving"));
                changes->revisionBefore = snapshot->revision;
                changes->revisionAfter = now->revision;
                (**file)->append(std::move(changes));
            }
            adopt(std::move(**file), path);
            emit saved(path);
        });
}

ProjectFile::Callbacks Session::callbacks()
{
    const auto later = [this](auto call) { QMetaObject::invokeMethod(this, call, Qt::QueuedConnection); };
    return {[=, this](std::uint64_t) { later([this] { m_storageFailed = false; emit stateChanged(); }); },
            [=, this](std::uint64_t) { later([this] { m_storageFailed = false; emit stateChanged(); emit saved(m_path); }); },
            [=, this](const Error& error) {
                later([this, error] {
                    m_storageFailed = true;
                    emit stateChanged();
                    emit failed(QString::fromStdString(error.text()));
                });
            }};
}

QStringList Session::recentFiles() { return QSettings().value("recentFiles").toStringList(); }

void Session::remember(const QString& path)
{
    QStringList files = recentFiles();
    const QString full = QFileInfo(path).absoluteFilePath();
    files.removeAll(full);
    files.prepend(full);
    QSettings().setValue("recentFiles", files.mid(0, kRecent));
}

} // namespace hw::app
