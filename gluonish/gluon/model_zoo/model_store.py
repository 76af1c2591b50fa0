"""Finds files with the weights of known architectures, and fetches those that are missing."""

from __future__ import annotations

import logging
import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gluonish.errors import (
    FileChecksumError,
    FileDownloadError,
    FileFormatError,
    InvalidArgumentError,
)
from gluonish.gluon.download import (
    REPOSITORY,
    check_sha1,
    download,
    replace_file,
    repository_url,
    unpack,
)

if TYPE_CHECKING:
    from gluonish.block import HybridBlock
    from gluonish.context import Contexts
    from gluonish.serialization.files import PathLike

__all__ = ["get_model_file", "purge", "short_hash"]
_UNSTARRED = ("apache_repo_url", "check_sha1", "download", "replace_file")

_log = logging.getLogger(__name__)
apache_repo_url = REPOSITORY  # MXNet's name for it

# What MXNet 1.9.1 expects the files' SHA-1 to be.
CHECKSUMS: Final = {
    "alexnet": "44335d1f0046b328243b32a26a4fbd62d9057b45",
    "densenet121": "f27dbf2dbd5ce9a80b102d89c7483342cd33cb31",
    "densenet161": "b6c8a95717e3e761bd88d145f4d0a214aaa515dc",
    "densenet169": "2603f878403c6aa5a71a124c4a3307143d6820e9",
    "densenet201": "1cdbc116bc3a1b65832b18cf53e1cb8e7da017eb",
    "inceptionv3": "ed47ec45a937b656fcc94dabde85495bbef5ba1f",
    "mobilenet0.25": "9f83e440996887baf91a6aff1cccc1c903a64274",
    "mobilenet0.5": "8e9d539cc66aa5efa71c4b6af983b936ab8701c3",
    "mobilenet0.75": "529b2c7f4934e6cb851155b22c96c9ab0a7c4dc2",
    "mobilenet1.0": "6b8c5106c730e8750bcd82ceb75220a3351157cd",
    "mobilenetv2_0.25": "ae8f9392789b04822cbb1d98c27283fc5f8aa0a7",
    "mobilenetv2_0.5": "aabd26cd335379fcb72ae6c8fac45a70eab11785",
    "mobilenetv2_0.75": "e2be7b72a79fe4a750d1dd415afedf01c3ea818d",
    "mobilenetv2_1.0": "36da4ff1867abccd32b29592d79fc753bca5a215",
    "resnet101_v1": "d988c13d6159779e907140a638c56f229634cb02",
    "resnet101_v2": "18e93e4f48947e002547f50eabbcc9c83e516aa6",
    "resnet152_v1": "671c637a14387ab9e2654eafd0d493d86b1c8579",
    "resnet152_v2": "f2695542de38cf7e71ed58f02893d82bb409415e",
    "resnet18_v1": "a0666292f0a30ff61f857b0b66efc0228eb6a54b",
    "resnet18_v2": "a81db45fd7b7a2d12ab97cd88ef0a5ac48b8f657",
    "resnet34_v1": "48216ba99a8b1005d75c0f3a0c422301a0473233",
    "resnet34_v2": "9d6b80bbc35169de6b6edecffdd6047c56fdd322",
    "resnet50_v1": "0aee57f96768c0a2d5b23a6ec91eb08dfb0a45ce",
    "resnet50_v2": "ecdde35339c1aadbec4f547857078e734a76fb49",
    "squeezenet1.0": "264ba4970a0cc87a4f15c96e25246a1307caf523",
    "squeezenet1.1": "33ba0f93753c83d86e1eb397f38a667eaf2e9376",
    "vgg11": "dd221b160977f36a53f464cb54648d227c707a05",
    "vgg11_bn": "ee79a8098a91fbe05b7a973fed2017a6117723a8",
    "vgg13": "6bc5de58a05a5e2e7f493e2d75a580d83efde38c",
    "vgg13_bn": "7d97a06c3c7a1aecc88b6e7385c2b373a249e95e",
    "vgg16": "e660d4569ccb679ec68f1fd3cce07a387252a90a",
    "vgg16_bn": "7f01cf050d357127a73826045c245041b0df7363",
    "vgg19": "ad2f660d101905472b83590b59708b71ea22b2e5",
    "vgg19_bn": "f360b758e856f1074a85abd5fd873ed1d98297c3",
}
_model_sha1 = CHECKSUMS  # what programs that add models of their own import
_SUFFIX: Final = re.compile(r"(-[0-9a-f]{8})?\.params")


