// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/desktop_helpers.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "common/screen_reader.h"

namespace tacet {
namespace {

using CommandLine = std::vector<std::string>;

constexpr const char* window_manager = "/usr/bin/openbox";
constexpr const char* window_manager_settings = TACET_DATADIR "/session/openbox.xml";

// The variables by which programs find an input method, with the values that name one.
CommandLine input_method(const std::vector<std::string>& environment)
{
    const auto names = [&](const std::string& method) {
        const std::array variables{"XMODIFIERS=@im=" + method, "GTK_IM_MODULE=" + method, "QT_IM_MODULE=" + method};
        return std::ranges::any_of(environment, [&](std::string_view variable) {
            return std::ranges::any_of(variables, [&](const std::string& wanted) { return variable == wanted; });
        });
    };
    if (names("fcitx") || names("fcitx5"))
        return {"/usr/bin/fcitx5"};
    if (names("ibus"))
        return {"/usr/bin/ibus-daemon", "--daemonize", "--xim"}; // Otherwise it ends when its parent is PID 1.
    return {};
}

} // namespace

std::vector<CommandLine> desktop_helpers(const SessionRequest& request,
                                         const std::function<bool(const std::string& program)>& is_installed)
{
    std::vector<CommandLine> all{{window_manager, "--sm-disable", "--config-file", window_manager_settings}};
    if (const CommandLine method = input_method(request.environment); !method.empty() && is_installed(method.front()))
        all.push_back(method);
    if (request.options.screen_reader && is_installed(screen_reader))
        all.push_back({screen_reader});
    return all;
}

} // namespace tacet
