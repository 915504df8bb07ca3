// SPDX-License-Identifier: GPL-3.0-or-later
// A drawing as DXF of AutoCAD 2007 (AC1021), the first in UTF-8: names of all languages need no escapes, which some readers leave as they are.
// Tables, handles and owners are complete, as AutoCAD asks for; the same content gives the same bytes.
#pragma once

#include "importers/drawings/dxf_space.h"

#include <deque>
#include <map>
#include <memory>

namespace hw::drawings {

struct DxfLayer {
    std::string name;
    int color = 7;                       ///< AutoCAD's color index
    std::string lineType = "Continuous"; ///< or DASHED, CENTER
    int weight = -3;                     ///< 1/100 mm, -3 = default
    bool plots = true;
};

class DxfFile {
public:
    DxfFile();
    DxfFile(const DxfFile&) = delete;
    DxfFile& operator=(const DxfFile&) = delete;

    /// The first declaration of a name counts.
    void layer(DxfLayer layer);
    [[nodiscard]] DxfSpace& model() { return *m_model; }
    /// A new block with its origin as base point; null where there is one of that name.
    [[nodiscard]] DxfSpace* block(const std::string& name);
    /// A new sheet of paper, landscape; its name is made unique.
    [[nodiscard]] DxfSpace& sheet(const std::string& name, double width, double height);
    [[nodiscard]] std::size_t sheets() const { return m_sheets.size(); }
    void extent(At low, At high) { m_low = low, m_high = high; } ///< of the model
    /// The whole file; it has at least one sheet, as the format asks for.
    [[nodiscard]] std::string text() const;

private:
    friend class DxfSpace;
    struct Block {
        std::string name;
        std::uint64_t record = 0, begin = 0, end = 0, layout = 0; ///< layout: of a space
        std::unique_ptr<DxfSpace> space;
    };
    struct Sheet {
        std::string name;
        double width = 0, height = 0;
        Block block;
        std::uint64_t own = 0; ///< its own viewport
    };
    Block newBlock(std::string name, bool paper, bool layout);
    [[nodiscard]] std::string dimensionBlock(); ///< the name of the next one

    void header(std::string& out) const;
    void tables(std::string& out) const;
    void blocks(std::string& out) const;
    void entities(std::string& out) const;
    void objects(std::string& out) const;
    void blockText(std::string& out, const Block& block, bool paper, std::string_view content) const;
    [[nodiscard]] std::string ownViewport(const Sheet& sheet) const;

    Handles m_handles;
    std::map<std::string, DxfLayer> m_layers; ///< by name
    std::map<std::string, std::uint64_t> m_layerHandles;
    Block m_modelBlock;
    DxfSpace* m_model = nullptr;
    std::deque<Block> m_blocks;
    std::map<std::string, std::size_t> m_blockNames; ///< in capitals
    std::deque<Sheet> m_sheets;
    int m_dimensions = 0;
    At m_low{}, m_high{1000, 1000};
};

} // namespace hw::drawings
