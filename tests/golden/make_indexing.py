"""Ask the real MXNet 1.9.1 what indexing and assignment give, in both front ends.

Run from the repository's root under a Python that has MXNet 1.9.1, with the path of one that has
MXNet 1.6.0 as argument; writes tests/golden/indexing.json.
"""

from __future__ import annotations

import make_facts

# x is 4 x 3, y is 2 x 3 x 4, v a vector of 6.
SETUP = (
    "x = {f}.arange(12).reshape((4, 3))\ny = {f}.arange(24).reshape((2, 3, 4))\n"
    "v = {f}.arange(6)\ni = {f}.array([0, 2], dtype='int32')\n"
)

KEYS = """
x[0]
x[-1]
x[3]
x[4]
x[-5]
x[1, 2]
x[1][2]
x[-1, -1]
x[1, 3]
x[0, 0, 0]
x[:]
x[:2]
x[1:3]
x[-2:]
x[2:1]
x[10:]
x[:, 1]
x[:, 1:]
x[:, -1]
x[1:3, 0:2]
x[::2]
x[1::2, ::2]
x[::-1]
x[::-2]
x[3:0:-1]
x[:, ::-1]
x[-1:-4:-2, 1]
x[...]
x[..., 0]
x[0, ...]
y[..., 1]
y[0, ..., 1]
y[..., 1, :]
y[:, 1]
y[1, 2, 3]
y[1, :, ::-1]
y[:, :, 1:3]
x[None]
x[:, None]
x[None, 1]
x[..., None]
x[:, None, 1:]
x[1, None, 2]
x[()]
x[[0, 2]]
x[[0, -1]]
x[[True, False, True, False]]
x[[0, 2], [1, 2]]
x[[0, 2], 1]
x[:, [0, 2]]
x[[0, 2], :]
x[[0, 2], 1:]
x[1:, [2, 0]]
x[[[0, 1], [2, 3]]]
x[[[0], [2]], [[0, 2]]]
x[([0, 1], [1, 2])]
x[i]
x[i, 1]
x[:, i]
x[i, i]
x[i, :2]
x[onp.array([0, 2])]
x[onp.array([0, 2]), onp.array([0, 1])]
x[onp.array([True, False, True, False])]
x[onp.int64(1)]
x[onp.array(1)]
y[0, [0, 2], 1]
y[:, [0, 2], 1]
y[[0, 1], :, [1, 2]]
y[0, :, [1, 2]]
y[[0, 1], [1, 2]]
y[1, [[0, 1], [1, 2]]]
y[..., [0, 2]]
y[None, [0, 1], 1]
y[[0, 1], None, 1]
x[x > 4]
x[x[:, 0] > 2]
x[x == 100]
x[v[:4] > 1]
x[v[:4] > 1, 1]
x[v > 1]
x[[0, 4]]
x[[5]]
x[1.0]
x['a']
x[1.5:]
x[::0]
x[True]
x[None, None]
v[2]
v[2:4]
v[-2:]
v[::-1]
v[::3]
v[[1, 1, 1]]
v[2:2]
v[2, 0]
v[2].shape
x[1:2].shape
x[1:1].shape
y[1, 1].shape
x[0:0]
x[i.astype('int64')]
x[i.astype('float32')]
x[i.astype('uint8')]
len(x[1])
[e.sum().asnumpy().item() for e in x]
x[0][0]
x[2:][1][::2]
""".strip().splitlines()

