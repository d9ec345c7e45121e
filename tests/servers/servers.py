# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that give a marked file to another host: how each is set up, what the other host does, and who is asked about."""

import dataclasses

from guest import image_directory

# The file that is marked, anna's, readable by all; a folder of its own for each verdict would be another URL.
FOLDER = "/srv/tacet"
FILE = "salaries.csv"
# The folder of in_guest/ in the guest.
TOOLS = "/usr/local/lib/tacet-servers"


@dataclasses.dataclass(frozen=True)
class Way:
    """One way out. `start` (root, here) leads to a server that runs as the unit `tacet-server`, or to nothing; `here` (anna) or
    `there` (root on the other host) makes the transfer, and what arrives is at the path {got}. `asked`: the program's file.

    scrub: how "send scrubbed" ends: "scrubbed" arrives, or "nothing", where a check sum or cipher of the original's cannot be
    the copy's too. seconds: how long the transfer may take. many_flows: it opens several connections, or new ones after a
    refusal, and each is asked about.
    """

    name: str
    packages: tuple[str, ...]
    asked: str
    start: str = ""
    here: str = ""
    there: str = ""
    port: int = 0
    scrub: str = "scrubbed"
    seconds: int = 90
    many_flows: bool = False


def unit(command, user="root"):
    """The line that runs a server until the test ends."""
    return f"systemd-run --quiet --collect --unit=tacet-server -p User={user} {command}"


def there(command, port):
    """The lines that run a server on the other host, and wait until it listens."""
    return unit(f"/usr/local/bin/remote-exec {command}") + f"""
for i in $(seq 300); do remote-exec ss -Hltn sport = :{port} | grep -q . && exit; sleep 0.1; done; exit 1"""


APACHE = f"""a2dismod -q -f mpm_event mpm_prefork mpm_worker; a2enmod -q {{mpm}}; a2disconf -q serve-cgi-bin || true
printf '%s\\n' 'ServerName here' 'Alias /t {FOLDER}' '<Directory {FOLDER}>' 'Require all granted' '</Directory>' > /etc/apache2/conf-enabled/tacet.conf
systemctl restart apache2"""
NGINX = f"""printf '%s\\n' 'events {{}}' 'http {{ access_log off; server {{ listen 8080; root {FOLDER}; sendfile {{sendfile}}; }} }}' > /run/nginx.conf
mkdir -p /var/lib/nginx
""".replace("{sendfile}", "SENDFILE") + unit("nginx -c /run/nginx.conf -g 'daemon off;'")
LIGHTTPD = f"printf '%s\\n' 'server.document-root = \"{FOLDER}\"' 'server.port = 8080' > /run/lighttpd.conf\n" + unit(
    "lighttpd -D -f /run/lighttpd.conf")
