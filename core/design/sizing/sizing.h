// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/power.h"
#include "core/derived/figures/substations.h"
#include "core/design/count/count.h"
#include "core/foundation/base/progress.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>

/// Which designs reach a number of accelerators, and what each takes. Counts come from the template engine
/// without making a design (core/design/count/count.h) and are exact; what depends on cable lengths is an
/// estimate (README.md, "Lengths"). Safe on any thread; the result does not depend on the threads used.
namespace hw::sizing {

/// What is there for the whole design, other networks, storage and cooling included.
struct SizeLimits {
    std::optional<double> megawatts;       ///< of power, on the template's basis
    bool facility = false;                 ///< `megawatts` is what the site draws, cooling and losses (PUE) included; else IT power
    std::map<std::string, double> pueOf{}; ///< PUE by template that the search counts with; that of the template where there is none
    std::optional<std::int64_t> racks;
    struct Hall {
        double lengthM = 0, widthM = 0;
    };
    std::optional<Hall> hall; ///< one that everything stands in, inner size either way round
    [[nodiscard]] bool any() const { return megawatts || racks || hall; }
};

struct SizeRequest {
    std::int64_t accelerators = 0;     ///< active ones, at least; 0 with limits: as many as fit
    std::string acceleratorClass;      ///< "gpu", "tpu" …; empty: any, each ranked among its own
    std::string server;                ///< part slug, or a name as shown (parts_by_name.h); empty: any
    std::vector<std::string> switches; ///< the same of switches that the network may use; empty: any
    SizeLimits limits;
    std::optional<double> maxOversubscription; ///< end to end; 1 = full bisection
    std::optional<int> planes, tiers;          ///< of the sized network
    std::map<std::string, int> split;          ///< ports out of an uplink's socket by switch tier of the template; "": of every tier
    std::optional<std::int64_t> growTo;        ///< accelerators that the same design must be able to grow to
    std::vector<std::string> templates;        ///< names; empty: all
    unsigned threads = 0;                      ///< 0: one per processor
};

/// One switch tier of the sized network.
struct SizedTier {
    std::string name, label, type;
    int level = 0;
    std::int64_t switches = 0;
    double oversubscription = 1.0;
};

struct PortsLeft {
    std::string tier;
    PortRole role = PortRole::Down;
    Gbps rate;
    std::int64_t total = 0, used = 0;
    [[nodiscard]] std::int64_t left() const { return total - used; }
};

/// What the loss of one switch of the access tier does, by the wiring of the first server.
struct FailureImpact {
    std::string tier;              ///< empty: the network has no access tier
    std::int64_t switches = 0;     ///< of that tier
    double nicPortShare = 0;       ///< of all connected NIC ports
    std::int64_t accelerators = 0; ///< that lose bandwidth or their connection
    double acceleratorShare = 0;   ///< of the active ones
    double bandwidthLeft = 0;      ///< of a NIC that is hit; 0: it is cut off
    bool jobStops = true;          ///< some NIC depends on this switch alone
    /// For comparing designs: share of accelerators hit, and 1 more where the job stops.
    [[nodiscard]] double rank() const { return acceleratorShare + (jobStops ? 1.0 : 0.0); }
};

/// A sum of money with how far it can be trusted.
struct Price {
    Money total, assumed, estimated; ///< `assumed`: at assumed unit prices; `estimated`: quantities that rest on estimated lengths
    [[nodiscard]] double assumedShare() const { return total.count() ? double(assumed.count()) / double(total.count()) : 0.0; }
    [[nodiscard]] double estimatedShare() const { return total.count() ? double(estimated.count()) / double(total.count()) : 0.0; }
};

/// Cables and what plugs into them, from estimated lengths.
struct CableEstimate {
    std::map<std::string, std::int64_t> transceivers; ///< by part slug
    std::map<std::string, std::int64_t> cables;       ///< physical, by part slug; "unassigned" where nothing fits
    std::int64_t lengthMm = 0;                        ///< of all physical cables as bought
    std::int32_t longestMm = 0;
    std::int64_t beyondReach = 0; ///< physical cables that no set of parts reaches
};

/// What a scheduler's cluster size says about the number of servers.
struct SchedulerNote {
    Text limit;
    std::int64_t nodes = 0, servers = 0;
    Text source;
};

/// One of the limits that were asked for, and what a design takes of it.
struct LimitUse {
    std::string name;  ///< "power", "racks", "hall"
    Text label;        ///< the same for people
    Text taken, limit; ///< "17.6 MW", "18 MW"
    double share = 0;  ///< taken / limit; above 1: it does not fit
};

/// What one substation or feed of the utility delivers.
struct SiteSupply {
    SubstationSize station;
    double feedMva = 0;
};

/// One feasible design.
struct SizedDesign {
    std::string templateName, title;
    ParameterValues parameters;
    std::map<std::string, std::string> parameterTexts; ///< choices by their names
    std::string variant;                               ///< "pods 7, segments 15": what was grown or varied
    std::int64_t accelerators = 0, backupAccelerators = 0, servers = 0, backupServers = 0;
    std::string serverType, acceleratorClass; ///< class: "gpu", "tpu" …
    std::string network;                      ///< that was sized
    int planes = 1, rails = 1;
    bool railsApart = false;            ///< rails meet only in the hosts
    double teraflops = 0;               ///< of one accelerator, 16 bit, dense
    double accessGbps = 0;              ///< of one active accelerator into the sized network
    std::vector<SizedTier> tiers;       ///< from the servers up
    std::int64_t switches = 0;          ///< of the sized network
    std::int64_t switchesOfAll = 0;     ///< of every network of the design
    std::int64_t links = 0, cables = 0; ///< logical and physical, of the sized network; over panels cords and trunks
    std::int64_t panels = 0;            ///< patch panels of the sized network
    double oversubscription = 1.0;      ///< end to end, as in the report
    std::vector<PortsLeft> ports;       ///< of the sized network's switches
    CableEstimate cabling;              ///< of the sized network
    PowerBasis basis = PowerBasis::Design;
    std::array<Milliwatts, kPowerBases> power{};      ///< servers and the sized network
    std::array<Milliwatts, kPowerBases> powerOfAll{}; ///< everything that the template counts
    double pue = 1.2, constantPue = 1.2;              ///< constantPue: of the template
    Milliwatts campusIt, facility;                    ///< of everything that the template counts
    std::string facilityBasis = "constant"; ///< of `pue`: "losses" of the design, made for that, "losses-of-smaller", or its template's constant
    std::int64_t pueAccelerators = 0;       ///< of the smaller design that `pue` is of; 0: there is none
    SiteSupply supply;
    Milliwatts siteLimit;                      ///< IT limits of the pod buildings, 0 = none stated
    std::int64_t buildings = 0;                ///< pod buildings
    std::int64_t racks = 0;                    ///< of the whole template
    bool racksEstimated = false;               ///< where the engine lays the design out
    std::vector<std::array<double, 2>> hallsM; ///< inner sizes of all halls, the longer side first
    std::string currency = "USD";
    Price price; ///< servers, the sized network, its transceivers and cables
    FailureImpact failure;
    std::int64_t reach = 0; ///< accelerators that the same variant grows to
    ParameterValues reachParameters;
    Text reachLimit; ///< why it ends there
    std::vector<SchedulerNote> schedulers;
    std::vector<LimitUse> limits; ///< those asked for, in their order
    Text binding;                 ///< what keeps the design from being larger: "power 18.6 MW of 18.00 MW in the next larger design, …"
    double sizeObjective =
        0; ///< smaller is better: whole percents more accelerators than asked, or minus their number where as many as fit are wanted
    bool pareto = false;
    std::optional<std::size_t> dominatedBy; ///< place in the answer of a Pareto-optimal design that is nowhere worse
    Text explanation;                       ///< of a dominated one: by whom, and by how much
    Text tierNote;                          ///< "3 tiers needed above 2,048" where the same template does with fewer below

