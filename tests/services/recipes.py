"""Recipes for proxies, with a certificate and ports of a test in place of their own."""

import os
from pathlib import Path

SITE = "fieldlog.example"


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
