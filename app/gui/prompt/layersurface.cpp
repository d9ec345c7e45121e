// SPDX-License-Identifier: GPL-3.0-or-later
#include "layersurface.h"

#include <LayerShellQt/Window>

#include <QGuiApplication>
#include <QWidget>
#include <QWindow>

#include <wayland-client.h>

#include <cstring>

using namespace Qt::StringLiterals;

namespace Tacet::LayerSurface {

namespace {

void onGlobal(void *found, wl_registry *, uint32_t, const char *interface, uint32_t)
{
    if (std::strcmp(interface, "zwlr_layer_shell_v1") == 0)
        *static_cast<bool *>(found) = true;
}

void onGlobalGone(void *, wl_registry *, uint32_t) {}

// By a connection of its own: Qt tells nobody which protocols its connection has.
bool askCompositor()
{
    wl_display *display = wl_display_connect(nullptr);
    if (!display)
        return false;
    bool found = false;
    constexpr wl_registry_listener listener{onGlobal, onGlobalGone};
    wl_registry *registry = wl_display_get_registry(display);
    wl_registry_add_listener(registry, &listener, &found);
    wl_display_roundtrip(display);
    wl_registry_destroy(registry);
    wl_display_disconnect(display);
    return found;
}

} // namespace

bool isWanted()
{
    return QGuiApplication::platformName() == "wayland"_L1;
}

bool isOffered()
{
    static const bool offered = isWanted() && askCompositor();
    return offered;
}

void make(QWidget *window)
{
    window->winId();
    auto *surface = LayerShellQt::Window::get(window->windowHandle());
    surface->setLayer(LayerShellQt::Window::LayerTop);
    // In the middle of the screen, where a dialog is looked for. No panel moves it.
    surface->setAnchors(LayerShellQt::Window::AnchorNone);
    surface->setExclusiveZone(-1);
    surface->setKeyboardInteractivity(LayerShellQt::Window::KeyboardInteractivityNone);
    surface->setScope(u"tacet-prompt"_s);
    surface->setCloseOnDismissed(false);
}

void setKeyboard(QWidget *window, bool onDemand)
{
    LayerShellQt::Window::get(window->windowHandle())
        ->setKeyboardInteractivity(onDemand ? LayerShellQt::Window::KeyboardInteractivityOnDemand
                                            : LayerShellQt::Window::KeyboardInteractivityNone);
}

} // namespace Tacet::LayerSurface