    [[nodiscard]] Milliwatts powerAtBasis() const { return power[std::size_t(basis)]; }
    /// Smaller is better: price, switches, oversubscription, failure impact, power, accelerators beyond what was asked;
    /// then what makes designs comparable: rails apart, speed of an accelerator and of its access (negative, as more is better).
    [[nodiscard]] std::array<double, 9> objectives() const;
};

/// What kind of reason keeps a design from answering, in the order in which they are shown.
enum class Refusal : std::uint8_t {
    Limit,       ///< power, racks or hall
    Scale,       ///< it ends below the number requested
    Requirement, ///< other parts, planes, tiers, oversubscription or growth than requested
    Wiring       ///< it cannot be built from these parts
};
[[nodiscard]] Text refusalText(Refusal refusal);
[[nodiscard]] std::string_view refusalWord(Refusal refusal); ///< "limit", "scale" … in files

/// A template, or a variant of one, that does not answer the request.
struct RefusedDesign {
    std::string templateName, title, variant;
    std::int64_t reach = 0; ///< accelerators that it grows to, 0 = unknown
    int tiers = 0;          ///< switch tiers, 0 = unknown
    Text reason;
    Refusal kind = Refusal::Wiring;
};

/// The most that any matching template reaches with so many switch tiers.
struct TierLimit {
    int tiers = 0;
    std::int64_t reach = 0;
    std::string templateName, variant;
};

struct SizeAnswer {
    SizeRequest request;
    std::vector<SizedDesign> designs;   ///< Pareto-optimal ones first, then by price, template, parameters
    std::vector<RefusedDesign> refused; ///< in the order of templates
    std::vector<TierLimit> tierLimits;  ///< by tiers
};

/// "GPUs", "TPUs": how people call accelerators of a class.
[[nodiscard]] Text className(const std::string& acceleratorClass);

/// Errors: Usage for an unknown template, part or class, Refused for a request without sense, Canceled.
/// A request that no design answers is an answer without designs.
[[nodiscard]] Result<SizeAnswer> size(const SizeRequest& request, const std::vector<Template>& templates, const Catalog& catalog,
                                      const Progress& progress = {});

/// Schema hallwright.size/1.
[[nodiscard]] nlohmann::ordered_json sizeJson(const SizeAnswer& answer);
/// For people, at most 100 columns.
[[nodiscard]] std::string sizeText(const SizeAnswer& answer);

} // namespace hw::sizing