ASSIGNMENTS = r"""
x[0] = 9
x[-1] = [7, 8, 9]
x[4] = 1
x[1, 2] = 9
x[1][2] = 9
x[1, 5] = 9
x[:] = 5
x[:] = 2.7
x[:] = [1, 2, 3]
x[:] = onp.ones((4, 3))
x[:] = onp.ones((4, 3), 'int64') * 3
x[:] = x + 1
x[:] = x[::-1]
x[:] = v[:3]
x[:] = v[:4]
x[:] = True
x[:2] = 9
x[:2] = x[2:]
x[1:3, 0:2] = 9
x[1:3, 0:2] = [[1, 2], [3, 4]]
x[1:3, 0:2] = [1, 2]
x[1:3, 0:2] = [1, 2, 3]
x[:, 1] = 9
x[:, 1] = v[:4]
x[:, 1] = [9, 8, 7, 6]
x[:, 1:2] = [[9], [8], [7], [6]]
x[:, ::-1] = [1, 2, 3]
x[::2] = 0
x[::-1] = [[1], [2], [3], [4]]
x[3:0:-1] = 5
x[...] = 3
x[..., 0] = 3
y[..., 1] = 3
y[0, ..., 1] = [1, 2, 3]
y[1, 2, 3] = 99
y[:, 1] = 5
x[None, 1] = 4
x[:, None, 1] = 4
x[()] = 1
x[[0, 2]] = 9
x[[0, 2]] = [[1, 2, 3], [4, 5, 6]]
x[[0, 2], [1, 2]] = 9
x[[0, 2], [1, 2]] = [7, 8]
x[[0, 2], 1] = 9
x[:, [0, 2]] = 9
x[1:, [2, 0]] = 4
x[i] = 9
x[i, 1] = 9
x[i, i] = v[:2]
x[:, i] = 9
x[onp.array([0, 2])] = 9
x[onp.array([True, False, True, False])] = 9
x[x > 4] = 0
x[x > 4] = v[0]
x[x > 100] = 0
x[x[:, 0] > 2] = 0
x[v[:4] > 1] = 5
x[x > 4] += 1
x[0] += 1
x[:, 1] *= 2
x[1, 1] -= 100
x[[0, 0]] += 1
x[[0, 0]] = [[1, 1, 1], [2, 2, 2]]
x[0] = v
x[0] = 'a'
x[0] = None
x['a'] = 1
x[0] = [1, 2]
x[2:1] = 5
x[0, 0] = v[3]
x[0, 0] = v[3:4]
x[0, 0] = onp.float32(3)
x[0, 0] = onp.array(3.)
x[0:1] = v[:3].reshape((1, 3))
v[2] = 9
v[2:4] = [8, 9]
v[::2] = 0
v[-1] = 1
v[6] = 1
v[:] = v[::-1]
v[1:] = v[:5]
v[[0, 0, 1]] = [1, 2, 3]
x[:] = {f}.array([[1, 2, 3]] * 4, dtype='int32')
x[0] = {f}.array([1, 2, 3], dtype='float64')
i[:] = 2.9
i[0] = 300
i[:] = v[:2] + 0.7
z = x[1]\nz[:] = 0
z = x[1:3]\nz[0] = 0
z = x[:, 1]\nz[:] = 0
z = x[:]\nz[:] = 0
z = x[...]\nz[:] = 0
z = x[::2]\nz[:] = 0
z = x[[0, 1]]\nz[:] = 0
z = x[1, 1]\nz[:] = 0
z = x[1, 1:]\nz[:] = 0
z = x[None]\nz[:] = 0
z = x.T\nz[:] = 0
z = x.reshape((12,))\nz[:] = 0
z = x.reshape((12,))\nx[:] = 0\nv[:] = z[:6]
z = x.copy()\nz[:] = 0
z = x.detach()\nz[:] = 0
z = x.expand_dims(0)\nz[:] = 0
z = x.flatten()\nz[:] = 0
z = x.slice_axis(0, 0, 2) if hasattr(x, 'slice_axis') else x[:2]\nz[:] = 0
z = x.asnumpy()\nz[:] = 0
a, b, c, d = x\na[:] = 0
del x[0]
""".strip().splitlines()


def program(line, front):
    """Return the program of an assignment; its value is the array that changes."""
    shown = line[0] if line[0] in "xyvi" else "[x, v]"
    return line.replace("\\n", "\n").replace("{f}", front) + f"\n{shown}"


def main():
    """Write indexing.json."""
    groups = {}
    for front in ("nd", "np"):
        setup = SETUP.format(f=front)
        groups[f"{front} keys"] = [(front == "np", setup + key) for key in KEYS]
        groups[f"{front} assignments"] = [
            (front == "np", setup + program(line, front)) for line in ASSIGNMENTS
        ]
    make_facts.write("indexing", groups)


if __name__ == "__main__":
    main()
