// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What a NetBox installation holds, as far as a design asks for it: read from the REST API or from exported files, and written into a design.
namespace hw::importers::netbox_in {

/// Kinds of objects, each a list of NetBox.
enum class Kind : std::uint8_t {
    Sites,
    Locations,
    RackTypes,
    Racks,
    DeviceTypes,
    Devices,
    Interfaces,
    PowerPorts,
    PowerOutlets,
    FrontPorts,
    RearPorts,
    CoolingIntakes,
    CoolingOutflows,
    PowerPanels,
    PowerFeeds,
    CoolingSources,
    CoolingFeeds,
    Cables,
    InventoryItems,
    Floorplans,
    Tags,
    Other ///< known to NetBox, and nothing for a design: platforms, prefixes …
};

/// Another object as NetBox names it: by number, or in files by name. What is missing is 0 or empty.
struct Ref {
    std::int64_t id = 0;
    std::string name, slug;
    [[nodiscard]] bool empty() const { return id == 0 && name.empty() && slug.empty(); }
};

constexpr std::size_t kNone = std::size_t(-1);

struct Object {
    std::int64_t id = 0; ///< 0: a file that has none
    std::string name, slug;
    std::string where; ///< FILE:LINE or URL
};
struct TagName {
    std::string slug, name, color; ///< what is not stated is empty: files name tags by one of the first two
};
/// An object whose tags are kept.
struct Tagged : Object {
    std::vector<TagName> tags;
};
struct Site : Tagged {};
/// A place in a hall, mm and degrees counter-clockwise: the lower corner of a footprint.
struct Spot {
    std::optional<double> x, y, z, rotation, sizeX, sizeY; ///< size: of a location
    std::string row, mount;                                ///< row of racks; side of the rack of a 0U device
    std::optional<bool> backup;                            ///< of a server; without it the name of its role tells
    [[nodiscard]] bool placed() const { return x && y; }
};
struct Location : Tagged {
    Ref site, parent;
    Spot spot;
    std::size_t inSite = kNone, inParent = kNone; ///< resolved
};
/// What a rack and a rack type state alike. 0 or empty: not stated.
struct RackSize {
    std::string formFactor, outerUnit, weightUnit;
    int width = 0, units = 0, startingUnit = 1;
    bool fromTop = false; ///< desc_units: units are numbered from the top
    double outerWidth = 0, outerHeight = 0, outerDepth = 0, mountingDepth = 0, weight = 0, maxWeight = 0;
};
struct RackType : Object {
    std::string manufacturer, model;
    RackSize size;
};
struct Rack : Tagged {
    Ref site, location, group, type;
    RackSize size;
    std::string status, serial;
    Spot spot;
    bool drawn = false; ///< the spot is that of a floor plan: of its middle
    std::size_t inSite = kNone, inLocation = kNone, ofType = kNone;
};
struct DeviceType : Object {
    std::string manufacturer, model, partNumber, airflow, subdeviceRole, weightUnit, coolingMethod;
    std::optional<double> units;
    bool fullDepth = true;
    double weight = 0;
};
struct Device : Tagged {
    Ref type, role, site, location, rack, parent;
    std::string manufacturer, face, status, serial, airflow, coolingMethod;
    std::optional<double> position;
    Spot spot;
    bool drawn = false;
    std::size_t inSite = kNone, inLocation = kNone, inRack = kNone, inParent = kNone, ofType = kNone;
};

enum class PortKind : std::uint8_t { Interface, PowerPort, PowerOutlet, Front, Rear, Intake, Outflow, Feed, Circuit, Console, Unknown };
constexpr std::size_t kPortKinds = std::size_t(PortKind::Unknown) + 1;

/// A position of a front port on a position of a rear port, from 1.
struct Mapping {
    int position = 1;
    Ref rear;
    int rearPosition = 1;
    std::size_t onRear = kNone;
};
/// A component of a device that something is plugged into.
struct Port : Object {
    PortKind kind = PortKind::Unknown;
    Ref device;
    std::string type, label, mac;
    std::int64_t kbps = 0;                    ///< of an interface
    bool management = false, implied = false; ///< implied: only a cable names it
    int maximumDraw = 0, allocatedDraw = 0;   ///< W, of a power port
    Ref powerPort;                            ///< of an outlet
    std::string leg;
    std::vector<Mapping> mappings; ///< of a front port
    int positions = 1;             ///< of a front or rear port
    Ref outflow;                   ///< of an intake: what it is fed from, upstream
    std::string outflowDevice;     ///< where only names are known
    std::size_t ofDevice = kNone;
};
struct PowerPanel : Tagged {
    Ref site, location;
    std::string description;
    std::size_t inSite = kNone, inLocation = kNone;
};
struct PowerFeed : Tagged {
    Ref panel, rack;
    std::string type, phase, supply;
    double voltage = 0, amperage = 0, maxUtilization = 0;
    std::size_t ofPanel = kNone, inRack = kNone;
};
struct CoolingSource : Tagged {
    Ref site, location;
    std::string type, fluid;
    double kilowatts = 0;
    std::size_t inSite = kNone, inLocation = kNone;
};
struct CoolingFeed : Object {
    Ref source, rack;
    double kilowatts = 0;
    std::size_t ofSource = kNone, inRack = kNone;
};
struct CableEnd {
    PortKind kind = PortKind::Unknown;
    std::int64_t id = 0;
    std::string device, name, panel; ///< where only names are known; panel: of a power feed
    std::size_t port = kNone;        ///< resolved, among those of its kind
};
struct Cable : Tagged {
    std::array<std::vector<CableEnd>, 2> sides;
    std::string profile, status, type, bundle;
    std::optional<double> meters;
};
/// An optic of an interface.
struct Optic : Object {
    Ref device, component;
    std::string part;
};
/// A rack or device of a drawing of the floor-plan plugin: its middle, in mm from the lower left corner.
struct Drawn {
    bool rack = true;
    std::int64_t id = 0;
    std::string name;
    double x = 0, y = 0, rotation = 0;
};

/// Something to say about the source.
struct Remark {
    std::string where;
    Text what;
};

struct Inventory {
    std::string source;  ///< for people: the server, or the files
    std::string version; ///< of NetBox, where it says so
    std::vector<Site> sites;
    std::vector<Location> locations;
    std::vector<RackType> rackTypes;
    std::vector<Rack> racks;
    std::vector<DeviceType> deviceTypes;
    std::vector<Device> devices;
    std::array<std::vector<Port>, kPortKinds> ports; ///< by kind
    std::vector<PowerPanel> panels;
    std::vector<PowerFeed> feeds;
    std::vector<CoolingSource> coolingSources;
    std::vector<CoolingFeed> coolingFeeds;
    std::vector<Cable> cables;
    std::vector<Optic> optics;
    std::vector<Drawn> drawn;
    std::vector<TagName> tags; ///< of the list of tags, where a file has it

    std::vector<Remark> remarks; ///< rows left out, each with its place, and doubts
    std::vector<Text> facts;
    std::size_t read = 0, left = 0;

    [[nodiscard]] std::vector<Port>& of(PortKind kind) { return ports[std::size_t(kind)]; }
    [[nodiscard]] const std::vector<Port>& of(PortKind kind) const { return ports[std::size_t(kind)]; }
    void leave(std::string where, Text what) { remarks.push_back({std::move(where), std::move(what)}), ++left; }
};

/// Names of the custom fields that hold a place.
struct PlaceFields {
    std::string x = "hall_x_mm", y = "hall_y_mm", rotation = "hall_rotation";
};

/// What of it is wanted. Empty: all.
struct Selection {
    std::vector<std::string> sites, locations; ///< names or slugs
};

} // namespace hw::importers::netbox_in
