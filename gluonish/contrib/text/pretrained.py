"""Files of vectors that MXNet's repository has: their names, archives and checksums."""

from __future__ import annotations

import os
from pathlib import Path

from gluonish.errors import MissingNameError, MXNetError
from gluonish.gluon.download import download, repository_url, unpack

_LANGUAGES = """
aa ab ace ady af ak als am ang an arc ar arz ast as av ay azb az bar bat_smg ba bcl be bg bh bi bjn
bm bn bo bpy br bs bug bxr ca cbk_zam cdo ceb ce cho chr ch chy ckb co crh cr csb cs cu cv cy da de
diq dsb dv dz ee el eml en eo es et eu ext fa ff fiu_vro fi fj fo frp frr fr fur fy gag gan ga gd
glk gl gn gom got gu gv hak ha haw he hif hi ho hr hsb ht hu hy hz ia id ie ig ii ik ilo io is it
iu jam ja jbo jv kaa kab ka kbd kg ki kj kk kl km kn koi ko krc kr ksh ks ku kv kw ky lad la lbe lb
lez lg lij li lmo ln lo lrc ltg lt lv mai map_bms mdf mg mhr mh min mi mk ml mn mo mrj mr ms mt mus
mwl my myv mzn nah nap na nds_nl nds ne new ng nl nn no nov nrm nso nv ny oc olo om or os pag pam
pap pa pcd pdc pfl pih pi pl pms pnb pnt ps pt qu rm rmy rn roa_rup roa_tara ro rue ru rw sah sa
scn sco sc sd se sg sh simple si sk sl sm sn so sq srn sr ss stq st su sv sw szl ta tcy tet te tg
th ti tk tl tn to tpi tr ts tt tum tw ty tyv udm ug uk ur uz vec vep ve vi vls vo war wa wo wuu xal
xh xmf yi yo za zea zh_classical zh_min_nan zh zh_yue zu
"""
_ALIGNED = (
    "ar bg ca cs da de el en es et fi fr he hr hu id it mk nl no pl pt ro ru sk sl sv tr uk vi"
)
_GLOVE = {
    "glove.42B.300d.zip": ("f8e722b39578f776927465b71b231bae2ae8776a", ()),
    "glove.6B.zip": ("b64e54f1877d2f735bdd000c1d7d771e25c7dfdc", (50, 100, 200, 300)),
    "glove.840B.300d.zip": ("8084fbacc2dee3b1fd1ca4cc534cbfff3519ed0d", ()),
    "glove.twitter.27B.zip": ("dce69c404025a8312c323197347695e81fd529fc", (25, 50, 100, 200)),
}


def _glove_archives() -> dict[str, str]:
    found = {}
    for archive, (_, sizes) in _GLOVE.items():
        stem = archive.removesuffix(".zip")
        for name in [f"{stem}.{size}d.txt" for size in sizes] or [f"{stem}.txt"]:
            found[name] = archive
    return found


def _fasttext_archives() -> dict[str, str]:
    stems = [
        "crawl-300d-2M",
        *(f"wiki.{language}" for language in _LANGUAGES.split()),
        *(f"wiki.multi.{language}" for language in _ALIGNED.split()),
        "wiki-news-300d-1M-subword",
        "wiki-news-300d-1M",
    ]
    return {f"{stem}.vec": f"{stem}.zip" for stem in sorted(stems)}


ARCHIVES = {"glove": _glove_archives(), "fasttext": _fasttext_archives()}


def check_name(kind: str, name: str) -> None:
    """Check that a file of vectors is one of MXNet's.

    Raises
    ------
    MissingNameError
        It is not.
    """
    if name not in ARCHIVES[kind]:
        names = list(ARCHIVES[kind])
        shown = ", ".join(names[:10]) + (f", ... {len(names) - 10} more" if names[10:] else "")
        msg = (
            f"Cannot find pretrained file {name} for token embedding {kind}. Valid pretrained "
            f"files for embedding {kind}: {shown}. Load a file of your own with CustomEmbedding."
        )
        raise MissingNameError(msg)


def find(kind: str, name: str, root: str | os.PathLike[str] | None) -> Path:
    """Return the place of a file of vectors, which is downloaded unless it is there.

    Parameters
    ----------
    kind : {'glove', 'fasttext'}
        Whose it is.
    name : str
        Its name.
    root : path or None
        Folder for all of them, by default `embeddings` under `MXNET_HOME` or `~/.mxnet`.

    Raises
    ------
    MissingNameError
        There is no such file.
    FileDownloadError
        It cannot be downloaded.
    FileFormatError
        The archive does not hold it.
    """
    check_name(kind, name)
    home = Path(os.environ.get("MXNET_HOME") or Path.home() / ".mxnet")
    folder = (home / "embeddings" if root is None else Path(root).expanduser()) / kind
    target = folder / name
    if target.exists():
        return target
    archive = ARCHIVES[kind][name]
    checksum = _GLOVE[archive][0] if kind == "glove" else None
    try:
        url = repository_url(f"gluon/embeddings/{kind}", archive)
        packed = download(url, folder / archive, sha1_hash=checksum)
    except MXNetError as error:
        error.add_note(
            f"{name} has to be downloaded once. Without a network, put that file, unpacked, into "
            f"{folder}, or load one of your own with CustomEmbedding."
        )
        raise
    return unpack(packed, name, target)
