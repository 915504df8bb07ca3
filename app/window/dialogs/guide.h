// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <QString>

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace hw {
class Language;
}

namespace hw::app {

/// A page of the users' guide.
struct GuidePage {
    QString file;  ///< "size.md"
    QString title; ///< "Size a design for a number of GPUs"
};

/// Pages of the guide in this language, or in English where there are none: resources/help/LANGUAGE. Empty: not installed.
[[nodiscard]] QString guideFolder(const Language& language);
/// The table of contents, then the pages in its order.
[[nodiscard]] std::vector<GuidePage> guidePages(const QString& folder);
/// The Markdown of a page with [[id]] replaced by the label that the window shows for this text, in bold.
[[nodiscard]] QString guideText(const QString& file, const Language& language);

/// The page for a panel, pane or dialog by its name ("plan", "SizeDialog"); the table of contents for others.
[[nodiscard]] QString guidePageOf(std::string_view place);
/// All places that have a page, each with its page.
[[nodiscard]] const std::vector<std::pair<std::string_view, std::string_view>>& guidePlaces();

/// Writes all pages in all languages as HTML: FOLDER/LANGUAGE/PAGE.html and FOLDER/pictures. Error: Unreadable: not installed, or not writable.
[[nodiscard]] Result<void> writeGuide(const std::filesystem::path& folder);

} // namespace hw::app
