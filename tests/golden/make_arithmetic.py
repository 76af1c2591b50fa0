"""Ask the real MXNet 1.9.1 for the dtype, zero-dim and error rules of arithmetic.

Run from the repository's root under a Python that has MXNet 1.9.1, with the path of one that has
MXNet 1.6.0 as argument; writes tests/golden/arithmetic.json.
"""

from __future__ import annotations

import itertools

import make_facts

DTYPES = ["bool", "int8", "uint8", "int32", "int64", "float16", "float32", "float64"]
OPERATORS = ["+", "-", "*", "/", "%", "**", "==", "<"]


def array(front, dtype):
    """Return the text of an array of two values."""
    values = "[True, False]" if dtype == "bool" else "[1, 2]"
    return f"{front}.array({values}, dtype='{dtype}')"


def tables():
    """Yield a group for every operator and front end."""
    for front, sign in itertools.product(("nd", "np"), OPERATORS):
        pairs = [(a, b) for a in DTYPES for b in DTYPES if a != b]
        mixed = [f"{array(front, a)} {sign} {array(front, b)}" for a, b in pairs]
        same = [f"{array(front, d)} {sign} {array(front, d)}" for d in DTYPES]
        numbers = [f"{array(front, d)} {sign} {n}" for d in DTYPES for n in ("2", "2.5", "True")]
        left = [f"{n} {sign} {array(front, d)}" for d in DTYPES for n in ("2", "2.5")]
        yield f"{front} {sign} arrays of one dtype", front, same
        yield f"{front} {sign} arrays of two dtypes", front, mixed
        yield f"{front} {sign} array and number", front, numbers
        yield f"{front} {sign} number and array", front, left


