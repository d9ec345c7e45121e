# SPDX-License-Identifier: GPL-3.0-or-later
"""A web server with a form for a file; what is sent by POST or PUT is kept as a file.

usage: keep_upload.py PORT FILE [CERTIFICATE-AND-KEY]"""

import email
import http.server
import pathlib
import ssl
import sys

FORM = b"<!DOCTYPE html><title>Form</title><form method=post enctype=multipart/form-data><input type=file name=f><button>Send</button></form>"


class Keep(http.server.BaseHTTPRequestHandler):
    """Serves the form and keeps what comes."""

    def answer(self, page):
        """Sends a page."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def do_GET(self):
        """The form."""
        self.answer(FORM)

    def do_POST(self):
        """A form's file, or the whole body."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get_content_maintype() == "multipart":
            message = email.message_from_bytes(b"Content-Type: " + self.headers["Content-Type"].encode() + b"\n\n" + body)
            body = message.get_payload()[0].get_payload(decode=True)
        pathlib.Path(sys.argv[2]).write_bytes(body)
        self.answer(b"<!DOCTYPE html><title>Kept</title>")

    do_PUT = do_POST


if __name__ == "__main__":
    with http.server.ThreadingHTTPServer(("", int(sys.argv[1])), Keep) as server:
        if len(sys.argv) > 3:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[3])
            server.socket = context.wrap_socket(server.socket, server_side=True)
        server.serve_forever()
