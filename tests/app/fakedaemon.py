#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A tacetd without a kernel: implements dbus/*.xml on the session bus and is told what to do over org.tacet.Test.

usage: fakedaemon.py XML-DIRECTORY
"""

import json
import os
import pathlib
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME = "org.tacet.Tacet1"
PATH = "/org/tacet/Tacet1"

CONTROL = """
<node><interface name="org.tacet.Test">
  <method name="Ask"><arg type="a{sv}" direction="in"/></method>
  <method name="Withdraw"><arg type="t" direction="in"/><arg type="s" direction="in"/></method>
  <method name="BecomeActive"/>
  <method name="SetProperty"><arg type="s" direction="in"/><arg type="v" direction="in"/></method>
  <method name="SetList"><arg type="s" direction="in"/><arg type="aa{sv}" direction="in"/></method>
  <method name="AddEntry"><arg type="a{sv}" direction="in"/></method>
  <method name="SetManyFiles"><arg type="u" direction="in"/></method>
  <method name="Refuse"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
  <method name="Ignore"><arg type="s" direction="in"/></method>
  <method name="Calls"><arg type="as" direction="out"/></method>
</interface></node>
"""


class Daemon:
    """State is kept as GLib variants of the contract's types; calls are recorded as JSON."""

    def __init__(self, connection):
        self.connection = connection
        self.properties = {
            "Version": GLib.Variant("s", "0.1.0-fake"),
            "Contract": GLib.Variant("u", 1),
            "Module": GLib.Variant("s", "active"),
            "PausedUntil": GLib.Variant("t", 0),
        }
        self.lists = {"questions": [], "rules": [], "files": [], "log": [], "protections": [], "sessions": [], "changes": []}
        self.agents = {}
        self.refused = {}
        self.ignored = set()
        self.guarded = []
        self.memory = ["chosen", ["pages", "buffers", "stack", "heap"], ["/usr/bin/gpg-agent"]]
        self.calls = []
        self.next_rule = 100

    # -- control ---------------------------------------------------------------------------------------------------------

    def control_Ask(self, question):
        self.lists["questions"].append(question)
        self.tell_agents("Ask", GLib.Variant.new_tuple(question))

    def control_Withdraw(self, number, reason):
        self.drop_question(number.unpack())
        self.tell_agents("Withdraw", GLib.Variant.new_tuple(number, reason))

    def control_SetProperty(self, name, value):
        self.properties[name.unpack()] = value.get_variant()
        self.emit("Protection", "Changed")

    def control_BecomeActive(self):
        self.ask_all()

    def control_SetList(self, name, values):
        self.lists[name.unpack()] = [values.get_child_value(i) for i in range(values.n_children())]
        if name.unpack() == "sessions":
            self.emit("Sessions", "Changed", GLib.Variant("(u)", (uid(),)))

    def control_AddEntry(self, entry):
        self.lists["log"].append(entry)
        self.emit("Log", "Added", GLib.Variant("(ut)", (uid(), entry.unpack()["id"])))

    def control_SetManyFiles(self, count):
        self.lists["files"] = [
            GLib.Variant("a{sv}", {"path": GLib.Variant("s", f"/home/anna/files/{i:05}.csv"),
                                   "categories": GLib.Variant("as", ["finance"])})
            for i in range(count.unpack())
        ]

    def control_Refuse(self, method, error):
        self.refused[method.unpack()] = error.unpack()  # an empty name: not any more

    def control_Ignore(self, method):
        self.ignored.add(method.unpack())

    def control_Calls(self):
        return GLib.Variant("(as)", (self.calls,))

    # -- contract --------------------------------------------------------------------------------------------------------

    def Protection_List(self):
        return self.listed("protections")

    def Protection_Pause(self, minutes):
        until = int(GLib.get_real_time() / 1_000_000) + minutes.unpack() * 60
        self.properties["PausedUntil"] = GLib.Variant("t", until)
        self.emit("Protection", "Changed")
        return GLib.Variant("(t)", (until,))

    def Protection_Resume(self):
        self.properties["PausedUntil"] = GLib.Variant("t", 0)
        self.emit("Protection", "Changed")

    def Labels_Guarded(self):
        return GLib.Variant("(as)", (self.guarded,))

    def Labels_Guard(self, categories):
        self.guarded = categories.unpack()
        self.emit("Labels", "Changed", GLib.Variant("(u)", (uid(),)))

    def Memory_Policy(self):
        return GLib.Variant("(sasas)", tuple(self.memory))

    def Memory_SetScope(self, scope):
        self.memory[0] = scope.unpack()
        self.emit("Protection", "Changed")

    def Memory_SetLayer(self, layer, cleared):
        layers = [each for each in self.memory[1] if each != layer.unpack()]
        self.memory[1] = [*layers, layer.unpack()] if cleared.unpack() else layers

    def Memory_AddProgram(self, path):
        self.memory[2] = sorted({*self.memory[2], path.unpack()})

    def Memory_RemoveProgram(self, path):
        self.memory[2].remove(path.unpack())

    def Breaches_List(self):
        return self.listed("questions")

    def Breaches_Answer(self, number, _verdict, duration, _scope):
        if not self.drop_question(number.unpack()):
            raise GLib.Error("org.tacet.Error.NoSuchQuestion")
        self.tell_agents("Withdraw", GLib.Variant("(ts)", (number.unpack(), "answered")))
        rule = 0
        if duration.unpack() != "once":
            rule = self.next_rule
            self.next_rule += 1
        return GLib.Variant("(tu)", (rule, 1))

    def Breaches_Extend(self, number):
        for question in self.lists["questions"]:
            if question.unpack()["id"] == number.unpack():
                return GLib.Variant("(t)", (question.unpack()["expires"] + 540_000_000,))
        raise GLib.Error("org.tacet.Error.NoSuchQuestion")

    def Breaches_RegisterAgent(self, path, sender):
        self.agents[sender] = path.unpack()
        self.ask_all()

    def Breaches_UnregisterAgent(self, sender):
        self.agents.pop(sender, None)

    def Rules_List(self):
        return self.listed("rules")

    def Rules_Add(self, rule):
        # A GLib.Variant is no dictionary: it has keys() only.
        values = {key: rule.lookup_value(key, None) for key in rule.keys()}  # noqa: SIM118
        number = self.next_rule
        self.next_rule += 1
        self.lists["rules"].append(GLib.Variant("a{sv}", {**values, "id": GLib.Variant("t", number)}))
        self.emit("Rules", "Changed", GLib.Variant("(u)", (uid(),)))
        return GLib.Variant("(t)", (number,))

    def Rules_Remove(self, number):
        rules = self.lists["rules"]
        self.lists["rules"] = [rule for rule in rules if rule.unpack()["id"] != number.unpack()]
        self.emit("Rules", "Changed", GLib.Variant("(u)", (uid(),)))

    def Labels_Add(self, paths, category):
        failures = []
        for path in paths.unpack():
            if not path.startswith("/home/"):
                failures.append((path, "org.freedesktop.DBus.Error.FileNotFound", "no such file"))
                continue
            self.lists["files"].append(GLib.Variant("a{sv}", {
                "path": GLib.Variant("s", path), "categories": GLib.Variant("as", [category.unpack()])}))
        self.emit("Labels", "Changed", GLib.Variant("(u)", (uid(),)))
        return GLib.Variant("(a(sss))", (failures,))

    def Labels_Remove(self, paths):
        gone = set(paths.unpack())
        self.lists["files"] = [file for file in self.lists["files"] if file.unpack()["path"] not in gone]
        self.emit("Labels", "Changed", GLib.Variant("(u)", (uid(),)))
        return GLib.Variant("(a(sss))", ([],))

    def Labels_List(self, offset, limit):
        first = offset.unpack()
        files = self.lists["files"]
        return GLib.Variant.new_tuple(dictionaries(files[first:first + limit.unpack()]), GLib.Variant("u", len(files)))

    def Log_List(self, after, limit):
        entries = self.lists["log"]
        if after.unpack() == 0:
            return GLib.Variant.new_tuple(dictionaries(entries[-limit.unpack():]))
        later = [entry for entry in entries if entry.unpack()["id"] > after.unpack()]
        return GLib.Variant.new_tuple(dictionaries(later[:limit.unpack()]))

    def Sessions_List(self):
        return self.listed("sessions")

    def Sessions_End(self, number):
        self.end_sessions(lambda session: session["id"] == number.unpack())

    def Sessions_EndAll(self):
        self.end_sessions(lambda session: True)

    def Sessions_Files(self, _number):
        return self.listed("changes")

    def Sessions_Keep(self, _number, path, _index, descriptors):
        name = bytes(path.unpack())
        if b"unreadable" in name:
            raise GLib.Error("org.tacet.Error.NotFound")
        with os.fdopen(descriptors.get(0), "wb") as file:
            file.write(b"content of " + name)

    # -- wire ------------------------------------------------------------------------------------------------------------

    def listed(self, name):
        return GLib.Variant.new_tuple(dictionaries(self.lists[name]))

    def end_sessions(self, is_meant):
        before = self.lists["sessions"]
        self.lists["sessions"] = [session for session in before if not is_meant(session.unpack())]
        if len(before) == len(self.lists["sessions"]):
            raise GLib.Error("org.tacet.Error.NoSuchSession")
        self.emit("Sessions", "Changed", GLib.Variant("(u)", (uid(),)))

    def drop_question(self, number):
        before = self.lists["questions"]
        self.lists["questions"] = [question for question in before if question.unpack().get("id") != number]
        return len(before) != len(self.lists["questions"])

    def ask_all(self):
        for question in self.lists["questions"]:
            self.tell_agents("Ask", GLib.Variant.new_tuple(question))

    def tell_agents(self, method, arguments):
        for sender, path in self.agents.items():
            self.connection.call(sender, path, f"{NAME}.Agent", method, arguments, None,
                                 Gio.DBusCallFlags.NONE, -1, None, None)

    def emit(self, interface, signal, arguments=None):
        self.connection.emit_signal(None, PATH, f"{NAME}.{interface}", signal, arguments)

    def on_call(self, _connection, sender, _path, interface, method, parameters, invocation):
        short = interface.rsplit(".", 1)[1]
        arguments = [parameters.get_child_value(i) for i in range(parameters.n_children())]
        if interface == "org.tacet.Test":
            invocation.return_value(getattr(self, f"control_{method}")(*arguments))
            return
        name = f"{short}.{method}"
        self.calls.append(json.dumps([name, *[argument.unpack() for argument in arguments]]))
        if name in self.ignored:
            return
        if self.refused.get(name):
            invocation.return_dbus_error(self.refused[name], "refused by the test")
            return
        extra = [sender] if method.endswith("Agent") else []
        if name == "Sessions.Keep":
            extra = [invocation.get_message().get_unix_fd_list()]
        try:
            invocation.return_value(getattr(self, f"{short}_{method}")(*arguments, *extra))
        except GLib.Error as error:
            invocation.return_dbus_error(error.message, "")

    def on_get(self, _connection, _sender, _path, _interface, name):
        return self.properties[name]


def uid():
    return os.getuid()


def dictionaries(values):
    return GLib.Variant.new_array(GLib.VariantType("a{sv}"), values)


def main():
    connection = Gio.bus_get_sync(Gio.BusType.SESSION)
    daemon = Daemon(connection)
    documents = [path.read_text() for path in sorted(pathlib.Path(sys.argv[1]).glob("org.tacet.Tacet1.*.xml"))
                 if "Agent" not in path.name]
    for document in [*documents, CONTROL]:
        for interface in Gio.DBusNodeInfo.new_for_xml(document).interfaces:
            connection.register_object(PATH, interface, daemon.on_call, daemon.on_get, None)
    loop = GLib.MainLoop()
    Gio.bus_own_name_on_connection(connection, NAME, Gio.BusNameOwnerFlags.NONE, None, lambda *_: loop.quit())
    loop.run()


if __name__ == "__main__":
    main()
