// SPDX-License-Identifier: GPL-3.0-or-later
// The glue between a generated asynchronous method and a handler. It finds the caller, calls the handler, and sends the reply
// or the error.
#pragma once

#include "contract/methods.h"
#include "daemon/bus/call_queue.h"
#include "daemon/bus/dictionary.h"
#include "daemon/bus/errors.h"

namespace tacet {

inline constexpr const char* object_path = contract::object_path.data();

template <typename... Outputs>
using SharedResult = std::shared_ptr<sdbus::Result<Outputs...>>;

// The client may be gone, and then the reply has nowhere to go.
template <typename... Outputs>
void return_error(const SharedResult<Outputs...>& result, const Error& error)
{
    try {
        result->returnError(to_bus(error));
    } catch (const sdbus::Error&) {
        return;
    }
}

template <typename... Outputs, typename... Values>
void return_results(const SharedResult<Outputs...>& result, const Values&... values)
{
    try {
        result->returnResults(values...);
    } catch (const sdbus::Error& failure) {
        return_error(result, Error{ErrorCode::Failed, failure.getMessage()});
    }
}

// send is called with the value on success, and sends the reply.
template <typename T, typename... Outputs, typename Send>
Reply<T> reply_with(const SharedResult<Outputs...>& result, Send send)
{
    return [result, send](const Result<T>& outcome) {
        if (!outcome)
            return_error(result, outcome.error());
        else
            send(*outcome);
    };
}

inline Reply<void> reply_nothing(const SharedResult<>& result)
{
    return [result](const Result<void>& outcome) {
        if (!outcome)
            return_error(result, outcome.error());
        else
            return_results(result);
    };
}

template <typename T>
Reply<std::vector<T>> reply_list(const SharedResult<std::vector<Dictionary>>& result)
{
    return reply_with<std::vector<T>>(result, [result](const std::vector<T>& items) { return_results(result, to_bus(items)); });
}

// The number of entries that one call may ask for.
inline constexpr std::uint32_t page_max = 1000;

inline bool is_page(std::uint32_t limit)
{
    return limit >= 1 && limit <= page_max;
}

inline Error bad_limit()
{
    return {ErrorCode::InvalidArgument, "limit must be 1 to 1000"};
}

// A HeldCall has the reply to a call, and the charges of its account. Both end together.
template <typename... Outputs>
struct HeldCall {
    sdbus::Result<Outputs...> result;
    decltype(Admission::charges) charges;
};

// body is called with the caller and the shared result, in the caller's turn.
template <typename... Outputs, typename Body>
void with_caller(CallQueue& queue, sdbus::IObject& object, sdbus::Result<Outputs...>&& result, Body body)
{
    const auto held = std::make_shared<HeldCall<Outputs...>>(std::move(result));
    const SharedResult<Outputs...> shared(held, &held->result);
    // Arguments are large, and a waiting function is copied.
    const auto kept = std::make_shared<Body>(std::move(body));
    queue.enter(object.getCurrentlyProcessedMessage().getSender(), [held, shared, kept](Result<Admission> admission) {
        if (!admission)
            return return_error(shared, admission.error());
        held->charges = std::move(admission->charges);
        (*kept)(admission->caller, shared);
    });
}

} // namespace tacet
