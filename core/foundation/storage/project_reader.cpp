// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/project_access.h"

#include "core/foundation/storage/file_lock.h"

namespace hw {

namespace storage {

Result<LoadedFile> loadImage(FileImage& image, const std::string& where, const Progress& progress, std::optional<std::uint64_t> revision, bool toEdit)
{
    auto database = Database::openImage(image.bytes, where);
    if (!database) return tl::unexpected(database.error());
    if (auto done = database->run("PRAGMA cell_size_check = ON"); !done) return tl::unexpected(done.error()); // no text
    const auto sound = database->text("PRAGMA quick_check(1)");                                               // no text
    if (!sound) return tl::unexpected(sound.error());
    if (*sound != "ok") return fail(ErrorCode::Unreadable, where, i18n("project file damaged: {}", *sound), i18n("restore a backup"));
    auto file = loadTables(*database, where, progress, revision, toEdit);
    if (file) file->project.tornTail = image.tornTail;
    return file;
}

} // namespace storage

Result<LoadedProject> readProject(const std::filesystem::path& path, const Progress& progress, std::optional<std::uint64_t> revision)
{
    auto image = storage::readImage(path);
    if (!image) return tl::unexpected(image.error());
    auto file = storage::loadImage(*image, path.string(), progress, revision);
    if (!file) return tl::unexpected(file.error());
    file->project.writer = storage::lockHolder(path);
    return std::move(file->project);
}

Text LoadedProject::recoveryText() const
{
    if (!recovery()) return {};
    Text text;
    const auto add = [&](Text more) { text = text.empty() ? std::move(more) : i18n("{}; {}", text, more); };
    if (!journal.empty())
        add(i18np(journal.size(), "{} change since the last save (revision {}), most recent \"{}\" (revision {}), recovered from the journal",
                  "{} changes since the last save (revision {}), most recent \"{}\" (revision {}), recovered from the journal", saved->revision,
                  journal.back().name, snapshot->revision));
    if (tornTail && writer == 0) add(i18n("one further change was not completely written to disk"));
    if (writer != 0) add(i18n("open for writing in process {}", writer));
    return text;
}

} // namespace hw
