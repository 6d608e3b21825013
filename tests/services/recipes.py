"""Recipes for proxies, with a certificate and ports of a test in place of their own."""

import os
from collections.abc import Callable
from pathlib import Path

from tests.root import ROOT

SITE = "fieldlog.example"
FIRST_PORT = 8421
"""That of the first process behind a recipe for several; the others count on from it."""


def changed(text: str, **changes: str) -> str:
    """A recipe with other words in place of some of its own, all of which it has."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def nginx_command(folder: Path, recipe: str, port: int, plain: int, certificate: Path, key: Path) -> list[str]:
    """The command of an nginx that includes a recipe, on these ports."""
    letsencrypt = f"/etc/letsencrypt/live/{SITE}"
    ours = changed(
        recipe,
        **{
            f"{letsencrypt}/fullchain.pem": str(certificate),
            f"{letsencrypt}/privkey.pem": str(key),
            SITE: "localhost",
            "listen 443 ": f"listen {port} ",
            "listen 80;": f"listen {plain};",
            "https://$host$": f"https://$host:{port}$",
        },
    )
    (folder / "fieldlog.conf").write_text(ours, "utf-8")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"    {kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"pid {folder}/pid;\nworker_processes 1;\ndaemon off;\nerror_log stderr;\nevents {{}}\n"
        f"http {{\n    access_log off;\n{paths}    include {folder}/fieldlog.conf;\n}}\n",
        "utf-8",
    )
    # As root it would become somebody else, who may not enter a folder of a test.
    own = ["-g", "user root;"] if os.geteuid() == 0 else []
    return ["nginx", "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf"), *own]


def recipe_for_several(name: str, ports: list[int]) -> str:
    """A recipe whose processes listen on these ports."""
    text = (ROOT / "infra/front" / name).read_text("utf-8")
    theirs = {f"127.0.0.1:{FIRST_PORT + nth}": f"127.0.0.1:{each}" for nth, each in enumerate(ports)}
    return changed(text, **theirs)


def haproxy_over(folder: Path, ports: list[int], port: int, plain: int, certificate: Path, key: Path) -> list[str]:
    """The command of a HAProxy as its recipe has it, with a certificate of our own and other ports."""
    both = folder / "both.pem"
    both.write_bytes(certificate.read_bytes() + key.read_bytes())
    changes = {"bind :443": f"bind :{port}", "bind :80": f"bind :{plain}", "/etc/haproxy/fieldlog.pem": str(both)}
    file = folder / "haproxy.cfg"
    file.write_text(changed(recipe_for_several("haproxy.cfg", ports), **changes), "utf-8")
    return ["haproxy", "-db", "-f", str(file)]


def nginx_over(folder: Path, ports: list[int], port: int, plain: int, certificate: Path, key: Path) -> list[str]:
    """The command of an nginx that includes its recipe for several processes."""
    return nginx_command(folder, recipe_for_several("nginx-several.conf", ports), port, plain, certificate, key)


BALANCERS: dict[str, Callable[..., list[str]]] = {"haproxy": haproxy_over, "nginx": nginx_over}
"""The programs that share campaigns out to several processes, and the command of each."""
