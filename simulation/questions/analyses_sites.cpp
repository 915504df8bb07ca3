// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/sites.h"
#include "simulation/questions/analyses.h"
#include "simulation/questions/form.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

struct SiteOf {
    std::string name;
    double gpus = 2048;
};
struct NamedLink {
    std::string from, to;
    WanLink link;
};
struct SitesQuestion {
    std::vector<SiteOf> sites;
    std::vector<NamedLink> links;
    std::vector<SiteJob> jobs;
    double mostSlowDown = 1.2;
};

Form<SitesQuestion> sitesForm()
{
    using Q = SitesQuestion;
    const SiteJob j;
    const WanLink l;
    Form<SiteOf> site;
    site.to(&SiteOf::name, text("name", "site", {}, i18n("site or availability zone")))
        .to(&SiteOf::gpus, number("gpus", "", 2048.0, 0, 1e7, i18n("free GPUs")));
    const auto at = [](auto member) {
        return [member](NamedLink & n) -> auto& { return n.link.*member; };
    };
    Form<NamedLink> link;
    link.to(&NamedLink::from, text("from", "az-1", {}, i18n("site")))
        .to(&NamedLink::to, text("to", "az-2", {}, i18n("site")))
        .to(at(&WanLink::km), number("km", "km", l.km, 0.001, 20000, i18n("fiber length; 4.9 µs/km")))
        .to(at(&WanLink::pairs), integer("fiber_pairs", l.pairs, 1, 10000, i18n("fiber pairs")))
        .to(at(&WanLink::channels), integer("channels", l.channels, 1, 1000, i18n("DWDM channels per fiber pair; 1: no multiplexer")))
        .to(at(&WanLink::gbpsPerChannel), number("gbps_per_channel", "Gb/s", l.gbpsPerChannel, 1, 10000, i18n("data rate per channel")));
    Form<SiteJob> job;
    job.to(&SiteJob::name, displayOnly(text("name", "job", {}, i18n("job"))))
        .to(&SiteJob::gpus, number("gpus", "", j.gpus, 1, 1e7, i18n("GPUs of the job")))
        .to(&SiteJob::parameters, number("parameters", "", j.parameters, 1, 1e16, i18n("parameters of the model")))
        .to(&SiteJob::hidden, number("hidden", "", j.hidden, 1, 1e6, i18n("hidden size")))
        .to(&SiteJob::sequence, number("sequence", "", j.sequence, 1, 1e8, i18n("tokens per sample")))
        .to(&SiteJob::samples, number("samples", "", j.samples, 1, 1e9, i18n("samples per iteration")))
        .to(&SiteJob::teraflops, number("teraflops", "TFLOPS", j.teraflops, 1, 1e6, i18n("dense peak per GPU")))
        .to(&SiteJob::mfu, number("mfu", "", j.mfu, 0.01, 1, i18n("model FLOPS utilization within one site (assumed)")))
        .to(&SiteJob::overlap,
            number("gradient_overlap", "", j.overlap, 0, 1, i18n("share of the iteration that can overlap gradient communication (assumed)")))
        .to(&SiteJob::microBatches, number("micro_batches", "", j.microBatches, 1, 1e6, i18n("micro-batches of the pipeline")));
    Form<Q> form;
    form.each(&Q::sites, site,
              objects("sites", {{{"name", "az-1"}, {"gpus", 2048}}, {{"name", "az-2"}, {"gpus", 3072}}}, site.fields(), i18n("sites with free GPUs")))
        .each(&Q::links, link, objects("links", {{{"from", "az-1"}, {"to", "az-2"}}}, link.fields(), i18n("WAN links between sites")))
        .each(&Q::jobs, job,
              objects("jobs", {{{"name", "job-1"}, {"gpus", 1024}}, {{"name", "job-2"}, {"gpus", 3584}}}, job.fields(),
                      i18n("jobs, placed one after the other")))
        .to(&Q::mostSlowDown, number("most_slow_down", "", 1.2, 1, 100, i18n("slowdown above which a job waits for a single site (assumed)")));
    return form;
}

/// Optics for a length: reaches of the map of interconnects.
Text opticsOf(const WanLink& link)
{
    const int ends = 2 * link.pairs * link.channels;
    if (link.channels == 1 && link.km <= 10) return i18n("{:L} × 400G-LR4-10 (up to 10 km)", ends);
    if (link.km <= 120) return i18n("{:L} × 400ZR with multiplexers and amplifiers (up to 120 km)", ends);
    return i18n("{:L} × 400ZR+ or transponders with in-line amplifiers (above 120 km)", ends);
}

