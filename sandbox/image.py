"""Building the sandbox image: a bare Python of the gate's minor version, wheels checked by hash on top, nothing else.

The base is python:3.x-slim by digest where a registry answers, else a tree of Debian packages, or an operator's own
image. The engine never builds and never pulls; this does, when somebody asks for it.
"""

import hashlib
import json
import shutil
import tarfile
import tempfile
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import requests
from docker import errors

from .daemon import Daemon
from .debian_base import check_architecture, debian_suite, debian_tree
from .docker import DockerEngine
from .engine import LaunchRequest
from .errors import BadRequest, EngineUnavailable, SandboxError
from .image_record import Image, from_inspect, record_image
from .image_strip import UNWANTED_MODULES
from .limits import Limits
from .owner import owner_identity
from .packages import Progress, import_names, installed, python_minor, silent
from .wanted import install_wanted, read_wanted

TAG = "fumehood-sandbox"
_BUILD_S = 1800.0
_REGISTRY_S = 20.0
_ANSWER_BYTES = 1024 * 1024

_LOOK = """
import importlib.metadata, json, os, platform, site, sys
folders = [f for f in site.getsitepackages() if os.path.isdir(f)]
names = sorted({e.split(".")[0] for f in folders for e in os.listdir(f)
    if e.endswith((".py", ".so")) or (os.path.isdir(os.path.join(f, e)) and "." not in e and "-" not in e)})
gone = set(sys.argv[1:])
print(json.dumps({"python": platform.python_version(), "executable": sys.executable,
    "site": site.getsitepackages()[0], "machine": platform.machine(), "libc": platform.libc_ver()[0],
    "packages": {n: d.version for d in importlib.metadata.distributions(path=folders)
        for n in [d.metadata["Name"].lower().replace("_", "-")] if n not in gone},
    "modules": [n for n in names if n.isidentifier() and not n.startswith("__") and n not in gone]}))
"""


def build_image(
    requirements: Path | None = None, *, base: str | None = None, home: Path | None = None, url: str | None = None,
    progress: Progress = silent, choose: bool = True,
) -> Image:
    """Build the image on the daemon and, with `choose`, record it as the one the engine uses.

    `requirements`: an operator's own on top of the shipped, hash-pinned ones. `base`: a local image to build on; its
    own packages stay, and the shipped ones are not added. Raises EngineUnavailable (no daemon), BadRequest (a base that
    cannot be had) and SandboxError (neither registry nor Debian, index unreachable, another Python).
    """
    daemon = Daemon(url)
    reason = daemon.unreachable()
    if reason is not None:
        raise EngineUnavailable(reason)
    with tempfile.TemporaryDirectory(prefix="fumehood-image-") as scratch:
        context = Path(scratch)
        (context / "packages").mkdir()
        base_id, base_name = _base(daemon, base, context, progress)
        seen = _look_inside(daemon, base_id)
        digest = None
        if base is None or requirements is not None:
            wanted = read_wanted(requirements, extend=base is None)
            if seen["libc"] != "glibc":
                raise BadRequest(f"the base {base_name} has no glibc, which the wheels need: use a Debian-based one")
            install_wanted(wanted, context / "packages", platform=seen["machine"], progress=progress)
            digest = f"sha256:{hashlib.sha256(wanted.content).hexdigest()}"
        image = Image(
            id="", python=seen["python"], executable=seen["executable"], requirements=digest, base=base_name,
            packages=dict(sorted({**seen["packages"], **installed(context / "packages")}.items())),
            modules=sorted({*seen["modules"], *import_names(context / "packages")}),
        )
        progress("putting the packages on the base")
        image = _assemble(daemon, context, base_id, seen["site"], image)
    if choose:
        record_image(image, home)
    return image


