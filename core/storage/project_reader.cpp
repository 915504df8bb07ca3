// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/storage/project_access.h"

#include "core/storage/file_lock.h"

namespace hw {

namespace storage {

Result<LoadedFile> loadImage(FileImage& image, const std::string& where, const Progress& progress)
{
    auto database = Database::openImage(image.bytes, where);
    if (!database) return tl::unexpected(database.error());
    if (auto done = database->run("PRAGMA cell_size_check = ON"); !done) return tl::unexpected(done.error());
    const auto sound = database->text("PRAGMA quick_check(1)");
    if (!sound) return tl::unexpected(sound.error());
    if (*sound != "ok") return fail(ErrorCode::Unreadable, where, i18n("the project is damaged: {}", *sound), i18n("use a backup copy"));
    auto file = loadTables(*database, where, progress);
    if (file) file->project.tornTail = image.tornTail;
    return file;
}

} // namespace storage

Result<LoadedProject> readProject(const std::filesystem::path& path, const Progress& progress)
{
    auto image = storage::readImage(path);
    if (!image) return tl::unexpected(image.error());
    auto file = storage::loadImage(*image, path.string(), progress);
    if (!file) return tl::unexpected(file.error());
    file->project.writer = storage::lockHolder(path);
    return std::move(file->project);
}

std::string LoadedProject::recoveryText() const
{
    if (!recovery()) return {};
    std::string text;
    if (!journal.empty()) {
        text = std::to_string(journal.size()) + (journal.size() == 1 ? " change" : " changes") + " since the last save (revision " +
               std::to_string(saved->revision) + "), the last one \"" + journal.back().name + "\" (revision " + std::to_string(snapshot->revision) +
               "), read from the journal";
    }
    if (tornTail && writer == 0) text += std::string(text.empty() ? "" : "; ") + "one more was cut off before it was on disk";
    if (writer != 0) text += std::string(text.empty() ? "" : "; ") + "process " + std::to_string(writer) + " is writing it";
    return text;
}

} // namespace hw
