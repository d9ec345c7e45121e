// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/breaches/question_dictionary.h"

namespace tacet {

std::uint64_t microseconds(BootTime time)
{
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(time).count());
}

Dictionary to_bus(const Question& question)
{
    return {
        {"id", sdbus::Variant(question.id)},
        {"time", sdbus::Variant(question.time)},
        {"expires", sdbus::Variant(microseconds(question.deadline))},
        {"pid", sdbus::Variant(static_cast<std::uint32_t>(question.process.pid))},
        {"uid", sdbus::Variant(std::uint32_t{question.uid})},
        {"executable", variant(question.executable)},
        {"command", variant(question.command)},
        {"comm", variant(question.comm)},
        {"parent", variant(question.parent)},
        {"file", variant(question.file)},
        {"chain", variant(question.chain)},
        {"categories", variant(question.categories)},
        {"sink", variant(to_string(question.sink))},
        {"address", variant(question.address)},
        {"host", variant(question.host)},
        {"port", sdbus::Variant(question.port)},
        {"protocol", variant(question.protocol)},
        {"target", variant(question.target)},
        {"tainted", sdbus::Variant(question.tainted)},
        {"can_take_over", sdbus::Variant(question.can_take_over)},
        {"removes", sdbus::Variant(question.removes)},
        {"in_session", sdbus::Variant(question.in_session)},
        {"length", sdbus::Variant(question.length)},
        {"scrubbed_length", sdbus::Variant(question.scrubbed_length)},
        {"preview", sdbus::Variant(question.preview)},
        {"scrubbed_preview", sdbus::Variant(question.scrubbed_preview)},
        {"calls_equal", sdbus::Variant(question.calls_equal)},
        {"calls_total", sdbus::Variant(question.calls_total)},
        {"calls_realigned", sdbus::Variant(question.calls_realigned)},
        {"binary_changed", sdbus::Variant(question.binary_changed)},
    };
}

} // namespace tacet
