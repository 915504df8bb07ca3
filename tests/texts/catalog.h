// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hw {

/// The ids of all texts of the product, each with its plural (empty: none) and the files that say it.
struct TextCatalog {
    struct Entry {
        std::string id, many;
        std::vector<std::string> files;
    };
    std::vector<Entry> entries; ///< by file, in the order of the source
    void add(const std::string& id, const std::string& many, const std::string& file);

private:
    std::map<std::pair<std::string, std::string>, std::size_t> m_known;
};

/// Sources that people's texts come from: C++ of the product, with the root of the tree before them.
[[nodiscard]] std::vector<std::filesystem::path> productSources(const std::filesystem::path& root);

/// Everything that the sources mark as text, and the texts of templates, catalog and workloads.
[[nodiscard]] TextCatalog collectTexts(const std::filesystem::path& root);

/// As a gettext template; `say` makes the words of an id, none for the template itself.
[[nodiscard]] std::string potOf(const TextCatalog& catalog, std::string (*say)(const std::string&) = nullptr);

/// Ids of a gettext template or catalog, plural after a zero.
[[nodiscard]] std::vector<std::string> idsOfPot(const std::filesystem::path& file);

/// The ids of a gettext catalog, each with its plural if it has one, and their translation (of several forms the last).
[[nodiscard]] std::vector<std::pair<std::vector<std::string>, std::string>> translationsOf(const std::filesystem::path& file);

/// The places of arguments in a text, sorted: "{1:L}" for each, whether the text numbers them or not, and the window's "%1" and "%n". A
/// translation has those of its original.
[[nodiscard]] std::vector<std::string> placesOf(const std::string& text);

/// Sentences of a source that no text is made of: "FILE:LINE: words".
[[nodiscard]] std::vector<std::string> builtInPlace(const std::filesystem::path& root, const std::filesystem::path& source);

} // namespace hw
