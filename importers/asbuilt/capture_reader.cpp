// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/asbuilt/capture_reader.h"

#include "core/foundation/money/price_book.h"
#include "core/operations/asbuilt/name_rules.h"
#include "core/output/exchange/design_stamp.h"

#include <algorithm>

namespace hw::importers {

Result<void> tellLeftOut(const std::vector<Error>& left, bool anyTaken, asbuilt::Capture& capture)
{
    if (!anyTaken && !left.empty()) return tl::unexpected(left.front());
    for (const Error& one : left) capture.doubts.push_back({one.where, i18n("{}: skipped", one.what)});
    return {};
}

void skipForeign(const exchange::ImportSource& source, Text why, asbuilt::Capture& capture)
{
    capture.doubts.push_back({source.path.string(), i18n("{}: skipped", why)});
    ++capture.left;
}

Result<void> noneTaken(std::size_t taken, Sources sources)
{
    if (taken > 0) return {};
    return fail(ErrorCode::Unreadable, sources.front().path.parent_path().string(),
                i18np(sources.size(), "{:L} file, none a capture of this kind", "{:L} files, none a capture of this kind"),
                i18n("specify the captures folder"));
}

std::string stemOf(const std::filesystem::path& path)
{
    const auto stem = path.stem().string();
    return stem.ends_with(".chassis") ? stem.substr(0, stem.size() - 8) : stem;
}

namespace {

/// Rules that were given with the files come before those of the project, and stay in it.
Result<void> addRules(Snapshot& s, const exchange::ImportSource& source)
{
    for (const auto& [option, key] : {std::pair("port", "asbuilt.ports"), std::pair("device", "asbuilt.devices")}) {
        const std::string given = source.option(option);
        if (given.empty()) continue;
        const auto rules = asbuilt::readNameRules(given, std::string("--") + option);
        if (!rules) return tl::unexpected(rules.error());
        std::string all;
        const auto before = asbuilt::readNameRules(s.setting(key), key);
        if (!before) return tl::unexpected(before.error());
        const auto put = [&](const asbuilt::NameRule& rule) { all += (all.empty() ? "" : "; ") + rule.from + "=" + rule.to; };
        std::ranges::for_each(*rules, put);
        for (const auto& rule : *before)
            if (std::ranges::find(*rules, rule) == rules->end()) put(rule);
        s.putSetting(key, all);
    }
    return {};
}

class CaptureImporter final : public exchange::Importer {
public:
    explicit CaptureImporter(CaptureFormat format) : m_format(std::move(format)) {}
    exchange::FormatInfo info() const override { return {m_format.name, m_format.summary}; }
    std::vector<exchange::FormatOption> options() const override
    {
        auto all = m_format.options;
        all.push_back({"date", "YYYY-MM-DD", i18n("date of the quote or capture; default: today")});
        all.push_back({"device", "NAME=DEVICE",
                       i18n("maps a captured name to its name in the design; placeholders as in node{{n}}=host-{{n}}; stored in the project"), true});
        all.push_back({"port", "NAME=PORT",
                       i18n("maps a captured port to its port in the design, as in Ethernet{{n}}/5=port{{n}}s2; eth0=- ignores "
                            "it; stored in the project"),
                       true});
        return all;
    }
    bool probe(const exchange::ImportSource& source) const override { return m_format.probe(source); }
    bool observes() const override { return true; }
    Result<exchange::ImportPlan> plan(const exchange::ImportSource& source, const SnapshotPtr& base, const Progress& progress) const override
    {
        return planTogether({&source, 1}, base, progress);
    }
    Result<exchange::ImportPlan> planTogether(Sources sources, const SnapshotPtr& base, const Progress& progress) const override
    {
        const std::string date = sources.front().option("date").empty() ? today() : sources.front().option("date");
        if (!isDate(date)) return fail(ErrorCode::Refused, "--date " + date, i18n("is not a valid date"), i18n("use the form 2026-11-23"));
        Snapshot after(*base);
        if (const auto done = addRules(after, sources.front()); !done) return tl::unexpected(done.error());
        auto capture = m_format.read(sources, std::make_shared<const Snapshot>(after), progress);
        if (!capture) return tl::unexpected(capture.error());
        for (auto& one : capture->sightings) one.date = date;
        const auto stored = asbuilt::store(after, *capture);
        exchange::ImportPlan plan;
        plan.name = i18np(sources.size(), "Observations from {} file ({})", "Observations from {} files ({})", m_format.name);
        plan.facts = capture->facts, plan.read = capture->read, plan.left = capture->left;
        plan.facts.push_back(i18n("{}, {:L} older ones of the same devices replaced, {}",
                                  i18np(stored.added, "{:L} observation", "{:L} observations"), stored.replaced,
                                  i18np(stored.learned, "{:L} hardware ID learned", "{:L} hardware IDs learned")));
        for (const auto& doubt : capture->doubts) plan.issues.push_back({doubt.where, doubt.what});
        for (const auto& doubt : stored.doubts) plan.issues.push_back({doubt.where, doubt.what});
        plan.base = base;
        plan.after = std::make_shared<const Snapshot>(std::move(after));
        return plan;
    }

private:
    CaptureFormat m_format;
};

} // namespace

std::unique_ptr<exchange::Importer> captureImporter(CaptureFormat format) { return std::make_unique<CaptureImporter>(std::move(format)); }

} // namespace hw::importers
