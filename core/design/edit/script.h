// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/edits_create.h"

#include <filesystem>
#include <functional>
#include <map>

namespace hw::edit {

/// What the script edits need from outside this module.
struct EditContext {
    /// Changes a template parameter and regenerates the design (core/design/template).
    /// `value` is the JSON value as text: `12`, `true`, or the string without quotes.
    std::function<Result<void>(Transaction&, std::string_view name, std::string_view value)> regenerate;
    /// Brings a template's devices into the project, without places (core/design/template). Parameters as texts, as those of `regenerate`.
    std::function<Result<void>(Transaction&, const std::string& name, const std::map<std::string, std::string>& parameters)> useTemplate;
    /// Stands them in a given hall, the only one where `hall` is empty (core/design/fitting); what became of it, for people.
    std::function<Result<Text>(Transaction&, const std::string& hall)> layOut;
    /// Whether the design has a finding of this id now; none = waivers are not checked.
    std::function<Result<bool>(const Snapshot&, const std::string& finding)> hasFinding;
    PartSource catalog;                    ///< part types that the project does not have yet
    std::function<void(const Text&)> note; ///< what an edit took along, for people
    std::string author;                    ///< of waivers
    std::string date;                      ///< YYYY-MM-DD, of waivers
    /// After each edit, undo or redo, with the document's revision (the old one if nothing changed).
    std::function<void(std::uint64_t revision)> committed;
};

/// One parsed edit of a script; `describeEdits` lists the actions with their keys.
struct ScriptEdit {
    std::size_t number = 0; ///< from 1
    std::string action;     ///< the value of "do"
    std::string json;       ///< the whole object as text
};

/// Every action with its keys, one a line, for help texts; optional keys in brackets. Then the columns that `add` and
/// `set` take, by kind.
[[nodiscard]] Text describeEdits();

/// Reads `{"edits": [...]}`. Every edit's keys and value types are checked here, before anything is
/// changed. Errors: Unreadable, where = `NAME:LINE` for broken JSON, else `NAME: edit 3, key "dx_mm"`.
[[nodiscard]] Result<std::vector<ScriptEdit>> parseScript(std::string_view json, std::string_view name);
/// From a file or a pipe, at most 256 MiB.
[[nodiscard]] Result<std::vector<ScriptEdit>> readScript(const std::filesystem::path& path);

/// Applies edits to one document, each as one transaction (undo and redo travel the history). On an error the document is
/// unchanged. Names and references are found at once from edit to edit, so that long scripts take no longer per edit.
class ScriptRunner {
public:
    /// `name` is the script's, for errors. Document and context must outlive it.
    ScriptRunner(Document& document, const EditContext& context, std::string_view name);
    ~ScriptRunner();
    [[nodiscard]] Result<void> apply(const ScriptEdit& edit);

private:
    class Runner;
    std::unique_ptr<Runner> m_runner;
    std::string m_name;
};

} // namespace hw::edit
