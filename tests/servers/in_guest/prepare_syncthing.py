# SPDX-License-Identifier: GPL-3.0-or-later
"""Two Syncthings that share a folder: this machine's sends, the other host's receives; neither looks for others, or calls home.

usage: prepare_syncthing.py FOLDER-HERE FOLDER-THERE; their settings are in /run/sync/here and /run/sync/there."""

import pathlib
import subprocess
import sys
import xml.etree.ElementTree as xml

HOMES = [pathlib.Path("/run/sync/here"), pathlib.Path("/run/sync/there")]
ADDRESSES = ["tcp://10.77.0.1:22000", "tcp://10.77.0.2:22000"]
OPTIONS = {"globalAnnounceEnabled": "false", "localAnnounceEnabled": "false", "relaysEnabled": "false", "natEnabled": "false",
           "urAccepted": "-1", "crashReportingEnabled": "false", "startBrowser": "false", "autoUpgradeIntervalH": "0",
           "announceLANAddresses": "false", "stunKeepaliveStartS": "0"}


def generate(home):
    """Makes keys and settings; returns the device's id."""
    subprocess.run(["syncthing", "generate", f"--home={home}", "--no-default-folder"], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["syncthing", f"--home={home}", "--device-id"], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def configure(home, peer, folder, kind, devices, gui):
    """Adds the peer, (id, address), and the folder that both share."""
    settings = xml.parse(home / "config.xml")
    root = settings.getroot()
    options = root.find("options")
    for name, value in OPTIONS.items():
        for element in options.findall(name):
            options.remove(element)
        xml.SubElement(options, name).text = value
    root.find("gui/address").text = gui
    device = xml.SubElement(root, "device", id=peer[0], name="peer", compression="never")
    xml.SubElement(device, "address").text = peer[1]
    shared = xml.SubElement(root, "folder", id="shared", path=str(folder), type=kind, rescanIntervalS="3600", fsWatcherEnabled="false")
    for each in devices:
        xml.SubElement(shared, "device", id=each)
    settings.write(home / "config.xml")
    pathlib.Path(folder).mkdir(exist_ok=True)
    pathlib.Path(folder, ".stfolder").mkdir(exist_ok=True)


def main():
    """Both."""
    devices = [generate(home) for home in HOMES]
    for number, kind in enumerate(("sendonly", "receiveonly")):
        configure(HOMES[number], (devices[1 - number], ADDRESSES[1 - number]), sys.argv[1 + number], kind, devices, f"127.0.0.1:838{number}")


if __name__ == "__main__":
    main()
