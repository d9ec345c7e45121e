# SPDX-License-Identifier: GPL-3.0-or-later
"""The documents that the programs open: small, made in the guest, with one colour that nothing on the desktop has."""

import pathlib

from tests.programs.programs import FOLDER, STAMP

HERE = pathlib.Path(__file__).resolve().parent / "in_guest"
COLOUR = "#d83888"
PASSWORD = "umber"
TOOLS = "/usr/share/kestrel"

NOTES = f"{STAMP}\nA kestrel hovers over the field.\nThe wind comes from the west.\nIt sees the vole.\nIt falls.\n"

SVG = f"""<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="{COLOUR}"/></svg>
"""

# A flat OpenDocument text: the heading, and a paragraph on the colour.
TEXT = f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" office:version="1.3"
 office:mimetype="application/vnd.oasis.opendocument.text">
 <office:automatic-styles><style:style style:name="P" style:family="paragraph">
  <style:paragraph-properties fo:background-color="{COLOUR}" fo:padding="0.5cm"/></style:style></office:automatic-styles>
 <office:body><office:text><text:p>Notes on the kestrel</text:p>
  {f'<text:p text:style-name="P">{STAMP}: it hovers over the field, and the wind comes from the west.</text:p>' * 6}
 </office:text></office:body></office:document>
"""

MAIL = f"""From: Bela <bela@example.org>
To: Anna <anna@example.org>
Subject: Kestrel letter
Date: Mon, 05 Jan 2026 10:00:00 +0000
Message-ID: <kestrel@example.org>
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

<body style="background:{COLOUR}"><p style="height:2000px">{STAMP}</p></body>
"""

PDF_PARTS = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
             "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R/Resources<<>>>>",
             "<</Length 43>>stream\n0.847 0.220 0.533 rg 0 0 400 300 re f      \nendstream"]

MAKE = f"""set -e
# GIMP asks about a picture that says how its colours are meant.
magick -size 400x300 'xc:{COLOUR}' -strip -define png:exclude-chunks=all kestrel.png
ffmpeg -v error -f lavfi -i color={COLOUR}:s=320x240:d=40:r=10 -f lavfi -i sine=d=40 -c:v mpeg4 -q:v 2 -c:a flac kestrel.mkv
ffmpeg -v error -f lavfi -i sine=d=60 tone.wav
printf '%s\\n' {PASSWORD} {PASSWORD} | keepassxc-cli db-create -q -t 100 -p kestrel.kdbx
"""


def pdf():
    """A page in the colour, with its table of references."""
    text, places = "%PDF-1.4\n", []
    for number, part in enumerate(PDF_PARTS, 1):
        places.append(len(text))
        text += f"{number} 0 obj{part}endobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    count = len(places) + 1
    trailer = f"trailer<</Size {count}/Root 1 0 R>>\nstartxref\n{len(text)}\n%%EOF\n"
    return f"{text}xref\n0 {count}\n0000000000 65535 f \n{table}{trailer}"


def make_documents(guest):
    """Writes them as anna's, and what the tests need beside them outside of her home."""
    guest.run(["rm", "-rf", FOLDER])
    files = {"notes.txt": NOTES, "kestrel.svg": SVG, "notes.fodt": TEXT, "letter.eml": MAIL, "kestrel.pdf": pdf(), "numbers.csv": "1,2\n3,4\n"}
    for name, text in files.items():
        guest.write(f"{FOLDER}/{name}", text, user="anna")
    guest.run(MAKE, user="anna", cwd=FOLDER, check=True, timeout=300)
    guest.write(f"{TOOLS}/stamp", STAMP + "\n")
    for tool in HERE.iterdir():
        if tool.is_file():
            guest.put(tool, f"{TOOLS}/")
