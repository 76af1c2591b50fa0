"""Attributes that arrays of other libraries have, and what to use here."""

from __future__ import annotations

from typing import Final

_MOVE: Final = "x.as_in_context(ctx) moves an array to mx.gpu() or mx.cpu()"
_CAST: Final = "x.astype('float16') gives an array of another dtype"
_GRADIENT: Final = "x.attach_grad() says that the gradient of an array is wanted"
_WRITE: Final = "Write to an array by x[:] = value, x += value or x -= value"
_ARITHMETIC: Final = "x + y, x - y, x * y, x / y and x ** y compute"
_COMPARED: Final = "x == y, x > y and their kin compare"
_HELD: Final = (
    "x itself holds the values: x -= ..., below the block of record(), changes them in place, and "
    "x[:] = y writes others; x.detach() is outside of what is recorded"
)
FRESH: Final = "backward() replaces gradients: leave this line out"

OF_ARRAYS: Final[dict[str, dict[str, str]]] = {
    "NDArray": {
        "to": f"{_MOVE}, {_CAST}",
        **dict.fromkeys(("cuda", "pin_memory", "to_device"), _MOVE),
        "cpu": f"{_MOVE}; x.asnumpy() copies to NumPy from wherever it is",
        **dict.fromkeys(
            (
                "float",
                "double",
                "half",
                "long",
                "int",
                "bool",
                "type",
                "bfloat16",
                "byte",
                "char",
                "short",
                "type_as",
            ),
            _CAST,
        ),
        **dict.fromkeys(("numel", "nelement"), "x.size is the number of elements"),
        **dict.fromkeys(("dim", "ndimension"), "x.ndim is the number of axes"),
        **dict.fromkeys(("requires_grad", "requires_grad_", "retain_grad", "is_leaf"), _GRADIENT),
        **dict.fromkeys(
            (
                "add_",
                "sub_",
                "mul_",
                "div_",
                "copy_",
                "fill_",
                "zero_",
                "fill",
                "put",
                "normal_",
                "uniform_",
                "index_fill",
                "masked_scatter",
            ),
            _WRITE,
        ),
        **dict.fromkeys(("device", "is_cuda", "get_device"), "x.context says where an array is"),
        **dict.fromkeys(
            ("matmul", "mm", "bmm"), "nd.dot(x, y) multiplies matrices, nd.batch_dot many"
        ),
        **dict.fromkeys(("add", "sub", "mul", "div", "pow", "neg"), _ARITHMETIC),
        **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), _COMPARED),
        **dict.fromkeys(("view", "resize"), "x.reshape((2, -1)) does that"),
        **dict.fromkeys(("view_as", "reshape_as"), "x.reshape_like(y) gives the shape of y"),
        "ravel": "x.reshape(-1) gives the elements in one row",
        "numpy": "x.asnumpy() copies an array to NumPy",
        "unsqueeze": "x.expand_dims(axis=0) adds an axis",
        **dict.fromkeys(("permute", "t"), "x.transpose((1, 0)) orders axes so"),
        "clone": "x.copy() copies an array",
        "contiguous": "Leave it out: arrays are in order where that matters",
        **dict.fromkeys(
            ("expand", "expand_as"), "x.broadcast_to((2, 3)) repeats along axes of length 1"
        ),
        "data": _HELD,
        "masked_fill": "nd.where(mask, value, x) fills elements",
        "masked_select": "nd.contrib.boolean_mask(x, mask) chooses rows",
        "index_select": "x.take(indices, axis=0) chooses rows",
        "gather": "nd.pick(x, indices) and nd.gather_nd(x, indices) choose elements",
        "chunk": "x.split(2, axis=0) gives parts of equal size",
        "clamp": "x.clip(0, 1) limits values",
        "clamp_": "x[:] = x.clip(0, 1) limits values in place",
        "diagonal": "nd.diag(x) is the diagonal of a matrix",
        "std": "Arrays of mx.np have it: write x.as_np_ndarray().std(axis=0).as_nd_ndarray()",
        "var": "Write x.as_np_ndarray().var(axis=0).as_nd_ndarray()",
        "all": "(x != 0).min() tells; x.asnumpy().all(), too",
        "any": "(x != 0).max() tells; x.asnumpy().any(), too",
        "grad_fn": "What is recorded is not shown; autograd.is_recording() tells whether it is",
        "zero_grad": FRESH,
        **dict.fromkeys(("assign", "assign_add", "assign_sub"), _WRITE),
        "eval": "x.asnumpy() gives the values",
        **dict.fromkeys(
            (
                "tobytes",
                "tofile",
                "dump",
                "dumps",
                "ctypes",
                "flags",
                "strides",
                "base",
                "flat",
                "byteswap",
                "getfield",
                "setfield",
                "setflags",
            ),
            "x.asnumpy() is NumPy's array, which has it",
        ),
        **dict.fromkeys(
            ("argpartition", "partition"), "x.sort() and x.argsort() order all of it, nd.topk some"
        ),
        **dict.fromkeys(
            ("searchsorted", "choose", "compress", "conjugate"),
            "x.asnumpy() is NumPy's array, which has it",
        ),
        "itemset": "x[0, 1] = 5 sets an element",
        "newbyteorder": "x.asnumpy().byteswap() turns the bytes of numbers",
        "ptp": "x.max() - x.min() is the span of the numbers",
        "tostring": "x.asnumpy().tobytes() are the bytes",
        **dict.fromkeys(
            ("tail", "describe", "apply", "map", "plot", "groupby", "merge", "to_csv"),
            "pandas.DataFrame(x.asnumpy()) is a table",
        ),
        "values": "x.asnumpy() gives the values",
        "value": "x.asscalar() is the number of an array of one, x.asnumpy() copies many",
        "cast": "x.astype('float16') gives an array of another dtype",
        "watch": _GRADIENT,
        **dict.fromkeys(("gradient", "grads"), "x.grad is the gradient of an array"),
        "get_shape": "x.shape is a tuple",
        "average": "x.mean() is the average",
        "absolute": "x.abs() leaves the signs out",
        **{
            f"reduce_{name}": f"x.{name}(axis=1) does it"
            for name in ("sum", "mean", "max", "min", "prod")
        },
        **dict.fromkeys(
            ("append", "extend", "insert"),
            "Arrays keep their length: nd.concat(x, y, dim=0), np.concatenate([x, y]) join two",
        ),
        **dict.fromkeys(
            ("pop", "remove", "delete", "drop", "__delitem__"),
            "Arrays keep their length: nd.concat(x[:2], x[3:], dim=0) leaves row 2 out",
        ),
        **dict.fromkeys(
            ("rows", "items", "iterrows", "columns", "cols", "keys", "iloc", "loc", "head"),
            "x[0] is a row, x[:, 0] a column, for row in x: goes through the rows",
        ),
        **dict.fromkeys(("as_numpy", "tonumpy", "get"), "x.asnumpy() copies an array to NumPy"),
        **dict.fromkeys(("length", "len", "count"), "len(x) is the number of rows, x.size of all"),
    },
}
