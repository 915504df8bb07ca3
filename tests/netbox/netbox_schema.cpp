// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/netbox/netbox_schema.h"

#include <set>
#include <sstream>

namespace netbox_schema {

namespace {

using enum Kind;

std::set<std::string> words(const std::string& text)
{
    std::istringstream in(text);
    std::set<std::string> all;
    for (std::string word; in >> word;) all.insert(word);
    return all;
}

std::set<std::string> cross(const std::string& prefix, const std::string& list)
{
    std::set<std::string> all;
    for (const auto& word : words(list)) all.insert(prefix + word);
    return all;
}

std::set<std::string> interfaceTypes()
{
    auto all = words("virtual bridge lag 100base-tx 1000base-t 2.5gbase-t 5gbase-t 10gbase-t 1000base-x-sfp 10gbase-x-sfpp 25gbase-x-sfp28 "
                     "40gbase-x-qsfpp 50gbase-x-sfp56 100gbase-x-qsfp28 ieee802.11ax other");
    for (const auto& [prefix, list] : std::initializer_list<std::pair<const char*, const char*>>{
             {"100gbase-x-", "cfp cfp2 cfp4 cxp cpak dsfp sfp112 sfpdd qsfp28 qsfpdd"},
             {"200gbase-x-", "cfp2 qsfp56 qsfpdd"},
             {"400gbase-x-", "cfp2 qsfp112 qsfpdd osfp osfp-rhs cdfp cfp8"},
             {"800gbase-x-", "qsfpdd osfp"},
             {"1.6tbase-x-", "osfp1600 osfp1600-rhs qsfpdd1600"},
             {"100gbase-", "cr1 cr2 cr4 cr10 cwdm4 dr fr1 er4 lr1 lr4 sr1 sr1.2 sr2 sr4 sr10 zr kp4 kr2 kr4"},
             {"200gbase-", "cr2 cr4 sr2 sr4 dr4 fr4 lr4 er4 vr2"},
             {"400gbase-", "cr4 dr4 er8 fr4 fr8 lr4 lr8 sr4 sr4_2 sr8 sr16 vr4 zr"},
             {"800gbase-", "cr8 dr8 sr8 vr8"},
             {"1.6tbase-", "cr8 dr8 dr8-2 kr8"},
             {"infiniband-", "sdr ddr qdr fdr10 fdr edr hdr ndr xdr"}})
        all.merge(cross(prefix, list));
    return all;
}

std::set<std::string> powerPorts(bool outlet)
{
    auto all = cross("iec-60320-", outlet ? "c5 c7 c13 c15 c19 c21" : "c6 c8 c14 c16 c20 c22");
    for (const char* poles : {"p-n-e", "2p-e", "3p-e", "3p-n-e"})
        for (const char* hour : {"-4h", "-6h", "-9h"}) all.insert(std::string("iec-60309-") + poles + hour);
    all.merge(words("nema-l6-20p nema-l6-30p nema-l6-20r nema-l6-30r saf-d-grid dc-terminal hardwired other"));
    all.insert(outlet ? "CS8364C" : "CS8365C");
    return all;
}

std::set<std::string> portTypes()
{
    auto all = words("8p8c mpo cs sn mdc st mtrj splice urm-p2 urm-p4 urm-p8 other");
    for (const auto& kind : words("lc sc fc mu lsh lx5"))
        for (const char* polish : {"", "-pc", "-upc", "-apc"}) all.insert(kind + polish);
    return all;
}

const std::map<std::string, std::set<std::string>>& choices()
{
    static const std::map<std::string, std::set<std::string>> all{
        {"site", words("planned staging active decommissioning retired")},
        {"rack", words("reserved available planned active deprecated")},
        {"device", words("offline active planned staged failed inventory decommissioning")},
        {"feed", words("offline active planned failed")},
        {"cable", words("connected planned decommissioning")},
        {"reservation", words("pending active stale")},
        {"interface", interfaceTypes()},
        {"cabletype", words("cat3 cat5 cat5e cat6 cat6a cat7 cat7a cat8 mrj21-trunk dac-active dac-passive coaxial mmf mmf-om1 mmf-om2 mmf-om3 "
                            "mmf-om4 mmf-om5 smf smf-os1 smf-os2 aoc power usb")},
        {"profile", words("single-1c1p single-1c2p single-1c4p single-1c6p single-1c8p single-1c12p single-1c16p trunk-2c1p trunk-2c2p trunk-2c4p "
                          "trunk-2c6p trunk-2c8p trunk-2c12p trunk-2c4p-shuffle trunk-4c1p trunk-4c2p trunk-4c4p trunk-4c6p trunk-4c8p "
                          "trunk-4c4p-shuffle trunk-8c4p breakout-1c2p-2c1p breakout-1c4p-4c1p breakout-1c6p-6c1p breakout-1c8p-8c1p "
                          "breakout-2c4p-8c1p-shuffle")},
        {"lengthunit", words("km m cm mi ft in")},
        {"outerunit", words("mm in")},
        {"weightunit", words("kg g lb oz")},
        {"port", portTypes()},
        {"powerport", powerPorts(false)},
        {"poweroutlet", powerPorts(true)},
        {"leg", words("A B C")},
        {"form", words("2-post-frame 4-post-frame 4-post-cabinet wall-frame wall-frame-vertical wall-cabinet wall-cabinet-vertical")},
        {"airflow",
         words("front-to-rear rear-to-front left-to-right right-to-left side-to-rear rear-to-side bottom-to-top top-to-bottom passive mixed")},
        {"rackairflow", words("front-to-rear rear-to-front")},
        {"face", words("front rear")},
        {"role", words("parent child")},
        {"feedtype", words("primary redundant")},
        {"supply", words("ac dc")},
        {"phase", words("single-phase three-phase")},
        {"coolingsource", words("chiller cooling-tower dry-cooler crac crah")},
        {"fluid", words("water water-glycol dielectric refrigerant")},
        {"flowunit", words("lpm m3ph gpm")},
        {"coupling", words("uqd uqdb qdc camlock npt bsp proprietary")},
        {"diameterunit", words("mm cm in")},
        {"method", words("air liquid hybrid immersion")},
        {"capability", words("air-only hybrid liquid-only")},
        {"console", words("de-9 db-25 rj-11 rj-12 rj-45 usb-a usb-b usb-c usb-mini-a usb-micro-b other")},
        {"customfield", words("text longtext integer decimal boolean date datetime url json select multiselect object multiobject")},
    };
    return all;
}

Field req(std::string name, Kind kind, std::string of = {}, int most = 100) { return {std::move(name), kind, true, std::move(of), most, {}}; }
Field opt(std::string name, Kind kind, std::string of = {}, int most = 0, std::string without = {}, int since = 4, int until = 99)
{
    return {std::move(name), kind, false, std::move(of), most, std::move(without), since, until};
}

std::vector<Field> with(std::vector<Field> fields)
{
    for (const auto& [name, most] : std::initializer_list<std::pair<const char*, int>>{{"description", 200}, {"comments", 0}})
        fields.push_back(opt(name, Text, {}, most));
    fields.push_back(opt("tags", Tags));
    fields.push_back(opt("custom_fields", CustomFields));
    return fields;
}

std::map<std::string, Table> made()
{
    std::map<std::string, Table> all;
    const auto add = [&](std::string name, std::string type, std::vector<Field> fields, std::vector<std::vector<std::string>> keys,
                         int since = 4) -> Table& {
        Table& table = all[name];
        table = {name, std::move(type), std::move(fields), std::move(keys), since};
        return table;
    };
    const Field name = req("name", Text), slug = req("slug", Slug), part = req("name", Text, {}, 64);
    const Field status4 = opt("status", Choice, "site", 0, "active");
    add("extras/tags", "extras.tag", {name, slug, opt("color", Text, {}, 6), opt("description", Text, {}, 200), opt("object_types", Json)},
        {{"name"}, {"slug"}});
    add("extras/custom-field-choice-sets", "extras.customfieldchoiceset", {name, req("extra_choices", Json), opt("description", Text, {}, 200)},
        {{"name"}})
        .branched = false;
    add("extras/custom-fields", "extras.customfield",
        {req("object_types", Json), req("type", Choice, "customfield"), req("name", Text, {}, 50), opt("label", Text, {}, 50),
         opt("group_name", Text, {}, 50), opt("description", Text, {}, 200), opt("required", Bool),
         opt("choice_set", Ref, "extras/custom-field-choice-sets"), opt("default", Json)},
        {{"name"}})
        .branched = false;
    add("dcim/regions", "dcim.region", with({name, slug, opt("parent", Ref, "dcim/regions")}), {{"parent", "name"}, {"parent", "slug"}});
    add("dcim/site-groups", "dcim.sitegroup", with({name, slug, opt("parent", Ref, "dcim/site-groups")}), {{"parent", "name"}});
    add("dcim/sites", "dcim.site",
        with({name, slug, status4, opt("region", Ref, "dcim/regions"), opt("group", Ref, "dcim/site-groups"), opt("facility", Text, {}, 50),
              opt("physical_address", Text, {}, 200), opt("latitude", Number), opt("longitude", Number)}),
        {{"name"}, {"slug"}});
    add("dcim/locations", "dcim.location",
        with({name, slug, req("site", Ref, "dcim/sites"), opt("parent", Ref, "dcim/locations"), status4, opt("facility", Text, {}, 50)}),
        {{"site", "parent", "name"}, {"site", "parent", "slug"}});
    add("dcim/manufacturers", "dcim.manufacturer", with({name, slug}), {{"name"}, {"slug"}});
    add("dcim/platforms", "dcim.platform", with({name, slug, opt("manufacturer", Ref, "dcim/manufacturers")}), {{"name"}, {"slug"}});
    add("dcim/device-roles", "dcim.devicerole",
        with({name, slug, opt("color", Text, {}, 6), opt("vm_role", Bool), opt("parent", Ref, "dcim/device-roles")}), {{"name"}, {"slug"}});
    add("dcim/rack-roles", "dcim.rackrole", with({name, slug, opt("color", Text, {}, 6)}), {{"name"}, {"slug"}});
    const std::vector<Field> rackBody{opt("width", Int, {}, 23),
                                      opt("u_height", Int, {}, 100),
                                      opt("starting_unit", Int, {}, 32767),
                                      opt("desc_units", Bool),
                                      opt("outer_width", Int, {}, 32767),
                                      opt("outer_height", Int, {}, 32767),
                                      opt("outer_depth", Int, {}, 32767),
                                      opt("outer_unit", Choice, "outerunit"),
                                      opt("mounting_depth", Int, {}, 32767),
                                      opt("weight", Number),
                                      opt("max_weight", Int, {}, 2147483647),
                                      opt("weight_unit", Choice, "weightunit"),
                                      opt("cooling_capability", Choice, "capability", 0, {}, 7),
                                      opt("cooling_capacity", Number, {}, 0, {}, 7)};
    auto rackType = with({req("manufacturer", Ref, "dcim/manufacturers"), req("model", Text), slug, req("form_factor", Choice, "form")});
    rackType.insert(rackType.end(), rackBody.begin(), rackBody.end());
    add("dcim/rack-types", "dcim.racktype", rackType, {{"slug"}, {"manufacturer", "model"}});
    add("dcim/rack-groups", "dcim.rackgroup", with({name, slug}), {{"name"}, {"slug"}}, 6);
    auto rack = with({name, req("site", Ref, "dcim/sites"), opt("location", Ref, "dcim/locations"), opt("rack_type", Ref, "dcim/rack-types"),
                      opt("status", Choice, "rack", 0, "active"), opt("facility_id", Text, {}, 50), opt("role", Ref, "dcim/rack-roles"),
                      opt("serial", Text, {}, 50), opt("asset_tag", Text, {}, 50), opt("form_factor", Choice, "form"),
                      opt("airflow", Choice, "rackairflow"), opt("group", Ref, "dcim/rack-groups", 0, {}, 6)});
    rack.insert(rack.end(), rackBody.begin(), rackBody.end());
    add("dcim/racks", "dcim.rack", rack, {{"location", "name"}, {"location", "facility_id"}, {"asset_tag"}});
    add("dcim/rack-reservations", "dcim.rackreservation",
        with({req("rack", Ref, "dcim/racks"), req("units", Json), req("user", Int, {}, 1 << 30), req("description", Text, {}, 200),
              opt("status", Choice, "reservation", 0, "active")}),
        {});
    add("dcim/device-types", "dcim.devicetype",
        with({req("manufacturer", Ref, "dcim/manufacturers"), req("model", Text), slug, opt("u_height", Number), opt("is_full_depth", Bool),
              opt("part_number", Text, {}, 50), opt("airflow", Choice, "airflow"), opt("weight", Number), opt("weight_unit", Choice, "weightunit"),
              opt("subdevice_role", Choice, "role"), opt("exclude_from_utilization", Bool), opt("cooling_method", Choice, "method", 0, {}, 7)}),
        {{"manufacturer", "model"}, {"manufacturer", "slug"}});
    add("dcim/module-types", "dcim.moduletype",
        with({req("manufacturer", Ref, "dcim/manufacturers"), req("model", Text), opt("part_number", Text, {}, 50)}), {{"manufacturer", "model"}});
    const auto components = [&](const std::string& plural, const std::string& singular, const std::vector<Field>& own) {
        std::vector<Field> ofType{req("device_type", Ref, "dcim/device-types"), part, opt("label", Text, {}, 64), opt("description", Text, {}, 200)};
        std::vector<Field> ofDevice = with({req("device", Ref, "dcim/devices"), part, opt("label", Text, {}, 64)});
        for (Field field : own) {
            ofDevice.push_back(field);
            if (field.of == "dcim/power-ports") field.of = "dcim/power-port-templates";
            if (field.of == "dcim/rear-ports") field.of = "dcim/rear-port-templates";
            if (field.name != "mark_connected" && field.name != "speed" && field.name != "lag") ofType.push_back(field);
        }
        add("dcim/" + singular + "-templates", "dcim." + singular + "template", ofType, {{"device_type", "name"}});
        std::string type = singular;
        std::erase(type, '-');
        add("dcim/" + plural, "dcim." + type, ofDevice, {{"device", "name"}});
    };
    components("interfaces", "interface",
               {req("type", Choice, "interface"), opt("enabled", Bool), opt("mgmt_only", Bool), opt("speed", Int, {}, 2147483647),
                opt("mark_connected", Bool), opt("lag", Ref, "dcim/interfaces"), opt("mtu", Int, {}, 65536)});
    components("power-ports", "power-port",
               {opt("type", Choice, "powerport"), opt("maximum_draw", Int, {}, 2147483647), opt("allocated_draw", Int, {}, 2147483647),
                opt("mark_connected", Bool)});
    components("power-outlets", "power-outlet",
               {opt("type", Choice, "poweroutlet"), opt("power_port", Ref, "dcim/power-ports"), opt("feed_leg", Choice, "leg"),
                opt("mark_connected", Bool)});
    components("console-ports", "console-port", {opt("type", Choice, "console"), opt("mark_connected", Bool)});
    components("rear-ports", "rear-port", {req("type", Choice, "port"), opt("positions", Int, {}, 1024), opt("mark_connected", Bool)});
    components("front-ports", "front-port",
               {req("type", Choice, "port"), opt("mark_connected", Bool), opt("positions", Int, {}, 1024, {}, 5),
                opt("rear_ports", Mappings, {}, 0, {}, 5), opt("rear_port", Ref, "dcim/rear-ports", 0, {}, 4, 4),
                opt("rear_port_position", Int, {}, 1024, {}, 4, 4)});
    components("module-bays", "module-bay", {opt("position", Text, {}, 30)});
    components("device-bays", "device-bay", {});
    all["dcim/device-bays"].fields.push_back(opt("installed_device", Ref, "dcim/devices"));
    auto device =
        with({opt("name", Text, {}, 64), req("device_type", Ref, "dcim/device-types"), req("role", Ref, "dcim/device-roles"),
              req("site", Ref, "dcim/sites"), opt("location", Ref, "dcim/locations"), opt("rack", Ref, "dcim/racks"), opt("position", Number),
              opt("face", Choice, "face"), opt("status", Choice, "device", 0, "active"), opt("serial", Text, {}, 50), opt("asset_tag", Text, {}, 50),
              opt("airflow", Choice, "airflow"), opt("platform", Ref, "dcim/platforms"), opt("virtual_chassis", Ref, "dcim/virtual-chassis"),
              opt("vc_position", Int, {}, 255), opt("cooling_method", Choice, "method", 0, {}, 7)});
    add("dcim/devices", "dcim.device", device, {{"site", "name"}, {"asset_tag"}}).oneByOne = true;
    add("dcim/virtual-chassis", "dcim.virtualchassis", with({req("name", Text, {}, 64), opt("master", Ref, "dcim/devices")}), {});
    add("dcim/modules", "dcim.module",
        with({req("device", Ref, "dcim/devices"), req("module_bay", Ref, "dcim/module-bays"), req("module_type", Ref, "dcim/module-types"),
              opt("status", Choice, "device", 0, "active"), opt("serial", Text, {}, 50)}),
        {{"module_bay"}});
    add("dcim/inventory-items", "dcim.inventoryitem",
        with({req("device", Ref, "dcim/devices"), part, opt("label", Text, {}, 64), opt("parent", Ref, "dcim/inventory-items"),
              opt("manufacturer", Ref, "dcim/manufacturers"), opt("part_id", Text, {}, 50), opt("serial", Text, {}, 50)}),
        {{"device", "parent", "name"}});
    add("dcim/power-panels", "dcim.powerpanel", with({name, req("site", Ref, "dcim/sites"), opt("location", Ref, "dcim/locations")}),
        {{"site", "name"}});
    add("dcim/power-feeds", "dcim.powerfeed",
        with({name, req("power_panel", Ref, "dcim/power-panels"), opt("rack", Ref, "dcim/racks"), opt("status", Choice, "feed", 0, "active"),
              opt("type", Choice, "feedtype", 0, "primary"), opt("supply", Choice, "supply", 0, "ac"),
              opt("phase", Choice, "phase", 0, "single-phase"), opt("voltage", Int, {}, 32767), opt("amperage", Int, {}, 32767),
              opt("max_utilization", Int, {}, 100), opt("mark_connected", Bool)}),
        {{"power_panel", "name"}});
    add("dcim/cooling-sources", "dcim.coolingsource",
        with({name, req("site", Ref, "dcim/sites"), opt("location", Ref, "dcim/locations"), req("type", Choice, "coolingsource"),
              opt("status", Choice, "feed", 0, "active"), opt("fluid_type", Choice, "fluid"), opt("cooling_capacity", Number)}),
        {{"site", "name"}}, 7);
    add("dcim/cooling-feeds", "dcim.coolingfeed",
        with({name, req("cooling_source", Ref, "dcim/cooling-sources"), opt("rack", Ref, "dcim/racks"), opt("status", Choice, "feed", 0, "active"),
              opt("cooling_capacity", Number), opt("max_flow", Number), opt("max_flow_unit", Choice, "flowunit")}),
        {{"cooling_source", "name"}}, 7);
    add("dcim/cooling-outflows", "dcim.coolingoutflow",
        with({req("device", Ref, "dcim/devices"), part, opt("label", Text, {}, 64), opt("type", Choice, "coupling"), opt("diameter", Number),
              opt("diameter_unit", Choice, "diameterunit"), opt("cooling_intake", Ref, "dcim/cooling-intakes")}),
        {{"device", "name"}}, 7);
    add("dcim/cooling-intakes", "dcim.coolingintake",
        with({req("device", Ref, "dcim/devices"), part, opt("label", Text, {}, 64), opt("type", Choice, "coupling"), opt("diameter", Number),
              opt("diameter_unit", Choice, "diameterunit"), opt("max_flow", Number), opt("max_flow_unit", Choice, "flowunit"),
              opt("cooling_outflow", Ref, "dcim/cooling-outflows")}),
        {{"device", "name"}}, 7);
    add("dcim/cable-bundles", "dcim.cablebundle", with({name}), {{"name"}}, 6);
    add("dcim/cables", "dcim.cable",
        with({req("a_terminations", Terminations, "A"), req("b_terminations", Terminations, "B"), opt("type", Choice, "cabletype"),
              opt("status", Choice, "cable", 0, "connected"), opt("label", Text, {}, 100), opt("color", Text, {}, 6), opt("length", Number),
              opt("length_unit", Choice, "lengthunit"), opt("profile", Choice, "profile", 0, {}, 5),
              opt("bundle", Ref, "dcim/cable-bundles", 0, {}, 6)}),
        {});
    auto& branches =
        add("plugins/branching/branches", "netbox_branching.branch", {name, opt("description", Text, {}, 200), opt("comments", Text)}, {{"name"}});
    branches.branched = false;
    return all;
}

} // namespace

const std::map<std::string, Table>& tables()
{
    static const auto all = made();
    return all;
}

bool allows(const std::string& list, const std::string& value, int minor)
{
    const auto found = choices().find(list);
    if (found == choices().end() || !found->second.contains(value)) return false;
    return !(minor == 7 && value == "100gbase-x-sfp112"); // missing in the beta
}

} // namespace netbox_schema
