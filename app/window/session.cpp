// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session.h"

#include "app/window/drafts.h"
#include "core/design/build/empty_site.h"
#include "core/foundation/base/log.h"
#include "views/style/format.h"

#include <QFileInfo>
#include <QSettings>
#include <QTimer>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace hw::app {
namespace {

constexpr int kRecent = 10;
constexpr int kRestMs = 3000; ///< after a design was opened: its views and checks are made by then

struct Made {
    SnapshotPtr snapshot;
    FiguresPtr figures;
};

std::filesystem::path native(const QString& path) { return path.toStdString(); }

} // namespace

Session::Session(QObject* parent) : QObject(parent)
{
    connect(this, &Session::opened, this, &Session::giveMemoryBack);
    connect(&m_bridge, &views::DocumentBridge::documentChanged, this, [this](const ChangeEvent& event) {
        if (event.origin != ChangeOrigin::Load) {
            m_discard = false;
            if (!m_file) keepDraft();
        }
        emit stateChanged();
    });
}

Session::~Session() { leave(); }

/// What a large design leaves behind is many small pieces, which the allocator keeps. Once the window rests they go back to the system; on a
/// worker, for it takes a while.
void Session::giveMemoryBack()
{
#ifdef __GLIBC__
    QTimer::singleShot(kRestMs, this, [this] {
        m_bridge.jobs().start<int>(
            "memory", {}, [](const Progress&) { return ::malloc_trim(0); }, [](int) {});
    });
#endif
}

QString Session::title() const
{
    if (!m_readOnly.isEmpty()) return tr("%1 (read-only)").arg(QFileInfo(m_readOnly).completeBaseName());
    const QString name =
        m_path.isEmpty() ? QString::fromStdString(m_bridge.snapshot()->setting("project.name", "Untitled")) : QFileInfo(m_path).completeBaseName();
    return name.isEmpty() ? tr("Untitled") : name;
}

bool Session::modified() const
{
    if (m_file && m_draft.isEmpty()) return m_file->savedRevision() != m_bridge.snapshot()->revision;
    return m_recoveredDraft || m_bridge.historyPosition() > 0;
}

Session::Durability Session::durability() const
{
    if (!m_file) return Durability::NoFile;
    if (m_storageFailed) return Durability::Failed;
    if (m_file->durableRevision() < m_bridge.snapshot()->revision) return Durability::Writing;
    if (!m_draft.isEmpty()) return Durability::Kept;
    return modified() ? Durability::Journaled : Durability::Saved;
}

void Session::loadLibrary()
{
    m_bridge.jobs().start<Result<Library>>(
        "library", tr("Loading catalog and templates"), [](const Progress&) { return Library::load(); },
        [this](Result<Library> library) {
            if (!library) return emit failed(QString::fromStdString(library.error().text()));
            m_library = std::move(*library);
            emit libraryLoaded();
        });
}

void Session::startDesign(const Template& design, const ParameterValues& values, SnapshotPtr made, KeepDraft keep)
{
    startWith(
        tr("Generating %1").arg(views::text(resourceText(design.title()))),
        [design, values, made, catalog = m_library.catalog](const Progress& progress) -> Result<SnapshotPtr> {
            if (made) return made;
            auto full = design.complete(values);
            if (!full) return tl::unexpected(full.error());
            return instantiate(design, *full, *catalog, progress);
        },
        keep);
}

void Session::startEmpty()
{
    startWith(
        tr("New site"), [](const Progress&) -> Result<SnapshotPtr> { return emptySite(); }, KeepDraft::AtOnce);
}

void Session::startWith(SnapshotPtr made)
{
    startWith(
        tr("New site"), [made = std::move(made)](const Progress&) -> Result<SnapshotPtr> { return made; }, KeepDraft::AtOnce);
}