def _base(daemon: Daemon, wanted: str | None, scratch: Path, progress: Progress) -> tuple[str, str]:
    """An image on the daemon to build on: its id, and what it is for the record."""
    if wanted is not None:
        inspected = daemon.inspect_image(wanted)
        if inspected is None:
            raise BadRequest(f"there is no local image {wanted} (nothing is pulled): docker pull or load it first")
        volumes = inspected["Config"].get("Volumes")
        if volumes:
            raise BadRequest(f"the image {wanted} declares volumes ({', '.join(volumes)}), which a program could write "
                             "without bound: build it without VOLUME")
        return inspected["Id"], f"{wanted} ({inspected['Id']})"
    slim = f"python:{python_minor()}-slim"
    try:
        return _pulled(daemon, slim, progress)
    except (errors.APIError, requests.exceptions.RequestException) as error:
        progress(f"no registry gave {slim} ({_first_line(error)}); building from Debian packages")
    inspected = daemon.inspect_image(slim)
    if inspected is not None:
        return inspected["Id"], f"{slim} ({inspected['Id']})"
    debian_suite()
    check_architecture(str(daemon.info().get("Architecture")))
    archive = scratch / "base.tar"
    name = debian_tree(archive, progress)
    with daemon.errors("importing the Debian tree"), archive.open("rb") as stream:
        answer = daemon.api(timeout=_BUILD_S).import_image_from_data(stream)
    archive.unlink()
    imported = json.loads(answer.strip().splitlines()[-1])
    if "status" not in imported:
        raise SandboxError(f"the daemon did not take the Debian tree: {imported.get('error', answer)}")
    return imported["status"], name


def _pulled(daemon: Daemon, name: str, progress: Progress) -> tuple[str, str]:
    """Resolve the tag to a digest once and build on the digest."""
    found = daemon.api(timeout=_REGISTRY_S).inspect_distribution(name)  # type: ignore[no-untyped-call]
    digest = found["Descriptor"]["digest"]
    pinned = f"{name.split(':')[0]}@{digest}"
    progress(f"pulling {name} ({digest})")
    daemon.api(timeout=_BUILD_S).pull(pinned)
    inspected = daemon.inspect_image(pinned)
    if inspected is None:
        raise SandboxError(f"the daemon pulled {pinned} and does not have it")
    return inspected["Id"], f"{name}@{digest}"


def _look_inside(daemon: Daemon, image: str) -> dict[str, Any]:
    """Ask the base's own Python, in a container on the engine's floor, what it is and has."""
    bare = Image(id=image, python="", executable="python3", packages={}, modules=[], requirements=None, base="")
    limits = Limits(wall_s=60, cpu_s=60, memory_mb=256, processes=16)
    request = LaunchRequest(limits=limits, run_id="image", owner=owner_identity())
    engine = DockerEngine(url=daemon.url)
    try:
        sandbox = engine.start_command(request, bare, ["python3", "-I", "-B", "-c", _LOOK, *UNWANTED_MODULES])
    except EngineUnavailable as error:
        raise BadRequest(f"the base image does not start python3: {error}") from error
    try:
        sandbox.stdin.close()
        answer = b"".join(iter(lambda: sandbox.stdout.read(_ANSWER_BYTES), b""))
        if not answer:
            raise BadRequest(f"python3 of the base image said nothing: {sandbox.diagnose()}")
    finally:
        sandbox.close()
    seen: dict[str, Any] = json.loads(answer)
    unfit = replace(bare, python=seen["python"]).unusable()
    if unfit:
        raise SandboxError(f"the base image cannot be used: {unfit}")
    return seen


def _assemble(daemon: Daemon, context: Path, base: str, site: str, image: Image) -> Image:
    here = resources.files(__package__)
    for name in ("Dockerfile", "image_strip.py", "font_cache.py"):
        shutil.copyfile(str(here / name), context / name)
    tag = f"{TAG}:py{python_minor()}"
    with daemon.errors("building the image"), tempfile.TemporaryFile() as archive:
        with tarfile.open(fileobj=archive, mode="w") as tar:
            tar.add(context, arcname=".", filter=_as_root)
        archive.seek(0)
        lines = daemon.api(timeout=_BUILD_S).build(
            fileobj=archive, custom_context=True, tag=tag, rm=True, forcerm=True, pull=False, network_mode="none",
            decode=True, buildargs={"PYTHON_IMAGE": base, "SITE_PACKAGES": site}, labels=image.labels(),
        )
        for line in lines:
            if "error" in line:
                raise SandboxError(f"the daemon could not build the image: {line['error'].strip()}")
    inspected = daemon.inspect_image(tag)
    built = from_inspect(inspected) if inspected else None
    if built is None:
        raise SandboxError(f"the daemon built {tag} and does not have it")
    seen = _look_inside(daemon, built.id)
    if seen["packages"] != image.packages:
        raise SandboxError(f"the built image holds other packages than were put into it: {seen['packages']}")
    return built


def _as_root(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    # Read-only for whoever runs in it, also where this host's umask is narrow.
    entry.mode = 0o755 if entry.isdir() else 0o644
    return entry


def _first_line(error: Exception) -> str:
    text = getattr(error, "explanation", None) or str(error)
    return str(text).splitlines()[0][:200]