VALUES = """
array([5, -5, 7], dtype='int32') / 2
array([5, -5, 7], dtype='int32') / array([2, 2, -2], dtype='int32')
array([5, -5, 7], dtype='int32') + 2.7
array([5, -5], dtype='int32') * 0.5
array([5, -5, 4], dtype='int32') > 4.5
array([5, -5, 4], dtype='int32') == 4.5
array([5, -5, 7], dtype='int32') % 3
array([5, -5, 7], dtype='int32') % -3
array([5., -5, 7]) % 3
array([5., -5, 7]) % -3
array([5.5, -5.5]) % 2
7 % array([5., -5, 3])
array([5., -5., 7.]) % array([3., 3., -3.])
array([5, -5, 7], dtype='int32') % array([3, 3, -3], dtype='int32')
array([1., 0., -1.]) / 0
array([1., 0., -1.]) / array([0., 0., 0.])
array([1., 0., -1.]) % 0
array([1, 2], dtype='int32') / array([0, 1], dtype='int32')
array([1, 2], dtype='int32') / 0
array([1, 2], dtype='int32') % 0
array([1, 2], dtype='int32') % array([0, 1], dtype='int32')
1 / array([0, 2], dtype='int32')
2 ** array([1, -1, 3], dtype='int32')
array([2, 3], dtype='int32') ** -1
array([2, 3], dtype='int32') ** 0.5
array([-8.]) ** (1 / 3)
array([2., 3.]) ** array([2., -1.])
array([200], dtype='uint8') + 100
array([200], dtype='uint8') - 201
array([200], dtype='uint8') * array([2], dtype='uint8')
-array([1, 2], dtype='uint8')
-array([1, -2], dtype='int8')
-array([True, False], dtype='bool')
abs(array([-1, 2], dtype='int8'))
abs(array([-1.5, 2]))
~array([1, 2], dtype='int32')
~array([True, False], dtype='bool')
+array([1., 2.])
array([1., 2.]) + array([1., 2., 3.])
array([[1.], [2.]]) + array([[1., 2., 3.]])
array([[1., 2., 3.], [4., 5., 6.]]) + array([1., 2., 3.])
array([[1., 2.], [3., 4.]]) * array([[10.], [100.]])
array([[1., 2., 3.]]) == array([1., 2.])
array([1., 2.]) == None
array([1., 2.]) != None
array([1., 2.]) == 'a'
array([1., 2.]) + 'a'
array([1., 2.]) + None
array([1., 2.]) + [1, 2]
[1, 2] + array([1., 2.])
array([1., 2.]) + onp.ones(2)
array([1., 2.]) + onp.ones(2, 'float32')
onp.ones(2) + array([1., 2.])
array([1., 2.]) + onp.float64(2)
array([1., 2.]) + onp.float32(2)
array([1., 2.]) + onp.int64(2)
onp.float64(2) * array([1., 2.])
onp.float32(2) * array([1., 2.])
onp.int64(2) * array([1., 2.])
array([1., 2.]) + True
array([1., 2.]) + 1j
array([1., 2.]) // 2
divmod(array([1., 2.]), 2)
round(array([1.5]))
array([1., 2.]) @ array([1., 2.])
array([[1., 2.], [3., 4.]]) @ array([[1., 2.], [3., 4.]])
array([1., 2.]) & array([1., 2.])
array([1, 2], dtype='int32') & array([3, 3], dtype='int32')
array([1, 2], dtype='int32') | 4
array([1, 2], dtype='int32') ^ 4
array([1, 2], dtype='int32') << 1
array([True, False], dtype='bool') & array([True, True], dtype='bool')
array([True, False], dtype='bool') | array([True, True], dtype='bool')
bool(array([0]))
bool(array([2.5]))
bool(array([1, 2]))
float(array([2.5]))
int(array([2.5]))
int(array([1, 2]))
float(array([[1.5]]))
len(array([[1, 2], [3, 4], [5, 6]]))
[10, 20, 30][array([1], dtype='int32')]
[10, 20, 30][array([1.])]
range(array([3], dtype='int32'))
array([3.]).asscalar()
array([3], dtype='int32').asscalar()
array([1, 2]).asscalar()
array([1, 2]).item()
array([3.]).item()
1 in array([1., 2.])
[part.shape for part in array([[1, 2], [3, 4]])]
[type(part).__name__ for part in array([1, 2])]
len({array([1.]), array([1.])})
array([1., 2.]) < 'x'
array([1., 2.]) > None
array([1., 2.]) > array([1., 1.])
array([1., 2.]) >= array([1., 3.])
array([1., 2.]) <= array([1., 3.])
array([1., 2.]) != array([1., 3.])
array([float('nan')]) == array([float('nan')])
array([float('nan')]) != float('nan')
sum([array([1.]), array([2.])])
str(onp.dtype(array([1, 2]).dtype))
str(onp.dtype(array([1.5]).dtype))
str(onp.dtype(array([True, False]).dtype))
str(onp.dtype(array(onp.array([1, 2])).dtype))
str(onp.dtype(array(onp.array([1, 2], 'uint8')).dtype))
str(onp.dtype(array(onp.array([1.5, 2])).dtype))
str(onp.dtype(array(onp.array([True])).dtype))
array([[1, 2], [3]])
array('abc')
array([])
array([[]])
array(3)
array(3.5)
array(True)
array((1, 2))
array([onp.float64(1), 2])
array(array([1., 2.]))
array([array([1., 2.]), array([3., 4.])])
array([1, 2], dtype='float')
array([1, 2], dtype=int)
array([1, 2], dtype=float)
array([1.7, -1.7], dtype='int32')
array([1, 2], dtype='complex64')
array([1, 2], dtype='uint16')
array([300], dtype='uint8')
array([1.5, 0.0, -2]).astype('bool')
array([1.7, -1.7]).astype('int32')
array([300., -1.]).astype('uint8')
array([1, 2]).astype('int64') + array([1, 2]).astype('int64')
array([1, 2]).astype('nonsense')
zeros(3)
zeros((2, 0))
zeros(())
zeros(0)
zeros((2, 3)).size
zeros((2, 3)).ndim
zeros((2, 3)).T.shape
ones((2, 3)).sum()
ones((2, 3)).sum(axis=1)
ones((2, 3)).mean()
ones((2, 3)).max()
ones((2, 3)).sum().shape
ones((2, 3), dtype='int32').sum()
ones((2, 3), dtype='int32').mean()
ones((2, 3), dtype='bool').sum()
ones((2, 3)).argmax(axis=1)
ones((2, 3)).argmax()
arange(4)
arange(4) + 1
arange(1, 4, 0.5)
arange(4, dtype='int32') / 3
sqrt(array([4, 9], dtype='int32'))
exp(array([0, 1], dtype='int32'))
log(array([1, 2]))
sqrt(array([-1.]))
sign(array([-2., 0., 3.]))
floor(array([-1.5, 1.5]))
round(array([0.5, 1.5, 2.5, -0.5]))
maximum(array([1., 5.]), 3)
maximum(3, array([1., 5.]))
maximum(array([1., 5.]), array([2., 2.]))
dot(array([1., 2.]), array([3., 4.]))
dot(array([[1., 2.]]), array([1., 2., 3.]))
array([1., 2.]).reshape((3,))
array([1., 2.]).reshape(-1, 1)
array([1., 2., 3.]).reshape((-1, 2))
concatenate([array([1., 2.]), array([3.])])
array([1., 2.]).sum(axis=3)
""".strip().splitlines()