void Session::startWith(const QString& title, std::function<Result<SnapshotPtr>(const Progress&)> make, KeepDraft keep)
{
    m_bridge.jobs().start<Result<Made>>(
        "open", title,
        [make = std::move(make)](const Progress& progress) -> Result<Made> {
            auto snapshot = make(progress);
            if (!snapshot) return tl::unexpected(snapshot.error());
            return computeFigures(*snapshot, progress).map([&](FiguresPtr figures) { return Made{*snapshot, std::move(figures)}; });
        },
        [this, keep](Result<Made> result) {
            if (!result) return emit failed(QString::fromStdString(result.error().text()));
            leave();
            m_bridge.load(std::move(result->snapshot), std::move(result->figures));
            if (keep == KeepDraft::AtOnce) keepDraft();
            emit opened();
            emit stateChanged();
        });
}

/// Lets go of the open design, and of what the user does not want to keep of it.
void Session::leave()
{
    m_journal.reset();
    const bool discard = std::exchange(m_discard, false), unsaved = modified();
    ++m_opened;
    m_readOnly.clear();
    if (!m_file) return;
    if (discard && m_draft.isEmpty()) m_file->discardJournal();
    if (m_draft.isEmpty() || (unsaved && !discard)) {
        if (auto closed = m_file->close(); !closed) logging::error(logging::Id::ProjectNotClosed, "{}", closed.error().text());
        m_draft.clear();
    }
    dropFile();
}

/// Closes the file; a draft is deleted.
void Session::dropFile()
{
    m_journal.reset();
    m_file.reset();
    if (!m_draft.isEmpty() && !removeDraft(m_draft)) logging::warn(logging::Id::DraftNotRemoved, "{} cannot be removed", m_draft.toStdString());
    m_draft.clear();
    m_path.clear();
    m_readOnly.clear();
    m_recoveredDraft = m_storageFailed = false;
    m_lastSaved.reset();
}

/// A draft that was written and that nobody has taken yet; goes with its last owner if nobody does.
struct Session::PendingDraft {
    QString path;
    std::unique_ptr<ProjectFile> file;
    PendingDraft() = default;
    ~PendingDraft()
    {
        if (!file) return;
        file.reset();
        removeDraft(path);
    }
};

/// Writes the design into a file of the program's own and lets it follow from then on.
void Session::keepDraft()
{
    if (m_file || std::exchange(m_keepingDraft, true)) return;
    using Pending = std::shared_ptr<PendingDraft>;
    const SnapshotPtr snapshot = m_bridge.snapshot();
    m_bridge.jobs().start<Result<Pending>>(
        "draft", {},
        [path = newDraftPath(title()), snapshot, calls = callbacks()](const Progress& progress) -> Result<Pending> {
            auto file = ProjectFile::create(native(path), snapshot, calls, progress);
            if (!file) return tl::unexpected(file.error());
            auto pending = std::make_shared<PendingDraft>();
            pending->path = path;
            pending->file = std::move(*file);
            return pending;
        },
        [this, snapshot, opened = m_opened](Result<Pending> pending) {
            m_keepingDraft = false;
            if (!pending) return emit failed(QString::fromStdString(pending.error().text()));
            if (m_file) return;
            if (opened != m_opened) return keepDraft(); // another design meanwhile
            appendSince(snapshot, *(*pending)->file);
            m_file = std::move((*pending)->file);
            m_file->releaseLoaded();
            m_draft = (*pending)->path;
            follow();
            emit stateChanged();
        });
}

/// Journals what was done while the file was being written.
void Session::appendSince(const SnapshotPtr& written, ProjectFile& file)
{
    const SnapshotPtr now = m_bridge.snapshot();
    if (now == written) return;
    auto changes = std::make_shared<ChangeSet>(difference(*written, *now, tr("Edited while saving").toStdString()));
    changes->revisionBefore = written->revision;
    changes->revisionAfter = now->revision;
    file.append(std::move(changes));
}

void Session::open(const QString& path) { read(path, false); }
void Session::openDraft(const QString& path) { read(path, true); }

