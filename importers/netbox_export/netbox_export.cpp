// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox_export/netbox_export.h"

#include <fmt/format.h>

namespace hw::netbox {

namespace {

constexpr std::size_t kMostLines = 20;

std::filesystem::path journalOf(const std::filesystem::path& project) { return std::filesystem::path(project.string() + ".netbox.jsonl"); }

void appendLines(std::string& out, const Text& title, const std::vector<std::string>& lines)
{
    if (lines.empty()) return;
    out += words(title) + '\n';
    for (std::size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) out += "  " + lines[i] + '\n';
    if (lines.size() > kMostLines) out += "  " + words(i18n("… and {:L} more", lines.size() - kMostLines)) + '\n';
}

std::string countsText(const std::vector<TableCount>& counts)
{
    const std::array<Text, 4> heads{i18n("create"), i18n("change"), i18n("unchanged"), i18n("conflicts")};
    std::string out = fmt::format("{:24}{:>12}{:>12}{:>12}{:>12}\n", "", words(heads[0]), words(heads[1]), words(heads[2]), words(heads[3]));
    TableCount sum;
    const auto line = [&](const std::string& name, const TableCount& c) {
        out += fmt::format("{:24}{:>12}{:>12}{:>12}{:>12}\n", name, c.create, c.change, c.same, c.conflict);
    };
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const TableCount& c = counts[i];
        if (c.create + c.change + c.same + c.conflict == 0) continue;
        line(words(Text(tableList()[i].what)), c);
        sum.create += c.create, sum.change += c.change, sum.same += c.same, sum.conflict += c.conflict;
    }
    line(words(i18n("total")), sum);
    return out;
}

class NetboxExporter final : public exchange::RemoteExporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"netbox", i18n("NetBox 4.4 to 4.7: over its REST API (--url), or a folder of CSV files numbered in import order (-o)")};
    }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {{"url", "URL", i18n("address of the NetBox server; the token is read from HALLWRIGHT_NETBOX_TOKEN or the credentials file")},
                {"branch", "NAME", i18n("netbox-branching branch to write to; created if it does not exist, never merged")},
                {"to-main", "", i18n("write to main instead of a branch")},
                {"dry-run", "", i18n("only show what would be created and changed")},
                {"site", "NAME", i18n("NetBox site for buildings without a site (default: the project's name)")},
                {"cords", "", i18n("include power cords within racks")},
                {"credentials", "FILE", i18n("credentials file (default: ~/.config/hallwright/credentials.yaml)")},
                {"release", "4.N", i18n("NetBox release of the CSV files (default: 4.6)")}};
    }

    Result<Outcome> send(const exchange::ExportJob& job, const Progress& progress) const override
    {
        const auto has = [&](const char* name) { return !job.option(name).empty(); };
        const bool dry = has("dry-run");
        if (has("release")) return fail(ErrorCode::Usage, "--release", i18n("the release is read from the server"), i18n("omit it"));
        if (has("branch") && has("to-main"))
            return fail(ErrorCode::Usage, "--to-main", i18n("cannot be combined with --branch"), i18n("omit one of the two"));
        if (!has("branch") && !has("to-main") && !dry)
            return fail(ErrorCode::Usage, "--url " + job.option("url"), i18n("without a branch, the design would be written to main"),
                        i18n("specify a branch with --branch, or write to main with --to-main"));
        const auto figures = job.figures();
        if (!figures) return tl::unexpected(figures.error());
        const Target target{job.option("url"), job.option("branch"), job.option("site"), has("cords"), job.option("credentials"), {}};
        auto session = planned(**figures, target, progress);
        if (!session) return tl::unexpected(session.error());
        Session& s = **session;
        std::string report = words(planReport(s, target));
        if (dry || s.sync->conflicts() > 0) {
            if (!dry) report += words(i18n("Nothing was written: resolve the conflicts first.")) + '\n';
            return Outcome{verbatim(std::move(report)), s.sync->conflicts() == 0};
        }
        const auto written = writeTo(s, target, job.project, progress);
        if (!written) return tl::unexpected(written.error());
        std::vector<std::string> refused;
        for (const Text& one : s.sync->refused()) refused.push_back(words(one));
        report += words(i18n("Created: {:L}. Changed: {:L}.", s.sync->created(), s.sync->changed())) + '\n';
        appendLines(report, i18n("Rejected by NetBox:"), refused);
        if (s.sync->skipped() > 0) report += words(i18n("Skipped because they depend on these: {:L}", s.sync->skipped())) + '\n';
        return Outcome{verbatim(std::move(report)), refused.empty()};
    }

    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const override
    {
        if (!job.option("url").empty()) {
            const auto sent = send(job, progress);
            if (!sent) return tl::unexpected(sent.error());
            if (!sent->done) return fail(ErrorCode::Refused, job.option("url"), i18n("not everything was written"), sent->report);
            return {};
        }
        for (const char* name : {"branch", "to-main", "dry-run", "credentials"})
            if (!job.option(name).empty())
                return fail(ErrorCode::Usage, std::string("--") + name, i18n("applies to a server only"), i18n("add --url, or omit it"));
        InventoryOptions options;
        options.site = job.option("site"), options.cords = !job.option("cords").empty();
        if (const std::string release = job.option("release"); !release.empty()) {
            if (release.size() != 3 || !release.starts_with("4.") || release[2] < '4' || release[2] > '7')
                return fail(ErrorCode::Usage, "--release " + release, i18n("is not a supported NetBox release"),
                            i18n("use one of {}", "4.4, 4.5, 4.6, 4.7"));
            options.minor = release[2] - '0';
        }
        const auto figures = job.figures();
        if (!figures) return tl::unexpected(figures.error());
        const auto inventory = inventoryOf(**figures, options, progress);
        if (!inventory) return tl::unexpected(inventory.error());
        for (const Item& item : inventory->items)
            if (!item.flaw.empty())
                return fail(ErrorCode::Refused, words(Text(tableList()[item.table].what)) + ' ' + item.name, item.flaw,
                            i18n("rename it in the design"));
        return exchange::writeFolderWhole(job.output, "README.txt",
                                          [&](const std::filesystem::path& folder) { return writeCsvFolder(*inventory, folder, progress); });
    }
};

} // namespace

