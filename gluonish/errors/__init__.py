"""The errors that gluonish raises, each named for the mistake and caught as MXNet's were."""

from __future__ import annotations

import multiprocessing
import re
import struct
from typing import TYPE_CHECKING

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable


_LONGEST_MESSAGE = 10_000  # characters
# An array as it prints itself, over lines: its numbers, then its class, lengths and context.
_PRINTED = re.compile(r"\n[^<>]*<(\w+) (\d[\dx]*) @[^>]*>")


class MXNetError(RuntimeError):
    """Base of every error that gluonish raises itself.

    Notes
    -----
    MXNet 1.9.1 derives it from `RuntimeError` too, so old `except` clauses go on working.
    A message that names of any length would make endless is shown without its middle; arrays in
    it are told by their shapes.
    """

    @override
    def __str__(self) -> str:
        """Return the message."""
        text = RuntimeError.__str__(self)  # KeyError's own shows messages in quotes
        text = _PRINTED.sub(_of_shape, text)
        if len(text) <= _LONGEST_MESSAGE:
            return text
        half = _LONGEST_MESSAGE // 2
        return f"{text[:half]} ... {text[-half:]}"


def _of_shape(printed: re.Match[str]) -> str:
    lengths = tuple(map(int, printed[2].split("x")))
    return f"<{printed[1]} of shape {lengths}>"


class ArgumentKindError(MXNetError, TypeError, ValueError, AttributeError):
    """A call failed since an argument is of another type than the signature says."""


class ArchitectureError(MXNetError, KeyError):
    """A saved description of Blocks is not that of the Block which loads it."""


class AutogradError(MXNetError):
    """A gradient was asked for where nothing, or something else, was recorded."""


class AxisError(MXNetError, ValueError, IndexError):
    """An array does not have the axis that was named."""


class BlockError(MXNetError, AttributeError):
    """A Block was used before its constructor ran."""


class BlockTypeError(MXNetError, TypeError):
    """An attribute of a Block was given a value of another kind."""


class CompileError(MXNetError):
    """A captured graph can't be compiled."""


class ContextError(MXNetError):
    """Arrays of different contexts met, or the context asked for is not on this machine."""


class ContextMismatchError(ContextError, ValueError):
    """Arrays of different contexts met."""


class ContextNameError(ContextError, KeyError, TypeError):
    """A context was named by something else than a kind of device and a number."""


class ConversionError(MXNetError):
    """A converted file is not what it should be, or a graph can't be converted."""


class CustomOperatorError(MXNetError):
    """An operator that is written in Python failed; the error it raised is the cause."""


class DataLoaderTimeoutError(MXNetError, multiprocessing.TimeoutError):
    """No batch came from the workers of a DataLoader in time."""


class CallCountError(AutogradError, AssertionError):
    """Something that serves one call was called again, or lists of two lengths were given."""


class DeferredInitializationError(MXNetError):
    """A parameter was read before its shape is known."""


class DifferentArraysError(MXNetError, AssertionError):
    """A check of `test_utils` failed."""


class DistributedError(MXNetError):
    """Another process did not come, did not answer in time, or ended."""


class DTypeError(MXNetError, TypeError):
    """A value has a type or dtype that the call cannot take."""


class ExportError(MXNetError):
    """A Block was to be written as a graph before it is known what it computes."""


class FileAccessError(MXNetError, OSError):
    """A file or folder cannot be opened, read or written."""


class ExistingFileError(FileAccessError, FileExistsError):
    """A file is there already, and may not be replaced."""


class FileChecksumError(FileAccessError, UserWarning):
    """A downloaded file does not have the checksum that it should have."""


class FileDownloadError(FileAccessError):
    """A file could not be fetched from its address."""


class FileFormatError(MXNetError, ValueError):
    """What a file holds is damaged, or is no format that gluonish reads."""


class EmbeddingFileError(FileFormatError, AssertionError):
    """A file of words' vectors is damaged."""


class ImageFormatError(FileFormatError):
    """What should be a picture is none, or a damaged one."""


class IndexKindError(MXNetError, ValueError, TypeError):
    """An index is of a kind that no array has, or a slice's step is zero."""


class InvalidArgumentError(MXNetError, ValueError):
    """An argument has a value outside of what the call accepts."""


class IteratorEndError(MXNetError, AssertionError):
    """An iterator was asked for a batch before its first one, or after its last one."""


class GradientRequestError(InvalidArgumentError, KeyError):
    """A grad_req is none of 'write', 'add' and 'null'."""


class InvalidIndexError(MXNetError, IndexError):
    """An index does not fit the array."""


class LabelFormatError(FileFormatError):
    """The label of a picture with boxes does not say what is where."""


class LearningRateError(MXNetError, UserWarning):
    """The learning rate was set although a scheduler decides on it."""


class MissingConstantError(MXNetError, KeyError):
    """A constant was asked for that does not exist."""


class LinearAlgebraError(MXNetError, ValueError):
    """A matrix has no inverse, no root, or no real eigenvalues."""


class MissingEpochsError(MXNetError, AssertionError, TypeError):
    """A number of epochs was left out."""


class MissingExtraError(MXNetError, ImportError):
    """A feature needs an optional dependency that is not installed."""


class MissingFileError(FileAccessError, FileNotFoundError, ValueError):
    """There is no file, or no folder, of the name that was given."""


class MissingCheckpointError(MissingFileError, AssertionError):
    """Half of a checkpoint is missing."""


class MissingGradientError(MXNetError):
    """An output's gradient is needed for the way back, and was not given."""


class MissingMethodError(MXNetError, NotImplementedError):
    """A subclass lacks a method that its base class leaves to it."""


