// SPDX-License-Identifier: GPL-3.0-or-later
// Arranging what is selected in the plan: the Arrange menu.
#include "app/window/commands/command.h"

#include "core/design/edit/edits_arrange.h"

#include <functional>

namespace hw::app {
namespace {

using Arrangement = std::function<Result<void>(Transaction&, const ProjectParts&, std::span<const EntityRef>)>;

bool hasPlace(const Figures& figures, EntityRef e)
{
    return living(*figures.snapshot, e) && edit::boxOf(*figures.snapshot, *figures.parts, *figures.placement, e).has_value();
}

bool turns(const Snapshot& s, EntityRef e)
{
    switch (e.kind) {
    case EntityKind::Row:
    case EntityKind::Structure: return true;
    case EntityKind::Device: return !s.devices.rack[DeviceId(e.id)] && !s.devices.row[DeviceId(e.id)] && s.devices.hall[DeviceId(e.id)];
    case EntityKind::Tray: return !s.trays.row[TrayId(e.id)];
    default: return false;
    }
}

/// One undo step on all that is selected.
class Arrange final : public Command {
public:
    Arrange(const char* id, const char* title, std::size_t least, bool turning, Arrangement how, QKeySequence keys = {})
        : m_id(id), m_title(title), m_least(least), m_turning(turning), m_how(std::move(how)), m_keys(std::move(keys))
    {
    }

private:
    Face face() const override { return {m_id, tr(m_title), {}, m_keys}; }
    bool enabled(const Workspace& w) const override
    {
        const auto& figures = w.bridge().figures();
        const auto& selection = w.bridge().selection();
        return figures && !w.bridge().previewing() && selection.size() >= m_least &&
               std::ranges::all_of(selection, [&](EntityRef e) { return hasPlace(*figures, e) && (!m_turning || turns(*figures->snapshot, e)); });
    }
    void run(Workspace& w) override
    {
        const auto selection = w.bridge().selection();
        (void)w.bridge().edit(tr(m_title).remove('&'), [&](Transaction& t) -> Result<void> {
            const auto parts = ProjectParts::of(t->partTypes);
            if (!parts) return tl::unexpected(parts.error());
            return m_how(t, **parts, selection);
        });
    }
    const char *m_id, *m_title;
    std::size_t m_least;
    bool m_turning;
    Arrangement m_how;
    QKeySequence m_keys;
};

Arrangement alignTo(edit::AlignTo to)
{
    return [to](Transaction& t, const ProjectParts& parts, std::span<const EntityRef> things) { return edit::align(t, parts, things, to); };
}

Arrangement distributeAlong(edit::PlanAxis axis)
{
    return [axis](Transaction& t, const ProjectParts& parts, std::span<const EntityRef> things) { return edit::distribute(t, parts, things, axis); };
}

Arrangement mirrorAlong(edit::PlanAxis axis)
{
    return [axis](Transaction& t, const ProjectParts& parts, std::span<const EntityRef> things) { return edit::mirror(t, parts, things, axis); };
}

Arrangement turnBy(int degrees)
{
    return [degrees](Transaction& t, const ProjectParts& parts, std::span<const EntityRef> things) {
        return edit::rotateAbout(t, parts, things, degrees);
    };
}

} // namespace

void addArrangeCommands(Commands& commands)
{
    const auto add = [&](const char* id, const char* title, std::size_t least, bool turning, Arrangement how, QKeySequence keys = {}) {
        commands.push_back(std::make_unique<Arrange>(id, title, least, turning, std::move(how), std::move(keys)));
    };
    using enum edit::AlignTo;
    add("edit.alignLeft", QT_TRANSLATE_NOOP("Command", "Align &left edges"), 2, false, alignTo(Left));
    add("edit.alignCenterX", QT_TRANSLATE_NOOP("Command", "Align &centers horizontally"), 2, false, alignTo(CenterX));
    add("edit.alignRight", QT_TRANSLATE_NOOP("Command", "Align &right edges"), 2, false, alignTo(Right));
    add("edit.alignTop", QT_TRANSLATE_NOOP("Command", "Align &top edges"), 2, false, alignTo(Top));
    add("edit.alignCenterY", QT_TRANSLATE_NOOP("Command", "Align centers &vertically"), 2, false, alignTo(CenterY));
    add("edit.alignBottom", QT_TRANSLATE_NOOP("Command", "Align &bottom edges"), 2, false, alignTo(Bottom));
    add("edit.distributeX", QT_TRANSLATE_NOOP("Command", "Distribute &horizontally"), 3, false, distributeAlong(edit::PlanAxis::X));
    add("edit.distributeY", QT_TRANSLATE_NOOP("Command", "&Distribute vertically"), 3, false, distributeAlong(edit::PlanAxis::Y));
    add("edit.mirrorX", QT_TRANSLATE_NOOP("Command", "&Mirror left to right"), 1, true, mirrorAlong(edit::PlanAxis::X));
    add("edit.mirrorY", QT_TRANSLATE_NOOP("Command", "Mirror top to b&ottom"), 1, true, mirrorAlong(edit::PlanAxis::Y));
    add("edit.rotate", QT_TRANSLATE_NOOP("Command", "Rotate &90° counterclockwise"), 1, true, turnBy(90));
    add("edit.rotateBack", QT_TRANSLATE_NOOP("Command", "Rotate 90° cloc&kwise"), 1, true, turnBy(-90));
}

} // namespace hw::app