NODE = f"""cat > /run/server.js <<'END'
const http = require('http'), fs = require('fs');
http.createServer((q, r) => fs.readFile('{FOLDER}/' + q.url.slice(1), (e, d) => {{ r.writeHead(e ? 404 : 200); r.end(d); }})).listen(8080);
END
""" + unit("node /run/server.js")
VSFTPD = """printf '%s\\n' listen=YES listen_port=8080 anonymous_enable=YES local_enable=NO anon_root=/srv no_anon_password=YES \
 seccomp_sandbox=NO > /run/vsftpd.conf; mkdir -p /var/run/vsftpd/empty
""" + unit("vsftpd /run/vsftpd.conf")
SAMBA = f"""printf '%s\\n' '[global]' 'map to guest = bad user' 'server role = standalone' 'smb ports = 8080' 'disable netbios = yes' \
 '[t]' 'path = {FOLDER}' 'guest ok = yes' 'guest account = anna' > /run/smb.conf
""" + unit("smbd --foreground --no-process-group -s /run/smb.conf")
GANESHA = f"""mkdir -p /run/ganesha; printf '%s\\n' 'NFS_CORE_PARAM {{ Protocols = 4; NFS_Port = 8080; Enable_NLM = false; Enable_UDP = false; }}' \
 'NFSv4 {{ Graceless = true; RecoveryBackend = fs; }}' 'EXPORT {{ Export_Id = 1; Path = {FOLDER}; Pseudo = /t; Access_Type = RO; \
 Squash = None; SecType = sys; FSAL {{ Name = VFS; }} }}' > /run/ganesha.conf
""" + unit("ganesha.nfsd -F -f /run/ganesha.conf -L /run/ganesha.log")
MAIL = """cat > /run/mail.py <<'END'
import asyncio, email, sys
from aiosmtpd.controller import UnthreadedController
class Keep:
    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content)
        parts = [part for part in message.walk() if part.get_filename()] or [message]
        with open("/run/got/file", "wb") as file:
            file.write(parts[-1].get_payload(decode=True).replace(b"\\r\\n", b"\\n"))
        return "250 kept"
loop = asyncio.new_event_loop()
UnthreadedController(Keep(), hostname="10.77.0.2", port=25, loop=loop).begin()
loop.run_forever()
END
printf '%s\\n' 'account default' 'host 10.77.0.2' 'from anna@here' > /etc/msmtprc
""" + there("python3 /run/mail.py", 25)
SSH = """mkdir -p /run/sshd /run/keys; rm -f /run/keys/*; ssh-keygen -q -t ed25519 -N '' -f /run/keys/host; ssh-keygen -q -t ed25519 -N '' -f /run/keys/me
cp /run/keys/me.pub /run/keys/authorized; chown anna /run/keys/me; chmod 755 /run/keys; chmod 644 /run/keys/authorized
OPTIONS="-D -p 2222 -h /run/keys/host -o AuthorizedKeysFile=/run/keys/authorized -o StrictModes=no -o UsePAM=no -o Subsystem=sftp\\ internal-sftp"
"""
SSHD_HERE = SSH + "eval " + unit("/usr/sbin/sshd $OPTIONS")
SSHD_THERE = SSH + "eval " + unit("/usr/local/bin/remote-exec /usr/sbin/sshd $OPTIONS")
SSH_OPTIONS = "-q -i /run/keys/me -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null"
KEEP = f"python3 {TOOLS}/keep_upload.py {{}} /run/got/file"
CERTIFICATE = "cat /etc/ssl/certs/ssl-cert-snakeoil.pem /etc/ssl/private/ssl-cert-snakeoil.key > /run/both.pem\n"
GIT_HTTPS = CERTIFICATE + """cat > /run/lighttpd.conf <<'END'
server.modules = ("mod_alias", "mod_setenv", "mod_cgi", "mod_openssl")
server.document-root = "/run/git"
server.port = 443
ssl.engine = "enable"
ssl.pemfile = "/run/both.pem"
alias.url = ("/git" => "/usr/lib/git-core/git-http-backend")
cgi.assign = ("" => "")
setenv.set-environment = ("GIT_PROJECT_ROOT" => "/run/git", "GIT_HTTP_EXPORT_ALL" => "1", "REMOTE_USER" => "anna")
END
rm -rf /run/git; git init -q --bare /run/git/got.git; git config --system safe.directory '*'
""" + there("lighttpd -D -f /run/lighttpd.conf", 443)
GIT_COMMIT = (f"rm -rf /tmp/repo && git init -q /tmp/repo && cp {FILE} /tmp/repo && cd /tmp/repo && git add . && "
              "git -c user.name=a -c user.email=a@b commit -qm 1")
SYNCTHING = f"""rm -rf /run/sync; mkdir -m 777 /run/sync; runuser -u anna -- python3 {TOOLS}/prepare_syncthing.py {FOLDER} /run/sync/got
""" + there("syncthing serve --no-browser --no-upgrade --home=/run/sync/there", 22000)
RSYNCD = "printf '%s\\n' 'use chroot = no' '[t]' 'path = /run/got' 'read only = no' 'uid = root' > /run/rsyncd.conf; mkdir -p /run/got\n"