def short_hash(name: str) -> str:
    """Return the part of a checksum that is in the name of a model's file.

    Parameters
    ----------
    name : str
        Name of a model, such as `'resnet18_v1'`.

    Raises
    ------
    InvalidArgumentError
        MXNet has published no weights under that name.

    Examples
    --------
    >>> from gluonish.gluon.model_zoo import model_store
    >>> model_store.short_hash('resnet18_v1')
    'a0666292'
    """
    if name not in CHECKSUMS:
        msg = (
            f"Pretrained model for {name} is not available. Expected one of "
            f"{', '.join(sorted(CHECKSUMS))}. Load a file of yours with net.load_parameters()."
        )
        raise InvalidArgumentError(msg)
    return CHECKSUMS[name][:8]


def get_model_file(name: str, root: PathLike | None = None) -> str:
    """Return the path of a file with a model's weights, which is fetched unless it is there.

    Parameters
    ----------
    name : str
        Name of the model, such as `'resnet18_v1'`.
    root : str or path, optional
        Folder for such files; `models` under the environment variable `MXNET_HOME`, or under
        `~/.mxnet`, by default. There may be MXNet's file, `resnet18_v1-a0666292.params`, whose
        checksum is compared, one with another checksum in its name, or `resnet18_v1.params`.
        Without any, MXNet's is fetched from its repository, or from the one that the environment
        variable `MXNET_GLUON_REPO` names.

    Raises
    ------
    InvalidArgumentError
        MXNet has published no weights under that name.
    FileDownloadError
        There is no such file, and the server does not send it.
    FileChecksumError, FileFormatError
        The server sends something else. It is not kept.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from gluonish.gluon.model_zoo import model_store
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pathlib.Path(folder, 'alexnet.params').touch()
    ...     pathlib.Path(model_store.get_model_file('alexnet', folder)).name
    'alexnet.params'
    """
    folder = _folder(root)
    published = folder / f"{name}-{short_hash(name)}.params"
    if published.is_file():
        if check_sha1(published, CHECKSUMS[name]):
            return str(published)
        _log.warning(
            "%s: its SHA-1 is not %s. It is fetched again; weights of yours are taken as %s.params",
            published,
            CHECKSUMS[name],
            name,
        )
    else:
        for file in sorted(_files(folder)):
            if file.name.startswith(name) and _SUFFIX.fullmatch(file.name.removeprefix(name)):
                return str(file)
    url = repository_url("gluon/models", f"{published.stem}.zip")
    try:
        _fetch(url, published, CHECKSUMS[name])
    except (
        FileDownloadError,
        FileChecksumError,
        FileFormatError,
        InvalidArgumentError,
    ) as error:
        cause = str(error).partition(" Expected ")[0]  # what to do with the archive is no help
        msg = (
            f"pretrained: the weights of {name!r} are not to be had from {url}: {cause} "
            f"Expected them there, or as {published}. Have the environment variable "
            f"MXNET_GLUON_REPO name another repository, put the file there yourself, or give "
            f"PyTorch's weights of the network: pretrained='FILE.pth'."
        )
        raise type(error)(msg) from error
    return str(published)


def _fetch(url: str, target: Path, checksum: str) -> None:
    """Put a file of an archive in its place, if it is what it should be."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        archive = download(url, Path(folder, f"{target.stem}.zip"), retries=1)
        unpacked = unpack(archive, target.name, Path(folder, target.name))
        if not check_sha1(unpacked, checksum):
            msg = f"{target.name} in it has not the SHA-1 {checksum}, so it is damaged or changed."
            raise FileChecksumError(msg)
        replace_file(unpacked, target)


def purge(root: PathLike | None = None) -> None:
    """Remove the files of weights from a folder.

    Parameters
    ----------
    root : str or path, optional
        The folder; as for `get_model_file`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from gluonish.gluon.model_zoo import model_store
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pathlib.Path(folder, 'alexnet.params').touch()
    ...     model_store.purge(folder)
    ...     list(pathlib.Path(folder).iterdir())
    []
    """
    for file in _files(_folder(root)):
        if file.suffix == ".params":
            file.unlink()


def load(net: HybridBlock, name: str, root: PathLike | None, ctx: Contexts) -> None:
    """Fill a network with the weights of a model."""
    net.load_parameters(get_model_file(name, root), ctx=ctx)


def _folder(root: PathLike | None) -> Path:
    home = Path(os.environ.get("MXNET_HOME") or Path.home() / ".mxnet")
    return home / "models" if root is None else Path(root).expanduser()


def _files(folder: Path) -> list[Path]:
    return [file for file in folder.iterdir() if file.is_file()] if folder.is_dir() else []
