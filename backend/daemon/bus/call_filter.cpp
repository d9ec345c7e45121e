// SPDX-License-Identifier: GPL-3.0-or-later
#include "daemon/bus/call_filter.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include "contract/codes.h"

namespace tacet {
namespace {

// An element takes this in our memory, as a string or a variant.
constexpr std::size_t element_weight = 32;

struct Weighing {
    sd_bus_message* message;
    std::size_t max;
    std::size_t weight = 0;
    bool is_over() const { return weight > max; }
};

void weigh_all(Weighing& weighing);

void weigh_text(Weighing& weighing, char type)
{
    const char* text = nullptr;
    if (sd_bus_message_read_basic(weighing.message, type, &text) <= 0)
        return;
    const std::size_t size = std::strlen(text);
    weighing.weight += size > CallFilter::text_max ? weighing.max + 1 : size;
}

void weigh_container(Weighing& weighing, char type, const char* contents)
{
    // This takes one step, as each of its bytes is an element.
    if (type == SD_BUS_TYPE_ARRAY && std::string_view(contents) == "y") {
        const void* bytes = nullptr;
        std::size_t size = 0;
        sd_bus_message_read_array(weighing.message, 'y', &bytes, &size);
        weighing.weight += size;
        return;
    }
    if (sd_bus_message_enter_container(weighing.message, type, contents) <= 0)
        return;
    weigh_all(weighing);
    if (!weighing.is_over())
        sd_bus_message_exit_container(weighing.message);
}

void weigh_all(Weighing& weighing)
{
    char type = 0;
    const char* contents = nullptr;
    while (!weighing.is_over() && sd_bus_message_peek_type(weighing.message, &type, &contents) > 0) {
        weighing.weight += element_weight;
        if (std::strchr("sog", type) != nullptr)
            weigh_text(weighing, type);
        else if (std::strchr("avre", type) != nullptr)
            weigh_container(weighing, type, contents);
        else if (sd_bus_message_skip(weighing.message, std::string(1, type).c_str()) < 0)
            return;
    }
}

} // namespace

std::size_t weigh(sd_bus_message* message, std::size_t max)
{
    Weighing weighing{message, max};
    weigh_all(weighing);
    sd_bus_message_rewind(message, 1);
    return weighing.weight;
}

void CallFilter::attach(sd_bus* bus)
{
    if (const int status = sd_bus_add_filter(bus, nullptr, on_message, this); status < 0)
        throw std::system_error(-status, std::generic_category(), "sd_bus_add_filter");
}

int CallFilter::on_message(sd_bus_message* message, void* self, sd_bus_error* error)
{
    std::uint8_t type = 0;
    if (sd_bus_message_get_type(message, &type) < 0 || type != SD_BUS_MESSAGE_METHOD_CALL)
        return 0;
    const std::size_t weight = weigh(message, weight_max);
    static_cast<CallFilter*>(self)->weight_ = weight;
    if (weight <= weight_max)
        return 0;
    sd_bus_error_set(error, error_name(contract::ErrorCode::TooMany).data(), "the call is too large");
    return -E2BIG;
}

} // namespace tacet
