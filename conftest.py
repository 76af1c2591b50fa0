"""What tests and examples share: mixed precision ends with the one that began it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gluonish.contrib.amp import amp

if TYPE_CHECKING:
    from collections.abc import Iterator

collect_ignore = ["gluonish/mxnet_import/children"]  # its module takes mxnet's place


@pytest.fixture(autouse=True)
def without_mixed_precision() -> Iterator[None]:
    """End mixed precision."""
    yield
    if amp._amp_initialized:
        amp._reset()