Result<std::unique_ptr<Session>> planned(const Figures& figures, const Target& target, const Progress& progress)
{
    const auto access = telemetry::accessOf(target.url, "netbox", target.credentials);
    if (!access) return tl::unexpected(access.error());
    auto client = Client::open(target.url, *access, target.patience, progress.stop);
    if (!client) return tl::unexpected(client.error());
    auto session = std::make_unique<Session>();
    session->client = std::move(*client);
    auto status = statusOf(*session->client);
    if (!status) return tl::unexpected(status.error());
    session->status = *status;
    if (!target.branch.empty()) {
        const auto schema = findBranch(*session->client, *status, target.branch);
        if (!schema) return tl::unexpected(schema.error());
        session->schema = *schema;
        session->client->useBranch(*schema);
    }
    auto inventory =
        inventoryOf(figures, {.minor = std::min(status->major > 4 ? 7 : status->minor, 7), .site = target.site, .cords = target.cords}, progress);
    if (!inventory) return tl::unexpected(inventory.error());
    session->inventory = std::move(*inventory);
    session->sync = std::make_unique<Sync>(*session->client, session->inventory, session->status, progress);
    if (const auto done = session->sync->plan(); !done) return tl::unexpected(done.error());
    return session;
}

Result<void> writeTo(Session& session, const Target& target, const std::filesystem::path& project, const Progress& progress, const Wanted* only)
{
    if (project.empty())
        return fail(ErrorCode::Usage, session.client->url(), i18n("what is written is recorded beside the project, which has no file yet"),
                    i18n("save the project first"));
    auto journal = Journal::open(journalOf(project), session.client->url(), target.branch);
    if (!journal) return tl::unexpected(journal.error());
    session.client->setStop(progress.stop), session.sync->setProgress(progress); // a window plans in one job and writes in another
    if (!target.branch.empty()) {
        const auto schema = readyBranch(*session.client, session.status, target.branch, progress);
        if (!schema) return tl::unexpected(schema.error());
        session.schema = *schema;
    }
    return session.sync->write(session.schema, *journal, only);
}

namespace {

std::string targetText(const Session& session, const Target& target)
{
    return words(target.branch.empty()    ? i18n("NetBox {} at {}, main", session.status.version, session.client->url())
                 : session.schema.empty() ? i18n("NetBox {} at {}, new branch {}", session.status.version, session.client->url(), target.branch)
                                          : i18n("NetBox {} at {}, branch {}", session.status.version, session.client->url(), target.branch));
}

} // namespace

std::vector<TableCount> countsOf(const Session& session, const Wanted& wanted)
{
    std::vector<TableCount> counts(tableList().size());
    for (const auto& [item, fields] : wanted) {
        TableCount& count = counts[session.inventory.items[item].table];
        const Action action = session.sync->steps()[item].action;
        if (action == Action::Create) ++count.create;
        if (action == Action::Change) ++count.change;
    }
    return counts;
}

Text wantedReport(const Session& session, const Target& target, const Wanted& wanted)
{
    const auto counts = countsOf(session, wanted);
    std::string out = targetText(session, target) + '\n' + countsText(counts);
    if (!target.branch.empty() && counts[tableIndex("extras/custom-fields")].create > 0)
        out += words(i18n("note: custom fields are created in main; branches do not support them")) + '\n';
    return verbatim(std::move(out));
}

Text planReport(const Session& session, const Target& target)
{
    std::string out = targetText(session, target);
    out += '\n' + countsText(session.sync->counts());
    std::vector<std::string> conflicts;
    for (const Step& step : session.sync->steps())
        if (step.action == Action::Conflict) {
            const Item& item = session.inventory.items[step.item];
            conflicts.push_back(words(i18n("{} {}: {}", tableList()[item.table].what, item.name, step.why)));
        }
    appendLines(out, i18n("Conflicts:"), conflicts);
    for (const Text& note : session.inventory.notes) out += words(i18n("note: {}", note)) + '\n';
    if (!target.branch.empty() && session.sync->counts()[tableIndex("extras/custom-fields")].create > 0)
        out += words(i18n("note: custom fields are created in main; branches do not support them")) + '\n';
    return verbatim(std::move(out));
}

std::unique_ptr<exchange::Exporter> netboxExporter() { return std::make_unique<NetboxExporter>(); }

} // namespace hw::netbox