FUNCTIONS = [
    *("zeros", "ones", "arange", "sqrt", "exp", "log", "sign", "floor", "round", "maximum", "dot"),
    *("concatenate", "array"),
]

IN_PLACE = """
x = array([1., 2.]); y = x; x += 1; [x, y, y is x]
x = array([1., 2.]); x += array([1, 2], dtype='int32'); x
x = array([1, 2], dtype='int32'); x += 1.5; x
x = array([1, 2], dtype='int32'); x += array([1., 2.]); x
x = array([1, 2], dtype='int32'); x /= 2; x
x = array([5, 7], dtype='int32'); x /= array([2, 2], dtype='int32'); x
x = array([1., 2.]); x -= 1; x
x = array([1., 2.]); x *= array([2., 3.]); x
x = array([1., 2.]); x /= 4; x
x = array([5., 7.]); x %= 4; x
x = array([5., 7.]); x **= 2; x
x = array([5., 7.]); x **= array([2., 1.]); x
x = array([1., 2.]); x += array([[1., 2.], [3., 4.]]); x
x = array([[1., 2.], [3., 4.]]); x += array([1., 2.]); x
x = array([1., 2.]); x += array([1., 2., 3.]); x
x = array([1., 2.]); x += 'a'
x = array([1., 2.]); x *= x > 1.5; x
x = array([1., 2., 3.]); x *= abs(x) >= 2; x
x = array([1., 2.]); x @= array([[1., 0.], [0., 1.]]); x
x = array([1., 2.]); x //= 2; x
x = array([1, 3], dtype='int32'); x &= 1; x
x = array([1., 2., 3.]); y = x[1:]; y += 10; x
x = array([[1., 2.], [3., 4.]]); y = x[0]; y[:] = 9; x
x = array([[1., 2.], [3., 4.]]); y = x.reshape((4,)); y[:] = 9; x
x = array([[1., 2.], [3., 4.]]); y = x.T; y[:] = 9; x
x = array([[1., 2.], [3., 4.]]); y = x.astype('float32'); y[:] = 9; x
x = array([[1., 2.], [3., 4.]]); y = x.astype('float32', copy=False); y is x
x = array([1., 2.]); x.as_in_context(mx.cpu()) is x
x = array([1., 2.]); x.copyto(mx.cpu()) is x
x = array([1., 2.]); y = x.copyto(array([0., 0.])); y
x = array([1., 2.]); x.copyto(x)
x = array([1., 2.]); x.copyto(array([0., 0., 0.]))
x = array([1., 2.]); x.copyto('cpu')
x = array([1., 2.]); y = array([0, 0], dtype='int32'); x.copyto(y); y
x = array([1., 2.]); y = x.copy(); y += 1; x
x = array([1., 2.]); y = x.as_in_context(mx.cpu(1)); [y, y is x]
array([1., 2.]) + array([1., 2.], ctx=mx.cpu(1))
array([1., 2.], ctx=mx.cpu(1)) + 1
x = array([1., 2.], ctx=mx.cpu(1)); x += array([1., 2.]); x
array([1., 2.], ctx=mx.gpu(0))
array([1., 2.]).as_in_context(mx.gpu(1))
""".strip().splitlines()


def main():
    """Write arithmetic.json."""
    groups = {}
    for group, front, programs in tables():
        groups[group] = [(front == "np", program) for program in programs]
    for front in ("nd", "np"):
        for name, lines in (("values", VALUES), ("in place", IN_PLACE)):
            programs = []
            for line in lines:
                for word in FUNCTIONS:
                    line = qualify(line, word, front)
                programs.append((front == "np", line.replace("; ", "\n")))
            groups[f"{front} {name}"] = programs
    make_facts.write("arithmetic", groups)


def qualify(line, word, front):
    """Prefix the free function `word` with its front end."""
    import re

    if word == "round" and "[0.5" not in line:
        return line
    if word == "concatenate" and front == "nd":
        return line.replace("concatenate([", "nd.concat(*[")
    return re.sub(rf"(?<![.\w]){word}\(", f"{front}.{word}(", line)


if __name__ == "__main__":
    main()
