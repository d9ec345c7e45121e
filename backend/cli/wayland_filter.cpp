// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/wayland_filter.h"

#include <array>
#include <cstring>
#include <utility>

namespace tacet::cli {
namespace {

constexpr std::size_t word = sizeof(std::uint32_t);
constexpr std::size_t header = 2 * word; // the object, then size << 16 | opcode
constexpr std::uint32_t display = 1;
constexpr std::size_t objects_max = 4096;

// The opcodes that matter here; each interface counts its requests and its events.
constexpr unsigned display_get_registry = 1;
constexpr unsigned display_delete_id = 1;
constexpr unsigned registry_bind = 0;
constexpr unsigned base_get_surface = 2;
constexpr unsigned surface_get_window = 1;
constexpr unsigned window_set_title = 2;
constexpr unsigned window_set_application = 3;
constexpr unsigned window_close = 1;

std::uint32_t word_at(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    if (at + word <= bytes.size())
        std::memcpy(&value, bytes.data() + at, word);
    return value;
}

void append(std::string& bytes, std::uint32_t value)
{
    bytes.append(reinterpret_cast<const char*>(&value), word);
}

std::size_t padded(std::size_t size)
{
    return (size + word - 1) / word * word;
}

std::string text_request(std::uint32_t object, unsigned opcode, const std::string& text)
{
    const std::size_t length = text.size() + 1;
    std::string bytes;
    append(bytes, object);
    append(bytes, static_cast<std::uint32_t>((header + word + padded(length)) << 16U | opcode));
    append(bytes, static_cast<std::uint32_t>(length));
    bytes.append(text);
    bytes.append(padded(length) - text.size(), '\0');
    return bytes;
}

} // namespace

struct WaylandFilter::Message {
    std::string_view bytes;

    std::uint32_t object() const { return word_at(bytes, 0); }
    unsigned opcode() const { return word_at(bytes, word) & 0xffffU; }
    // 0 where there is none, as no object is.
    std::uint32_t argument(std::size_t number) const { return word_at(bytes, header + number * word); }
};

WaylandFilter::WaylandFilter(std::string title, std::string application)
    : title_(std::move(title)), application_(std::move(application))
{
}

template <typename Change>
std::optional<std::string> WaylandFilter::pass(std::string& bytes, Change change)
{
    std::string passed;
    std::size_t at = 0;
    while (bytes.size() - at >= header) {
        const std::size_t size = word_at(bytes, at + word) >> 16U;
        if (size < header || size % word != 0)
            return std::nullopt;
        if (bytes.size() - at < size)
            break;
        passed += change(Message{std::string_view(bytes).substr(at, size)});
        at += size;
    }
    bytes.erase(0, at);
    return passed;
}

std::optional<std::string> WaylandFilter::pass_requests(std::string& bytes)
{
    return pass(bytes, [this](const Message& message) { return change_request(message); });
}

std::optional<std::string> WaylandFilter::pass_events(std::string& bytes)
{
    return pass(bytes, [this](const Message& message) { return change_event(message); });
}

// Its arguments: a number, the interface's name as length and text, the version, the new object.
void WaylandFilter::note_bound(const Message& message)
{
    const std::size_t length = message.argument(1);
    const std::size_t start = header + 2 * word;
    const std::string_view wanted("xdg_wm_base");
    if (length == wanted.size() + 1 && message.bytes.substr(start, wanted.size()) == wanted)
        objects_[word_at(message.bytes, start + padded(length) + word)] = Kind::WindowBase;
}

std::string WaylandFilter::change_request(const Message& message)
{
    const auto made = [&] { return message.argument(0); };
    const auto found = objects_.find(message.object());
    if (message.object() == display && message.opcode() == display_get_registry)
        objects_[made()] = Kind::Registry;
    if (found == objects_.end() || objects_.size() > objects_max)
        return std::string(message.bytes);
    switch (found->second) {
    case Kind::Registry:
        if (message.opcode() == registry_bind)
            note_bound(message);
        break;
    case Kind::WindowBase:
        if (message.opcode() == base_get_surface)
            objects_[made()] = Kind::Surface;
        break;
    case Kind::Surface:
        if (message.opcode() == surface_get_window)
            objects_[made()] = Kind::Window;
        break;
    case Kind::Window:
        if (message.opcode() == window_set_title)
            return text_request(message.object(), message.opcode(), title_);
        if (message.opcode() == window_set_application)
            return text_request(message.object(), message.opcode(), application_);
        break;
    }
    return std::string(message.bytes);
}

std::string WaylandFilter::change_event(const Message& message)
{
    if (message.object() == display && message.opcode() == display_delete_id)
        objects_.erase(message.argument(0));
    const auto found = objects_.find(message.object());
    if (found != objects_.end() && found->second == Kind::Window && message.opcode() == window_close) {
        wants_close_ = true;
        return {};
    }
    return std::string(message.bytes);
}

bool WaylandFilter::take_close()
{
    return std::exchange(wants_close_, false);
}

} // namespace tacet::cli
