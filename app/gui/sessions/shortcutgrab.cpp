// SPDX-License-Identifier: GPL-3.0-or-later
#include "shortcutgrab.h"

#include <QGuiApplication>

#include <xcb/xcb.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

namespace Tacet {

namespace {

constexpr xcb_keysym_t letterP = 0x70;
constexpr unsigned modifiers = XCB_MOD_MASK_CONTROL | XCB_MOD_MASK_1 | XCB_MOD_MASK_SHIFT;
// A grab is for one exact state: caps lock and num lock may be on as well.
constexpr std::array<unsigned, 4> locks{0, XCB_MOD_MASK_LOCK, XCB_MOD_MASK_2, XCB_MOD_MASK_LOCK | XCB_MOD_MASK_2};

struct Free
{
    void operator()(void *memory) const { std::free(memory); }
};
template <typename Type>
using Owned = std::unique_ptr<Type, Free>;

// Every key that gives a "p" in some layout and level.
std::vector<xcb_keycode_t> codesOfP(xcb_connection_t *connection)
{
    const xcb_setup_t *setup = xcb_get_setup(connection);
    const auto count = static_cast<uint8_t>(setup->max_keycode - setup->min_keycode + 1);
    const Owned<xcb_get_keyboard_mapping_reply_t> mapping(
        xcb_get_keyboard_mapping_reply(connection, xcb_get_keyboard_mapping(connection, setup->min_keycode, count), nullptr));
    std::vector<xcb_keycode_t> codes;
    if (!mapping || mapping->keysyms_per_keycode == 0)
        return codes;
    const xcb_keysym_t *symbols = xcb_get_keyboard_mapping_keysyms(mapping.get());
    const int width = mapping->keysyms_per_keycode;
    for (int key = 0; key < count; ++key) {
        const xcb_keysym_t *first = symbols + qsizetype(key) * width;
        if (std::find(first, first + width, letterP) != first + width)
            codes.push_back(static_cast<xcb_keycode_t>(setup->min_keycode + key));
    }
    return codes;
}

} // namespace

ShortcutGrab::ShortcutGrab(QObject *parent)
    : PanicShortcut(parent), m_connection(qGuiApp->nativeInterface<QNativeInterface::QX11Application>()->connection()),
      m_root(xcb_setup_roots_iterator(xcb_get_setup(m_connection)).data->root)
{
    qGuiApp->installNativeEventFilter(this);
    grab();
}

ShortcutGrab::~ShortcutGrab()
{
    release();
    if (qGuiApp)
        qGuiApp->removeNativeEventFilter(this);
}

void ShortcutGrab::grab()
{
    bool all = true;
    for (const xcb_keycode_t code : codesOfP(m_connection)) {
        m_codes.push_back(code);
        all = grabCode(code) && all;
    }
    const bool held = all && !m_codes.empty();
    if (!held)
        release();
    setState(held ? ShortcutState::Held : ShortcutState::Taken, defaultName());
}

bool ShortcutGrab::grabCode(unsigned char code) const
{
    bool all = true;
    for (const unsigned lock : locks) {
        const auto cookie = xcb_grab_key_checked(m_connection, 1, m_root, static_cast<uint16_t>(modifiers | lock), code,
                                                 XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC);
        const Owned<xcb_generic_error_t> error(xcb_request_check(m_connection, cookie));
        all = all && !error;
    }
    return all;
}

void ShortcutGrab::release()
{
    for (const xcb_keycode_t code : m_codes) {
        for (const unsigned lock : locks)
            xcb_ungrab_key(m_connection, code, m_root, static_cast<uint16_t>(modifiers | lock));
    }
    xcb_flush(m_connection);
    m_codes.clear();
}

bool ShortcutGrab::nativeEventFilter(const QByteArray &, void *message, qintptr *)
{
    const auto *event = static_cast<const xcb_generic_event_t *>(message);
    const int type = event->response_type & 0x7f;
    if (type == XCB_MAPPING_NOTIFY && reinterpret_cast<const xcb_mapping_notify_event_t *>(event)->request != XCB_MAPPING_POINTER) {
        release();
        grab();
        return false;
    }
    if (type != XCB_KEY_PRESS)
        return false;
    const auto *key = reinterpret_cast<const xcb_key_press_event_t *>(event);
    const bool ours = (key->state & modifiers) == modifiers && std::ranges::find(m_codes, key->detail) != m_codes.end();
    if (ours)
        Q_EMIT pressed();
    return ours;
}

} // namespace Tacet