CURL = "curl -sS -f -m 60 -o {got} "
WAYS = [
    Way("apache prefork", ("apache2",), "/usr/sbin/apache2", APACHE.format(mpm="mpm_prefork"), there=CURL + f"http://10.77.0.1/t/{FILE}",
        port=80),
    Way("apache event", ("apache2",), "/usr/sbin/apache2", APACHE.format(mpm="mpm_event"), there=CURL + f"http://10.77.0.1/t/{FILE}", port=80),
    Way("apache TLS", ("apache2", "ssl-cert"), "/usr/sbin/apache2", APACHE.format(mpm="mpm_prefork ssl") + "; a2ensite -q default-ssl; "
        "systemctl restart apache2", there=CURL + f"-k https://10.77.0.1/t/{FILE}", port=443),
    Way("nginx", ("nginx-light",), "/usr/sbin/nginx", NGINX.replace("SENDFILE", "off"), there=CURL + f"http://10.77.0.1:8080/{FILE}", port=8080),
    Way("nginx sendfile", ("nginx-light",), "/usr/sbin/nginx", NGINX.replace("SENDFILE", "on"), there=CURL + f"http://10.77.0.1:8080/{FILE}",
        port=8080),
    Way("lighttpd", ("lighttpd",), "/usr/sbin/lighttpd", LIGHTTPD, there=CURL + f"http://10.77.0.1:8080/{FILE}", port=8080),
    Way("python http.server", (), "/usr/bin/python3.13", unit(f"python3 -m http.server -d {FOLDER} 8080"),
        there=CURL + f"http://10.77.0.1:8080/{FILE}", port=8080),
    Way("node", ("nodejs",), "/usr/bin/node", NODE, there=CURL + f"http://10.77.0.1:8080/{FILE}", port=8080, scrub="nothing"),
    Way("java", ("openjdk-21-jre-headless",), "/usr/lib/jvm/java-21-openjdk-amd64/bin/java",
        unit(f"java -m jdk.httpserver -b 0.0.0.0 -p 8080 -d {FOLDER}"), there=CURL + f"http://10.77.0.1:8080/{FILE}", port=8080,
        scrub="nothing"),
    Way("vsftpd", ("vsftpd",), "/usr/sbin/vsftpd", VSFTPD, there=CURL + f"ftp://10.77.0.1:8080/tacet/{FILE}", port=8080),
    Way("samba", ("samba", "smbclient"), "/usr/sbin/smbd", SAMBA,
        there=f"smbclient -N -p 8080 -t 60 //10.77.0.1/t -c 'get {FILE} {{got}}'", port=8080, scrub="nothing"),
    Way("nfs-ganesha", ("nfs-ganesha", "nfs-ganesha-vfs", "libnfs-utils"), "/usr/bin/ganesha.nfsd", GANESHA,
        there=f"timeout 60 nfs-cat 'nfs://10.77.0.1/t/{FILE}?version=4&nfsport=8080&autoreconnect=0' > {{got}}", port=8080),
    Way("sshd scp", ("openssh-server",), "/usr/lib/openssh/sshd-session", SSHD_HERE,
        there=f"scp {SSH_OPTIONS} -P 2222 anna@10.77.0.1:{FOLDER}/{FILE} {{got}}", port=2222),
    Way("sshd cat", ("openssh-server",), "/usr/lib/openssh/sshd-session", SSHD_HERE,
        there=f"ssh {SSH_OPTIONS} -p 2222 anna@10.77.0.1 cat {FOLDER}/{FILE} > {{got}}", port=2222),
    Way("sshd terminal", ("openssh-server",), "/usr/lib/openssh/sshd-session", SSHD_HERE,
        there=f"ssh -tt {SSH_OPTIONS} -p 2222 anna@10.77.0.1 'stty -onlcr; cat {FOLDER}/{FILE}' > {{got}}", port=2222),
    Way("sshd rsync", ("openssh-server", "rsync"), "/usr/lib/openssh/sshd-session", SSHD_HERE,
        there=f"rsync -e 'ssh {SSH_OPTIONS} -p 2222' anna@10.77.0.1:{FOLDER}/{FILE} {{got}}", port=2222),
    Way("rsync", ("rsync",), "/usr/bin/rsync", RSYNCD + unit("/usr/local/bin/remote-exec rsync --daemon --no-detach --config=/run/rsyncd.conf"),
        here=f"rsync {FILE} rsync://10.77.0.2/t/file"),
    Way("msmtp", ("msmtp", "python3-aiosmtpd"), "/usr/bin/msmtp", MAIL,
        here=f"{{{{ printf 'Subject: pay\\n\\n'; cat {FILE}; }}}} | msmtp bob@there"),
    Way("mutt", ("mutt", "msmtp", "python3-aiosmtpd"), "/usr/bin/msmtp", MAIL,
        here=f"echo see there | mutt -n -e 'set sendmail=/usr/bin/msmtp copy=no' -s pay -a {FILE} -- bob@there",
        scrub="nothing"),
    Way("claws-mail", ("claws-mail", "xdotool", "python3-aiosmtpd"), "/usr/bin/claws-mail", MAIL,
        here=f"timeout 150 python3 {TOOLS}/mail_by_claws.py {FOLDER}/{FILE} bob@there 10.77.0.2", scrub="nothing", seconds=160),
    Way("scp", ("openssh-server",), "/usr/bin/ssh", SSHD_THERE, here=f"scp {SSH_OPTIONS} -P 2222 {FILE} anna@10.77.0.2:{{got}}"),
    Way("tar ssh", ("openssh-server",), "/usr/bin/ssh", SSHD_THERE,
        here=f"tar -c {FILE} | ssh {SSH_OPTIONS} -p 2222 anna@10.77.0.2 'tar -xO > {{got}}'"),
    Way("git push", ("openssh-server", "git"), "/usr/bin/ssh", SSHD_THERE + "\nrm -rf /run/got.git; git init -q --bare /run/got.git; chown -R anna /run/got.git",
        here=f"{GIT_COMMIT} && GIT_SSH_COMMAND='ssh {SSH_OPTIONS} -p 2222' git push -q anna@10.77.0.2:/run/got.git HEAD:main && "
        f"git --git-dir /run/got.git show main:{FILE} > {{got}}", scrub="nothing"),
    Way("git push https", ("lighttpd-mod-openssl", "lighttpd", "git", "ssl-cert"), "/usr/lib/git-core/git-remote-http", GIT_HTTPS,
        here=f"{GIT_COMMIT} && git -c http.sslVerify=false push -q https://10.77.0.2/git/got.git HEAD:main && "
        f"git --git-dir /run/git/got.git show main:{FILE} > {{got}}", scrub="nothing"),
    Way("curl", ("curl",), "/usr/bin/curl", there(KEEP.format(80), 80), here=f"curl -sS -f -m 60 -T {FILE} http://10.77.0.2/f"),
    Way("curl TLS", ("curl", "ssl-cert"), "/usr/bin/curl", CERTIFICATE + there(KEEP.format(443) + " /run/both.pem", 443),
        here=f"curl -k -sS -f -m 60 -T {FILE} https://10.77.0.2/f"),
    Way("wget", ("wget",), "/usr/bin/wget", there(KEEP.format(80), 80), here=f"wget -q -t 1 -O /dev/null --post-file={FILE} http://10.77.0.2/f"),
    Way("firefox", ("firefox-esr",), "/usr/lib/firefox-esr/firefox-esr", there(KEEP.format(80), 80),
        here=f"timeout 280 python3 {TOOLS}/upload_by_firefox.py {FOLDER}/{FILE} http://10.77.0.2/", scrub="nothing", seconds=300, many_flows=True),
    Way("syncthing", ("syncthing",), "/usr/bin/syncthing", SYNCTHING,
        here=f"timeout 110 sh -c 'syncthing serve --no-browser --no-upgrade --home=/run/sync/here & "
        f"until cp /run/sync/got/{FILE} {{got}} 2>/dev/null; do sleep 1; done; kill $!'", scrub="nothing", seconds=120, many_flows=True),
]


def packages():
    """The Debian packages of all, in the order that names an image."""
    return sorted({package for way in WAYS for package in way.packages})


def image():
    """The VM image that has them."""
    return image_directory(packages(), "TACET_SERVERS_IMAGE")
