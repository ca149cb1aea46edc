"""Runs once inside an image that is being built: takes out what no analysis needs and an intruder would like.

Package installers, compilers and what raises privileges go; every setuid and setgid bit is cleared. The shell and the
coreutils stay: a sandbox session can run a command, and they give nothing that Python does not.
"""

import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator

UNWANTED_COMMANDS = re.compile(
    r"^(pip|easy_install|wheel|ensurepip|2to3|idle|pydoc|python.*-config|gcc|g\+\+|cc|c\+\+|cpp|c89|c99|clang|ld|as|gold|tcc|"
    r"make|perl|apt|dpkg|debconf|aptitude|snap|su|sudo|mount|umount|newgrp|passwd|chsh|chfn|gpasswd|expiry|chage|pkexec|"
    r"unshare|nsenter|setpriv|setarch|chroot|unix_chkpwd|curl|wget|ssh|scp|nc|ncat|gdb|strace|gpg|gpgv)(-?[0-9.]+)?$"
    r"|^(apt|dpkg|debconf|perl|x86_64-linux-gnu|aarch64-linux-gnu|ssh|gpg|gcc|g\+\+|cpp)-"
)
UNWANTED_FOLDERS = (
    "/usr/share/doc", "/usr/share/man", "/usr/share/info", "/usr/share/locale", "/usr/share/perl", "/usr/share/perl5",
    "/usr/lib/gcc", "/usr/libexec/gcc", "/var/lib/apt", "/var/lib/dpkg", "/var/cache", "/etc/apt", "/etc/dpkg",
    "/root/.cache",
)
UNWANTED_MODULES = ("pip", "setuptools", "wheel", "_distutils_hack", "pkg_resources", "ensurepip", "idlelib", "lib2to3")
KEPT_MOUNTS = {"/proc", "/sys", "/dev"}


def remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def commands() -> Iterator[str]:
    for folder in ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"):
        if not os.path.islink(folder) and os.path.isdir(folder):
            for name in os.listdir(folder):
                if UNWANTED_COMMANDS.match(name):
                    yield os.path.join(folder, name)


def modules() -> Iterator[str]:
    for folder in [*sys.path, os.path.join(sys.prefix, "lib", "python3", "dist-packages")]:
        if not os.path.isdir(folder):
            continue
        for name in os.listdir(folder):
            if name.split(".")[0].split("-")[0] in UNWANTED_MODULES or name == "distutils-precedence.pth":
                yield os.path.join(folder, name)


def clear_bits() -> None:
    for folder, folders, names in os.walk("/"):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in KEPT_MOUNTS]
        for name in names:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            if stat.S_ISREG(mode) and mode & (stat.S_ISUID | stat.S_ISGID):
                os.chmod(path, stat.S_IMODE(mode) & 0o777)


if __name__ == "__main__":
    for path in [*commands(), *UNWANTED_FOLDERS, *modules()]:
        remove(path)
    clear_bits()
    os.unlink(__file__)
