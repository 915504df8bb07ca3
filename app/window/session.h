// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/library.h"
#include "views/bridge/document_bridge.h"

#include "core/foundation/storage/project_file.h"

#include <QObject>

namespace hw::app {

/// The project that is open: its file, its journal, its document. Lives on the GUI thread, owned by the
/// window; reading and writing happen on workers and the storage thread.
class Session : public QObject {
    Q_OBJECT
public:
    enum class Durability { NoFile, Kept, Writing, Journaled, Saved, Failed }; ///< Kept: in no file, but in a draft

    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    [[nodiscard]] views::DocumentBridge& bridge() { return m_bridge; }
    [[nodiscard]] const views::DocumentBridge& bridge() const { return m_bridge; }
    [[nodiscard]] const Library& library() const { return m_library; } ///< empty until `libraryLoaded`
    [[nodiscard]] bool hasLibrary() const { return m_library.catalog != nullptr; }
    [[nodiscard]] const QString& path() const { return m_path; } ///< empty: not in a file yet
    [[nodiscard]] QString title() const;
    [[nodiscard]] bool modified() const;
    [[nodiscard]] Durability durability() const;

    void loadLibrary();
    enum class KeepDraft { AtOnce, OnceEdited };
    void startDesign(const Template& design, const ParameterValues& values, SnapshotPtr made = nullptr, KeepDraft keep = KeepDraft::AtOnce);
    void startEmpty(); ///< a site to draw on
    void startWith(SnapshotPtr made);
    void open(const QString& path);
    void openDraft(const QString& path); ///< carries on with what a killed program left (abandonedDrafts)
    /// Reads a file that another program writes, or that may not be written: the design is in no file then, and is saved under another name.
    void openReadOnly(const QString& path);
    [[nodiscard]] const QString& readOnlyPath() const { return m_readOnly; } ///< of the file that was read so; empty: none
    void save();                                                             ///< needs a path
    void saveAs(const QString& path);
    /// What is not saved goes when the design is left. Without it, commits since the last save stay in the file as
    /// its journal, and a design that is in no file stays a draft.
    void discardChanges();
    [[nodiscard]] static QStringList recentFiles();

signals:
    void libraryLoaded();
    void opened();
    void stateChanged();                 ///< path, durability or modification
    void recovered(const QString& text); ///< the journal of an unclean end was read; goBackToSaved() drops it
    void saved(const QString& path);
    void failed(const QString& text);
    void openFailed(const QString& path, const QString& text, bool readable); ///< `readable`: openReadOnly() can

public slots:
    void goBackToSaved();

private:
    struct PendingDraft;
    void startWith(const QString& title, std::function<Result<SnapshotPtr>(const Progress&)> make, KeepDraft keep);
    void read(const QString& path, bool draft);
    void leave();
    void giveMemoryBack();
    void dropFile();
    void keepDraft();
    void appendSince(const SnapshotPtr& written, ProjectFile& file);
    void adopt(std::unique_ptr<ProjectFile> file, const QString& path);
    void follow();
    [[nodiscard]] ProjectFile::Callbacks callbacks();
    void remember(const QString& path);

    views::DocumentBridge m_bridge;
    Library m_library;
    std::unique_ptr<ProjectFile> m_file;
    Signal<const ChangeEvent&>::Connection m_journal;
    SnapshotPtr m_lastSaved; ///< to go back to after a recovery
    QString m_readOnly;
    QString m_path, m_draft;    ///< at most one of them; the draft is the project file while there is no other
    std::uint64_t m_opened = 0; ///< designs so far: what a worker made of an earlier one is dropped
    bool m_storageFailed = false, m_recoveredDraft = false, m_discard = false, m_keepingDraft = false;
};

} // namespace hw::app
