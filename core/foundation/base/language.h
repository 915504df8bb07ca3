// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hw {

/// Makes texts into words: a catalog of patterns and the marks of numbers. The catalog is a compiled gettext
/// catalog; a pattern that it lacks is shown in English.
class Language {
public:
    /// English: the patterns as they stand in the sources.
    Language();
    /// `name`: "zh_CN" or "zh", of the folder `catalogs` (NAME.mo). Unreadable without such a catalog.
    [[nodiscard]] static Result<Language> load(const std::string& name, const std::filesystem::path& catalogs);

    [[nodiscard]] const std::string& name() const; ///< "en", "zh_CN" …
    [[nodiscard]] std::string words(const Text& text) const;
    /// The catalog's words for a pattern; none where it has none. For the window's own texts.
    [[nodiscard]] std::optional<std::string> find(const char* pattern) const;

private:
    struct Data;
    std::shared_ptr<const Data> m_data;
};

/// The language of this process; English until an edge sets it, before other threads run.
[[nodiscard]] const Language& language();
void setLanguage(Language language);

/// The language that the environment asks for: HALLWRIGHT_LANGUAGE, LC_ALL, LC_MESSAGES or LANG, with the catalogs
/// of HALLWRIGHT_CATALOGS or the resources. English where there is no such catalog.
[[nodiscard]] Language languageOfEnvironment();

} // namespace hw
