# SPDX-License-Identifier: GPL-3.0-or-later
"""The breach prompt on the guest's desktop, answered with the pointer."""

import time

from tests.system.widgets import PATIENCE

WINDOW = "promptWindow"
# The prompt ignores input for half a second; the guest is slow.
GUARD_SECONDS = 0.8
BUTTONS = {"block": "blockButton", "scrub": "scrubButton", "allow": "allowButton"}
# The letter that is underlined in the entry of the menu More.
MENU = {"takeover": "c", "quit": "q"}


class Prompt:
    """Waits for the prompt, reads it, answers it."""

    def __init__(self, guest, screen):
        self._guest, self._screen = guest, screen

    def forget_duration(self):
        """The prompt offers the duration that was chosen last; from now on the shortest again."""
        self._guest.run("sed -i '/^duration=/d' /home/anna/.config/tacet/tacet-app.conf")

    def wait(self, timeout=PATIENCE):
        """Waits until the prompt takes input; returns its first sentence. Details that another test has opened are closed: a
        notification covers the buttons of a tall prompt."""
        sentence = self._screen.find("sentenceText", WINDOW, timeout).text
        time.sleep(GUARD_SECONDS)
        if self._shows_details():
            self._screen.click("detailsButton", WINDOW)
            self._guest.wait_for(lambda: not self._shows_details(), what="the details to close")
        return sentence

    def _shows_details(self):
        return any(widget.object_name == "details" for widget in self._screen.list(WINDOW))

    def answer(self, verdict):
        """Clicks the verdict's button; for those in the menu More opens it with the pointer and types the entry's letter."""
        if verdict in MENU:
            self._screen.click("moreButton", WINDOW)
            # Qt shows popup menus to nobody through AT-SPI.
            time.sleep(GUARD_SECONDS)
            self._guest.key(MENU[verdict])
        else:
            self._screen.click(BUTTONS[verdict], WINDOW)
        self._screen.wait_gone("", WINDOW)

    def take_keyboard(self):
        """Rests the pointer on the text, as a reader does, and clicks there. On Wayland the window may have the keyboard only then."""
        self._screen.hover("sentenceText", WINDOW)
        self._guest.wait_for(lambda: "stopped" in self._screen.find("countdownText", WINDOW).text, what="the countdown to stop")
        self._screen.click("sentenceText", WINDOW)

    def choose_duration(self, steps):
        """Moves `steps` down in the list of durations, with the keyboard."""
        self.take_keyboard()
        self._guest.key("alt", "l")
        for _ in range(steps):
            self._guest.key("down")
        return self._screen.find("ruleText", WINDOW)

    def show_details(self):
        """Opens the details, which stay so for the questions after it."""
        if not self._shows_details():
            self._screen.click("detailsButton", WINDOW)
        return self._screen.find("details", WINDOW)