Result<ScenarioOutcome> runSites(const SitesQuestion& q, const Progress&)
{
    std::vector<double> free;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < q.sites.size(); ++i) {
        if (std::ranges::find(names, q.sites[i].name) != names.end())
            return fail(ErrorCode::Refused, fmt::format("sites[{}].name", i), i18n("{} is listed twice", q.sites[i].name),
                        i18n("use distinct names"));
        names.push_back(q.sites[i].name), free.push_back(q.sites[i].gpus);
    }
    std::vector<WanLink> links;
    for (std::size_t i = 0; i < q.links.size(); ++i) {
        WanLink link = q.links[i].link;
        for (const auto& [key, wanted, end] : {std::tuple("from", &q.links[i].from, &link.from), {"to", &q.links[i].to, &link.to}}) {
            const auto at = std::ranges::find(names, *wanted);
            if (at == names.end())
                return fail(ErrorCode::Refused, fmt::format("links[{}].{}", i, key), i18n("unknown site \"{}\"", *wanted),
                            i18n("use {}", listedNames(names)));
            *end = std::size_t(at - names.begin());
        }
        if (link.from == link.to)
            return fail(ErrorCode::Refused, fmt::format("links[{}].to", i), i18n("is the same site as 'from'"), i18n("specify another site"));
        links.push_back(link);
    }
    const auto places = placeOnSites(free, links, q.jobs, q.mostSlowDown);
    Json jobs = Json::array(), wan = Json::array(), compared = Json::array();
    for (std::size_t j = 0; j < q.jobs.size(); ++j) {
        const SitePlacement& p = places[j];
        jobs.push_back({{"job", q.jobs[j].name},
                        {"gpus", q.jobs[j].gpus},
                        {"placement", p.site ? Json(name(p.split)) : Json("waits")},
                        {"site", p.site ? Json(names[*p.site]) : Json()},
                        {"other_site", p.other ? Json(names[*p.other]) : Json()},
                        {"gpus_there", p.gpusThere},
                        {"iteration_s", p.site ? Json(p.iterationS) : Json()},
                        {"slow_down", p.site ? Json(p.slowDown) : Json()},
                        {"wan_share", p.wan.wanShare}});
        for (std::size_t l = 0; l < links.size(); ++l) {
            Json row = {{"job", q.jobs[j].name}, {"link", names[links[l].from] + " - " + names[links[l].to]}, {"alone_s", q.jobs[j].iterationS()}};
            for (const SiteSplit split : {SiteSplit::Data, SiteSplit::Pipeline}) {
                const SplitTimes t = splitTimes(q.jobs[j], links[l], split);
                const std::string key = split == SiteSplit::Data ? "data_parallel" : "pipeline";
                row[key + "_s"] = t.iterationS, row[key + "_wan_bytes"] = t.wanBytes;
            }
            compared.push_back(std::move(row));
        }
    }
    for (const WanLink& link : links)
        wan.push_back({{"link", names[link.from] + " - " + names[link.to]},
                       {"km", link.km},
                       {"gbps", link.gbps()},
                       {"latency_us", link.km * kUsPerKm},
                       {"optics", opticsOf(link)}});
    const auto whole = std::ranges::count_if(places, [](const SitePlacement& p) { return p.site && !p.other; });
    const auto split = std::ranges::count_if(places, [](const SitePlacement& p) { return p.other.has_value(); });
    return answer(
        {{"verdict", i18n("Jobs within one site: {}; across two sites: {}; waiting: {}.", whole, split, std::int64_t(places.size()) - whole - split)},
         {"jobs", jobs},
         {"links", wan},
         {"splits", compared}},
        {i18n("A job runs at the single site with the fewest free GPUs that can hold it; else across two linked sites, split by pipeline "
              "stages or data parallelism, whichever is faster, if its slowdown stays within {:g}; else it waits.",
              q.mostSlowDown),
         i18n("Iteration time within a site: 6 · parameters · tokens / (GPUs · peak · MFU). Across sites, gradients are reduced "
              "within the site first; jobs on a link share it evenly.")});
}

} // namespace

Analysis crossSiteAnalysis()
{
    return formAnalysis("cross-site", i18n("Jobs across sites and availability zones connected by WAN links: placement, split, slowdown"),
                        sitesForm(), runSites);
}

} // namespace questions
} // namespace hw::sim
