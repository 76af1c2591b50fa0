"""What `inspect` says of files of records, and of their indices."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gluonish.conversion.reports import bytes_bar
from gluonish.errors import FileFormatError, MXNetError
from gluonish.recordio.chunks import HEAD, RecordSource, chunk_head, read_record, record_starts
from gluonish.recordio.headers import unpack
from gluonish.serialization.files import is_url, open_source

if TYPE_CHECKING:
    from gluonish.conversion.reports import Report

_HEADER: Final = 24  # bytes of an image record's header
_CONTENTS: Final = {
    b"\xff\xd8\xff": "JPEG",
    b"\x89PNG": "PNG",
    b"\x93NUM": "NumPy array",
    b"RIFF": "WebP",
    b"BM": "BMP",
    b"GIF8": "GIF",
}
_MOST_WIDTHS: Final = 10


def records_report(report: Report, *, shows: bool) -> None:
    """Fill in the number of records, widths of labels, and the first record's header."""
    try:
        source = RecordSource(report.path)
    except FileFormatError as error:
        report.damage = str(error)
        return
    count, widths, longest = 0, Counter[int](), 0
    try:
        with bytes_bar(source.size, shows=shows) as bar:
            for start in record_starts(source):
                _, length = chunk_head(source, start, start)
                if count == 0:
                    report.facts |= _first(read_record(source, start)[0])
                count += 1
                longest = max(longest, length)
                widths[_label_width(source, start, length)] += 1
                bar.update(start + HEAD.size + length - bar.n)
    except FileFormatError as error:
        report.damage = str(error)
    finally:
        source.close()
    report.facts["records"] = count
    if count:
        report.facts["longest"] = longest
        if -1 in widths:
            for key in ("first label", "first id", "content"):
                report.facts.pop(key, None)
            report.facts["headers"] = "none: not packed as images"
        else:
            shown = widths.most_common(_MOST_WIDTHS)
            report.facts["labels"] = {f"of {width}": number for width, number in shown}
    index = Path(report.path).with_suffix(".idx")
    if not is_url(report.path) and index.is_file():
        report.facts["index"] = str(index)


def _label_width(source: RecordSource, start: int, length: int) -> int:
    """Return how many labels a record has; -1 if it has no header."""
    if length < _HEADER:
        return -1
    flag = int.from_bytes(source.at(start + HEAD.size, 4), "little")
    if 4 * flag > length - _HEADER:
        return -1
    return flag or 1


def _first(record: bytes) -> dict[str, Any]:
    """Return what the first record's header says, if it has one."""
    try:
        header, rest = unpack(record)
    except MXNetError:
        return {}
    label = header.label.tolist() if hasattr(header.label, "tolist") else header.label
    found = {"first label": label, "first id": header.id}
    kinds = [kind for start, kind in _CONTENTS.items() if rest.startswith(start)]
    found["content"] = kinds[0] if kinds else "not known"
    return found


def index_report(report: Report) -> None:
    """Fill in how many keys there are, and the first and the last one."""
    with open_source(report.path) as source:
        lines = source.stream.read().split(b"\n")
    if not lines[-1].strip():
        lines.pop()
    keys = []
    for number, line in enumerate(lines, 1):
        key, tab, place = line.strip().partition(b"\t")
        if not tab or not place.strip().isdigit():
            report.damage = (
                f"{report.path!r}, line {number}: it is {line[:80]!r}. Expected a key, a tab and "
                f"a place. Make the index anew from the .rec file."
            )
            break
        keys.append(key.decode("utf-8", "replace"))
    report.facts["keys"] = len(keys)
    if keys:
        report.facts["first key"], report.facts["last key"] = keys[0], keys[-1]
    records = Path(report.path).with_suffix(".rec")
    if not is_url(report.path) and records.is_file():
        report.facts["records"] = str(records)
