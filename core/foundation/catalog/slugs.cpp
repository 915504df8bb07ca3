// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/slugs.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>

namespace hw::catalog {
namespace {

using Words = std::string_view;

/// True when `word` stands in the blank-separated `list`.
bool among(Words list, std::string_view word)
{
    if (word.empty() || word.find(' ') != word.npos) return false;
    for (std::size_t at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
        const auto end = at + word.size();
        if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
    }
    return false;
}

constexpr Words kInterfaces =
    "other " // no text
    "100base-fx 100base-lfx 100base-tx 100base-t1 10base-t1s "
    "1000base-t 1000base-bx10-d 1000base-bx10-u 1000base-cx 1000base-cwdm 1000base-dwdm 1000base-ex 1000base-lsx 1000base-lx "
    "1000base-lx10 1000base-sx 1000base-tx 1000base-zx 1000base-x-gbic 1000base-x-sfp 1000base-kx "
    "2.5gbase-t 2.5gbase-kx 5gbase-t 5gbase-kr "
    "10gbase-t 10gbase-br-d 10gbase-br-u 10gbase-cx4 10gbase-cu 10gbase-er 10gbase-lr 10gbase-lrm 10gbase-lx4 10gbase-sr 10gbase-zr "
    "10gbase-x-sfpp 10gbase-x-xfp 10gbase-x-xenpak 10gbase-x-x2 10gbase-kr 10gbase-kx4 "
    "25gbase-cr 25gbase-er 25gbase-lr 25gbase-sr 25gbase-t 25gbase-x-sfp28 25gbase-kr "
    "40gbase-cr4 40gbase-er4 40gbase-fr4 40gbase-lr4 40gbase-sr4 40gbase-sr4-bd 40gbase-x-qsfpp 40gbase-kr4 "
    "50gbase-cr 50gbase-er 50gbase-fr 50gbase-lr 50gbase-sr 50gbase-x-sfp56 50gbase-x-sfp28 50gbase-kr "
    "100gbase-cr1 100gbase-cr2 100gbase-cr4 100gbase-cr10 100gbase-cwdm4 100gbase-dr 100gbase-er4 100gbase-fr1 100gbase-lr1 "
    "100gbase-lr4 100gbase-sr1 100gbase-sr1.2 100gbase-sr2 100gbase-sr4 100gbase-sr10 100gbase-zr "
    "100gbase-x-cfp 100gbase-x-cfp2 100gbase-x-cfp4 100gbase-x-cxp 100gbase-x-cpak 100gbase-x-dsfp 100gbase-x-sfpdd "
    "100gbase-x-qsfp28 100gbase-x-qsfpdd 100gbase-x-sfp112 100gbase-kp4 100gbase-kr2 100gbase-kr4 "
    "200gbase-cr2 200gbase-cr4 200gbase-sr2 200gbase-sr4 200gbase-dr4 200gbase-fr4 200gbase-lr4 200gbase-er4 200gbase-vr2 "
    "200gbase-x-cfp2 200gbase-x-qsfp56 200gbase-x-qsfpdd "
    "400gbase-cr4 400gbase-dr4 400gbase-er8 400gbase-fr4 400gbase-fr8 400gbase-lr4 400gbase-lr8 400gbase-sr4 400gbase-sr4_2 "
    "400gbase-sr8 400gbase-sr16 400gbase-vr4 400gbase-zr "
    "400gbase-x-qsfp112 400gbase-x-qsfpdd 400gbase-x-osfp 400gbase-x-osfp-rhs 400gbase-x-cdfp 400gbase-x-cfp2 400gbase-x-cfp8 "
    "800gbase-cr8 800gbase-dr8 800gbase-sr8 800gbase-vr8 800gbase-x-qsfpdd 800gbase-x-osfp "
    "1.6tbase-cr8 1.6tbase-dr8 1.6tbase-dr8-2 1.6tbase-kr8 1.6tbase-x-osfp1600 1.6tbase-x-osfp1600-rhs 1.6tbase-x-qsfpdd1600 "
    "1gfc-sfp 2gfc-sfp 4gfc-sfp 8gfc-sfpp 16gfc-sfpp 32gfc-sfp28 32gfc-sfpp 64gfc-qsfpp 64gfc-sfpdd 64gfc-sfpp 128gfc-qsfp28 "
    "infiniband-sdr infiniband-ddr infiniband-qdr infiniband-fdr10 infiniband-fdr infiniband-edr infiniband-hdr infiniband-ndr "
    "infiniband-xdr "
    "sonet-oc3 sonet-oc12 sonet-oc48 sonet-oc192 sonet-oc768 sonet-oc1920 sonet-oc3840 t1 e1 t3 e3 xdsl docsis moca "
    "bpon epon 10g-epon gpon xg-pon xgs-pon ng-pon2 25g-pon 50g-pon "
    "cisco-stackwise cisco-stackwise-plus cisco-flexstack cisco-flexstack-plus cisco-stackwise-80 cisco-stackwise-160 cisco-stackwise-320 "
    "cisco-stackwise-480 cisco-stackwise-1t juniper-vcp extreme-summitstack extreme-summitstack-128 extreme-summitstack-256 extreme-summitstack-512";

/// Interfaces that no cable is plugged into.
constexpr Words kUncabled = "virtual bridge lag channel other-wireless gsm cdma lte 4g 5g " // no text
                            "ieee802.11a ieee802.11g ieee802.11n ieee802.11ac ieee802.11ad ieee802.11ax ieee802.11ay ieee802.11be ieee802.15.1 "
                            "ieee802.15.4";

constexpr Words kAirflows = "front-to-rear rear-to-front left-to-right right-to-left side-to-rear rear-to-side bottom-to-top " // no text
                            "top-to-bottom passive mixed";

constexpr Words kIec60309 = "iec-60309-p-n-e-4h iec-60309-p-n-e-6h iec-60309-p-n-e-9h iec-60309-2p-e-4h iec-60309-2p-e-6h " // no text
                            "iec-60309-2p-e-9h iec-60309-3p-e-4h iec-60309-3p-e-6h iec-60309-3p-e-9h iec-60309-3p-n-e-4h "
                            "iec-60309-3p-n-e-6h iec-60309-3p-n-e-9h iec-60906-1 dc-terminal saf-d-grid hardwired other "
                            "molex-micro-fit-1x2 molex-micro-fit-2x2 molex-micro-fit-2x4 neutrik-powercon-true1 "
                            "neutrik-powercon-true1-top ubiquiti-smartpower";
constexpr Words kInlets = "iec-60320-c6 iec-60320-c8 iec-60320-c14 iec-60320-c16 iec-60320-c18 iec-60320-c20 iec-60320-c22 "
                          "cs6361c cs6365c cs8165c cs8265c cs8365c cs8465c eaton-c39 eaton-c49 neutrik-powercon-20 neutrik-powercon-32";
constexpr Words kOutlets = "iec-60320-c5 iec-60320-c7 iec-60320-c13 iec-60320-c15 iec-60320-c17 iec-60320-c19 iec-60320-c21 " // no text
                           "CS6360C CS6364C CS8164C CS8264C CS8364C CS8464C hdot-cx eaton-c39 neutrik-powercon-20a neutrik-powercon-32a";

constexpr Words kCables = "cat3 cat5 cat5e cat6 cat6a cat7 cat7a cat8 mrj21-trunk dac-active dac-passive coaxial mmf mmf-om1 mmf-om2 " // no text
                          "mmf-om3 mmf-om4 mmf-om5 smf smf-os1 smf-os2 aoc power usb";
constexpr Words kCouplings = "uqd-02 uqd-04 uqd-06 uqd-08 lqc-1in bmqc pbmc " // no text
                             "flange-dn25 flange-dn32 flange-dn40 flange-dn50 flange-dn65 flange-dn80 flange-dn100 flange-dn125 flange-dn150 "
                             "flange-dn200 flange-dn250 flange-dn300";
constexpr Words kFormFactors = "2-post-frame 4-post-frame 4-post-cabinet wall-frame wall-frame-vertical wall-cabinet " // no text
                               "wall-cabinet-vertical";

/// NEMA and ITA sockets come in regular series: nema-l6-30p, ita-e.
bool isSeries(std::string_view slug, char end)
{
    return (slug.starts_with("nema-") && slug.ends_with(end)) || slug.starts_with("ita-") || slug.starts_with("usb-") ||
           slug.starts_with("nbr-14136-");
}

} // namespace

bool isInterfaceSlug(std::string_view slug) { return among(kInterfaces, slug) || isUncabled(slug); }
bool isUncabled(std::string_view slug) { return among(kUncabled, slug); }
bool isSocketSlug(std::string_view slug) { return isInterfaceSlug(slug) || slug == "800gbase-x-osfp-rhs"; }
bool isAirflowSlug(std::string_view slug) { return among(kAirflows, slug); }
bool isPowerPortSlug(std::string_view slug) { return among(kIec60309, slug) || among(kInlets, slug) || isSeries(slug, 'p'); }
bool isPowerOutletSlug(std::string_view slug) { return among(kIec60309, slug) || among(kOutlets, slug) || isSeries(slug, 'r'); }
bool isCableSlug(std::string_view slug) { return among(kCables, slug) || slug == "coolant"; }
bool isCoolantConnector(std::string_view slug) { return among(kCouplings, slug); }
bool isFormFactor(std::string_view slug) { return among(kFormFactors, slug); }

Gbps rateOfSlug(std::string_view slug)
{
    constexpr std::array<std::pair<std::string_view, int>, 5> kInfiniband{
        {{"infiniband-fdr", 56}, {"infiniband-edr", 100}, {"infiniband-hdr", 200}, {"infiniband-ndr", 400}, {"infiniband-xdr", 800}}};
    for (const auto& [name, rate] : kInfiniband)
        if (slug == name) return Gbps(rate);
    double value = 0;
    const auto [end, error] = std::from_chars(slug.data(), slug.data() + slug.size(), value);
    if (error != std::errc()) return Gbps(0);
    const auto rest = slug.substr(std::size_t(end - slug.data()));
    if (rest.starts_with("gbase")) return Gbps(std::int32_t(value));
    if (rest.starts_with("tbase")) return Gbps(std::int32_t(value * 1000 + 0.5));
    return Gbps(rest.starts_with("base") ? std::int32_t(value / 1000) : 0);
}

} // namespace hw::catalog
