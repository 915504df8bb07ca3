// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/snapshot.h"
#include "importers/netbox/inventory/wiring.h"

#include <filesystem>
#include <memory>
#include <set>

namespace hw::importers::netbox_in {

/// What a device is for, as far as its type and the words of its role tell.
enum class Purpose : std::uint8_t { Server, Switch, Power, Cooling, Panel, Other };

/// Device and rack types of a folder as the NetBox community keeps them (device-types/MAKER/*.yaml, rack-types/MAKER/*.yaml), with sidecars
/// (NAME.hw.yaml) beside them.
class Library {
public:
    /// Reads slugs, makers and models of all files; the types themselves when they are asked for. Error: Unreadable.
    [[nodiscard]] static Result<Library> open(const std::filesystem::path& folder);
    /// By slug, else by maker and model; null: none, or one that cannot be read, which `remarks` then says.
    [[nodiscard]] std::shared_ptr<const Part> find(const std::string& slug, const std::string& maker, const std::string& model,
                                                   std::vector<Remark>& remarks) const;
    /// The text of a sidecar for a slug; empty: none.
    [[nodiscard]] std::string sidecar(const std::string& slug) const;

private:
    struct Document {
        std::filesystem::path file;
        std::string text; ///< of a file with several types; empty: the whole file
    };
    std::map<std::string, Document> m_bySlug, m_byModel;
    std::map<std::string, std::filesystem::path> m_sidecars;
};

/// A socket of a part by the name that NetBox has for it.
struct Socket {
    std::uint16_t cage = 0; ///< number of the cage on its device
    int sub = -1;           ///< number of a port that the cage is broken out into, as its name counts it; -1: the whole cage
};

/// The part types of the devices and racks of an inventory: of the project, the library or the catalog where one fits, else made of what the
/// devices have.
class ChosenParts {
public:
    ChosenParts(Inventory& inventory, const Wiring& wiring, const ProjectParts& project, const PartTypes& projectTypes, const Catalog& catalog,
                const Library* library, std::map<std::string, std::string> typesByName);

    /// Null: none could be made; the remarks say why.
    [[nodiscard]] std::shared_ptr<const Part> ofDevice(std::size_t device) const { return m_devices[device]; }
    [[nodiscard]] std::shared_ptr<const Part> ofRack(std::size_t rack) const { return m_racks[rack]; }
    [[nodiscard]] Purpose purpose(std::size_t device) const { return m_purposes[device]; }
    [[nodiscard]] std::optional<Socket> socket(PortAt port) const;
    /// The position of a front port on its panel, from 0.
    [[nodiscard]] std::int32_t position(std::size_t front) const { return m_positions[front]; }
    /// A part of these texts, its slug free in the project or that of the same part.
    [[nodiscard]] std::shared_ptr<const Part> made(const std::string& slug, const std::string& head, const std::string& sidecar,
                                                   const std::string& where);

private:
    void countComponents();
    void choosePurpose(std::size_t device);
    void chooseDevice(std::size_t device);
    void chooseRack(std::size_t rack);
    void numberFronts(std::size_t device);
    [[nodiscard]] std::shared_ptr<const Part> known(const std::string& slug, const std::string& maker, const std::string& model, PartKind kind);
    [[nodiscard]] std::optional<Socket> socketOf(const Part& part, PortKind kind, const std::string& name) const;
    [[nodiscard]] bool suits(const Part& part, std::size_t device) const;
    [[nodiscard]] std::shared_ptr<const Part> makeDevice(std::size_t device, const Part* like);
    [[nodiscard]] bool isListed(std::size_t device) const;
    [[nodiscard]] std::string headOf(std::size_t device) const;
    [[nodiscard]] std::string sidecarOf(std::size_t device) const;
    void tell();

    Inventory& m;
    const Wiring& m_wiring;
    const ProjectParts& m_project;
    const PartTypes& m_projectTypes;
    const Catalog& m_catalog;
    const Library* m_library;
    std::map<std::string, std::string> m_typesByName; ///< slugs of the devices of the design
    std::map<std::size_t, std::vector<std::shared_ptr<const Part>>> m_madeOfType;
    std::vector<std::array<std::vector<std::size_t>, kPortKinds>> m_components; ///< by device and kind: ports
    std::vector<std::set<PortAt>> m_cabled;                                     ///< by device
    std::vector<std::map<std::string, std::set<int>>> m_splits;                 ///< by device type: ports that cages are broken out into, by slug
    std::vector<std::shared_ptr<const Part>> m_devices, m_racks;
    std::vector<Purpose> m_purposes;
    std::vector<std::int32_t> m_positions;
    std::map<std::string, std::shared_ptr<const Part>> m_made;  ///< by slug
    std::map<std::string, std::shared_ptr<const Part>> m_known; ///< by slug, maker, model
    std::map<std::string, std::string> m_catalogModels;         ///< slugs by maker and model
    mutable std::map<const Part*, std::map<std::pair<PortKind, std::string>, std::uint16_t>> m_sockets;
    std::size_t m_heightsAssumed = 0;
    std::set<std::string> m_fromProject, m_fromLibrary, m_fromCatalog, m_ofExport, m_servers;
};

} // namespace hw::importers::netbox_in
