// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/design/build/empty_site.h"
#include "core/foundation/storage/project_file.h"
#include "core/output/report/network_view.h"

#include <algorithm>
#include <cctype>

namespace hw::cli {

namespace new_command {

struct Options {
    std::string design, output, name;
    std::vector<std::string> set;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("TEMPLATE", o.design,
                   words(i18n("Template name (see 'templates') or path of a template file; 'empty' creates a site without equipment")))
        ->required();
    app.add_option("-o,--output", o.output, words(i18n("Project file to write; replaced only on success")))->option_text("FILE.hall")->required();
    app.add_option("--name", o.name, words(i18n("Project name")))->option_text("TEXT");
    app.add_option("--set", o.set, words(i18n("Template parameter, or a layout key such as layout.redundancy; can be repeated")))
        ->option_text("NAME=VALUE")
        ->allow_extra_args(false);
}

/// A project without a template: a site and nothing on it.
Outcome writeEmpty(const Options& o, const Progress& progress)
{
    if (!o.set.empty()) return fail(ErrorCode::Usage, "--set", i18n("an empty project has no parameters"), i18n("omit it"));
    if (const auto usable = requireFile(o.output, "-o"); !usable) return tl::unexpected(usable.error());
    if (const auto written = writeProject(*emptySite(o.name), o.output, progress); !written) return tl::unexpected(written.error());
    print(words(i18n("{}: empty site", o.output)) + '\n');
    return kDone;
}

/// The template with the given `layout.*` keys applied; they are removed from `given`.
Result<Template> withLayout(const Template& base, const std::string& nameOrPath, std::map<std::string, std::string>& given)
{
    constexpr std::string_view kPrefix = "layout.";
    std::string fields;
    for (auto at = given.lower_bound(std::string(kPrefix)); at != given.end() && at->first.starts_with(kPrefix); at = given.erase(at)) {
        const auto plain = [](const std::string& text) {
            return !text.empty() &&
                   std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c == '+' || c == '.'; });
        };
        const std::string key = at->first.substr(kPrefix.size());
        if (!plain(key) || !plain(at->second))
            return fail(ErrorCode::Usage, "--set " + at->first + '=' + at->second, i18n("invalid layout key or value"),
                        i18n("use letters, digits and _ - + . only, for example --set layout.redundancy=n+1"));
        fields += "  " + key + ": " + at->second + '\n';
    }
    if (fields.empty()) return base;
    const std::filesystem::path path(nameOrPath);
    const bool file = path.has_parent_path() || path.extension() == ".yaml" || path.extension() == ".yml";
    return Template::parse("template: " + base.name() + "\nextends: " + (file ? path.stem().string() : base.name()) + "\nlayout:\n" + fields, "--set",
                           file ? path.parent_path() : std::filesystem::path());
}

Outcome run(const Options& o, const Progress& progress)
{
    if (o.design == "empty") return writeEmpty(o, progress);
    auto given = namedValues(o.set, "--set");
    if (!given) return tl::unexpected(given.error());
    const auto found = findTemplate(o.design);
    if (!found) return tl::unexpected(found.error());
    const auto design = withLayout(*found, o.design, *given);
    if (!design) return tl::unexpected(design.error());
    const auto values = design->complete(*given);
    if (!values) return tl::unexpected(values.error());
    const auto catalog = shippedCatalog();
    if (!catalog) return tl::unexpected(catalog.error());
    auto snapshot = instantiate(*design, *values, *catalog, progress);
    if (!snapshot) return tl::unexpected(snapshot.error());
    if (!o.name.empty()) {
        auto named = std::make_shared<Snapshot>(**snapshot);
        named->putSetting("project.name", o.name);
        *snapshot = std::move(named);
    }
    if (const auto usable = requireFile(o.output, "-o"); !usable) return tl::unexpected(usable.error());
    if (const auto written = writeProject(**snapshot, o.output, progress); !written) return tl::unexpected(written.error());
    const Snapshot& s = **snapshot;
    print(words(i18n("{}: {} with {} in {}, {}", o.output, design->name(), i18np(s.devices.size(), "{:L} device", "{:L} devices"),
                     i18np(s.racks.size(), "{:L} rack", "{:L} racks"), i18np(s.links.size(), "{:L} link", "{:L} links"))) +
          '\n');
    for (const auto& note : designNotes(s)) printNote(verbatim(note)); // as stored
    return kDone;
}

} // namespace new_command

void addNew(Session& session)
{
    using namespace new_command;
    session.command<Options>("new", i18n("Generate a design from a template"), declare, run);
}

} // namespace hw::cli