class MissingLibraryError(MXNetError, AttributeError):
    """A function of MXNet's library in C was asked for, which gluonish does not have."""


class MissingTensorError(MXNetError):
    """An array has no tensor: it is sparse, or its shape is not known yet."""


class SparseStorageError(MissingTensorError, AttributeError, NotImplementedError):
    """A sparse array was given where the memory of a dense one is needed."""


class UnknownShapeError(MissingTensorError, AttributeError):
    """A parameter's shape or values were asked for while its shape was being found."""


class NotImplementedForSymbol(MXNetError):  # noqa: N818 - MXNet's name
    """An array's method was called on a Symbol, which has no values."""


class MissingOptimizerError(MXNetError, AssertionError):
    """A store was asked for the states of an optimizer that it does not have."""


class ModuleStateError(MXNetError, AssertionError):
    """A module was asked for what it can do only after `bind`, `init_params` or the like."""


class OptimizerError(MXNetError, NotImplementedError):
    """An optimizer does not say how it updates."""


class StoreUpdateError(OptimizerError, AssertionError):
    """A Trainer was to update weights by itself that its store updates."""


class TrainerError(MXNetError, RuntimeError):
    """A parameter has a Trainer already."""


class OldLibraryError(MXNetError, ImportError):
    """A library is installed that is older than gluonish needs."""


class OperandError(MXNetError, AssertionError, TypeError):
    """Something else was given where only an array, or only arrays, will do."""


class MissingNameError(MXNetError, KeyError):
    """A name was asked for that is not there."""


class MissingRecordError(MXNetError, KeyError):
    """A record was asked for by a key that its index does not have."""


class MissingScalerError(MXNetError, AttributeError, AssertionError):
    """A Trainer has no scale for its loss yet."""


class OutdatedCallError(MXNetError, DeprecationWarning):
    """A method was called that MXNet has given up, and that does nothing there."""


class OutOfMemoryError(MXNetError, MemoryError):
    """An array needs more memory than there is."""


class ParameterError(MXNetError, AssertionError):
    """A parameter was declared, set or shared in a way that contradicts what is known of it."""


class MissingParameterError(MXNetError):
    """Values for some parameters were left out."""


class ParameterFileError(MXNetError, AssertionError, ValueError):
    """The parameters in a file are not those of the Block that loads them."""


class ReadOnlyError(MXNetError, AttributeError):
    """An attribute was set that only a method changes."""


class RecordHeaderError(FileFormatError, struct.error):
    """The header of an image record cannot be packed, or is not there."""


class RecordModeError(MXNetError, AssertionError):
    """A file of records that is open to be read was to be written, or the other way round."""


class RecordStateError(MXNetError):
    """A file of records was closed, or opened by another process."""


class RecursiveBlockError(MXNetError, RecursionError):
    """A Block is its own child, directly or through others."""


class RefusedArgumentError(InvalidArgumentError, AssertionError):
    """An argument has a value that an assertion of MXNet refuses."""


class RefusedClassError(DTypeError, AssertionError):
    """Something was registered that is no class, or derives from another than it has to."""


class ShapeError(MXNetError, ValueError):
    """Shapes of the given arrays do not fit together.

    Attributes
    ----------
    is_of_inference : bool
        Whether shapes that were inferred from another batch may be the cause.
    """

    is_of_inference = True


class StaleGradientError(MXNetError, UserWarning):
    """A parameter was to be updated by a gradient that no backward pass has computed."""


class StandInError(MXNetError, ImportError):
    """Gluonish cannot stand in for mxnet any more."""


class StateCountError(MXNetError, TypeError, IndexError):
    """A recurrent layer or cell was given more or fewer states than it has."""


class SymbolError(MXNetError):
    """Symbols don't fit together, or a graph does not fit what it is given."""


class SymbolTypeError(SymbolError, TypeError, AssertionError):
    """Something else stands where a Symbol, or a name, is expected."""


class SymbolNameError(SymbolError, ValueError):
    """A Symbol has no argument, output or attribute of that name."""


class UninitializedParameterError(MXNetError):
    """A parameter was read before `initialize()` was called."""


class UnknownArgumentError(InvalidArgumentError, TypeError):
    """An argument was given by a name that the call does not know."""


class UnknownModeError(InvalidArgumentError, KeyError):
    """A recurrent layer was asked for that is none of the four kinds."""


class UnknownNameError(MXNetError, AttributeError):
    """A module has nothing of that name, or an object lacks what PyTorch's has."""

    def __init__(self, name: str, owner: str, hint: Callable[[], str]) -> None:
        super().__init__(name, owner, hint)

    @override
    def __str__(self) -> str:
        # The nearest name is looked for when somebody reads it: `hasattr` asks often.
        name, owner, hint = self.args
        return f"{owner} has no attribute {name!r}.{hint()}"


class UnknownFeatureError(InvalidArgumentError):
    """A feature was asked for by a name that no version of MXNet has."""


class UnknownOperatorError(MXNetError, AttributeError):
    """An operator was named that there is not."""


class UnknownStateError(InvalidArgumentError, KeyError):
    """The profiler was sent into a state that it does not have."""


class UnsupportedOptionError(InvalidArgumentError, NotImplementedError):
    """An option of NumPy was chosen that arrays do not have."""


class WorkersDifferError(DistributedError, ValueError):
    """Processes that share a store asked it for different things."""


class ZeroStepError(InvalidArgumentError, ZeroDivisionError):
    """A range was asked for whose step is 0, or an update for a batch without samples."""


def __dir__() -> list[str]:
    """List the errors, without what defining them takes."""
    return sorted(
        name
        for name, each in globals().items()
        if name[0] != "_" and getattr(each, "__module__", "") == __name__
    )
