"""Makes the files of a package registry: make_packages.py DIRECTORY URL, where URL is what serves DIRECTORY.

URL/npm is a registry for npm, with the package "top" that needs twelve others; URL/simple is an index for pip, with the
wheel "loopwheel".
"""

import base64
import hashlib
import io
import json
import pathlib
import sys
import tarfile
import zipfile

root, url = pathlib.Path(sys.argv[1]), sys.argv[2]


def npm_package(name, dependencies):
    manifest = {"name": name, "version": "1.0.0", "main": "index.js", "dependencies": dependencies}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for file, text in (("package.json", json.dumps(manifest)), ("index.js", f"module.exports = '{name}';\n")):
            entry = tarfile.TarInfo("package/" + file)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    bytes_ = packed.getvalue()
    (root / "npm" / f"{name}-1.0.0.tgz").write_bytes(bytes_)
    dist = {"tarball": f"{url}/npm/{name}-1.0.0.tgz",
            "integrity": "sha512-" + base64.b64encode(hashlib.sha512(bytes_).digest()).decode()}
    (root / "npm" / name).write_text(json.dumps(
        {"name": name, "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": {**manifest, "dist": dist}}}))


def wheel(name):
    info = f"{name}-1.0.dist-info"
    files = {f"{name}.py": f"name = '{name}'\n",
             f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
             f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    files[f"{info}/RECORD"] = "".join(f"{file},,\n" for file in files) + f"{info}/RECORD,,\n"
    directory = root / "simple" / name
    directory.mkdir(parents=True)
    with zipfile.ZipFile(directory / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
    (directory / "index.html").write_text(f'<a href="{name}-1.0-py3-none-any.whl">{name}-1.0-py3-none-any.whl</a>\n')


(root / "npm").mkdir()
parts = [f"part{i}" for i in range(12)]
for part in parts:
    npm_package(part, {})
npm_package("top", {part: "1.0.0" for part in parts})
wheel("loopwheel")