void Session::read(const QString& path, bool draft)
{
    struct Opened {
        std::shared_ptr<std::unique_ptr<ProjectFile>> file;
        FiguresPtr figures;
    };
    m_bridge.jobs().start<Result<Opened>>(
        "open", tr("Opening %1").arg(draft ? tr("unsaved project") : QFileInfo(path).fileName()),
        [path, calls = callbacks()](const Progress& progress) -> Result<Opened> {
            auto file = ProjectFile::open(native(path), calls, progress);
            if (!file) return tl::unexpected(file.error());
            auto figures = computeFigures((*file)->loaded().snapshot, progress);
            if (!figures) return tl::unexpected(figures.error());
            return Opened{std::make_shared<std::unique_ptr<ProjectFile>>(std::move(*file)), std::move(*figures)};
        },
        [this, path, draft](Result<Opened> result) {
            if (!result) {
                const QString text = QString::fromStdString(result.error().text());
                return draft ? emit failed(text) : emit openFailed(path, text, isProjectFile(native(path)));
            }
            leave();
            const LoadedProject loaded = (*result->file)->loaded();
            m_bridge.load(loaded.snapshot, result->figures, loaded.history);
            adopt(std::move(*result->file), draft ? QString() : path);
            if (draft) m_draft = path, m_recoveredDraft = true, emit stateChanged();
            emit opened();
            if (draft || !loaded.recovery()) return;
            m_lastSaved = loaded.saved;
            emit recovered(QString::fromStdString(words(loaded.recoveryText())));
        });
}

void Session::openReadOnly(const QString& path)
{
    m_bridge.jobs().start<Result<Made>>(
        "open", tr("Opening %1").arg(QFileInfo(path).fileName()),
        [path](const Progress& progress) -> Result<Made> {
            auto loaded = readProject(native(path), progress);
            if (!loaded) return tl::unexpected(loaded.error());
            return computeFigures(loaded->snapshot, progress).map([&](FiguresPtr figures) { return Made{loaded->snapshot, std::move(figures)}; });
        },
        [this, path](Result<Made> result) {
            if (!result) return emit failed(QString::fromStdString(result.error().text()));
            leave();
            m_bridge.load(std::move(result->snapshot), std::move(result->figures));
            m_readOnly = path;
            emit opened();
            emit stateChanged();
        });
}

void Session::adopt(std::unique_ptr<ProjectFile> file, const QString& path)
{
    dropFile();
    m_file = std::move(file);
    m_file->releaseLoaded();
    m_path = path;
    follow();
    if (!path.isEmpty()) remember(path);
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

void Session::discardChanges() { m_discard = true; }

void Session::save()
{
    if (!m_file || m_path.isEmpty()) return;
    m_lastSaved.reset();
    m_file->save(m_bridge.snapshot());
    emit stateChanged();
}

void Session::saveAs(const QString& path)
{
    if (!m_path.isEmpty() && QFileInfo(path) == QFileInfo(m_path)) return save();
    using File = std::shared_ptr<std::unique_ptr<ProjectFile>>;
    const SnapshotPtr snapshot = m_bridge.snapshot();
    m_bridge.jobs().start<Result<File>>(
        "save", tr("Saving %1").arg(QFileInfo(path).fileName()),
        [path, snapshot, calls = callbacks()](const Progress& progress) -> Result<File> {
            return ProjectFile::create(native(path), snapshot, calls, progress).map([](auto file) {
                return std::make_shared<std::unique_ptr<ProjectFile>>(std::move(file));
            });
        },
        [this, path, snapshot](Result<File> file) {
            if (!file) return emit failed(QString::fromStdString(file.error().text()));
            appendSince(snapshot, ***file);
            adopt(std::move(**file), path);
            emit saved(path);
        });
}

ProjectFile::Callbacks Session::callbacks()
{
    const auto later = [this](auto call) { QMetaObject::invokeMethod(this, call, Qt::QueuedConnection); };
    return {[=, this](std::uint64_t) {
                later([this] {
                    m_storageFailed = false;
                    emit stateChanged();
                });
            },
            [=, this](std::uint64_t) {
                later([this] {
                    m_storageFailed = false;
                    emit stateChanged();
                    emit saved(m_path);
                });
            },
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
