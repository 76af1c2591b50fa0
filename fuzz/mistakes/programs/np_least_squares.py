"""Least squares and other linear algebra with mx.np."""

import gluonish as mx
from gluonish import np, npx

npx.set_np()
mx.random.seed(61)

t = np.linspace(0, 2, num=40)
A = np.stack([np.ones_like(t), t, t**2], axis=-1)
truth = np.array([0.5, -1.0, 2.0])
noisy = np.dot(A, truth) + np.random.normal(0, 0.01, size=(40,))

gram = np.matmul(A.T, A)
coef = np.linalg.solve(gram, np.dot(A.T, noisy))
L = np.linalg.cholesky(gram)
inverse = np.linalg.inv(gram)
print("coefficients:", [round(float(c), 1) for c in coef])
print(
    "checks:",
    np.allclose(np.dot(L, L.T), gram, rtol=1e-3),
    np.allclose(inverse @ gram, np.eye(3), atol=1e-2),
)

residual = noisy - A @ coef
far = residual[np.abs(residual) > 0.02]
table = np.arange(12).reshape(3, 4)
table[1, :] = -1
table[:, ::2] += 10
corner = table[-2:, [0, 3]]
u, s, vt = np.linalg.svd(np.random.uniform(size=(2, 5)))
means = np.mean(table, axis=0, keepdims=True)
joined = np.concatenate([table, means], axis=0)
norm = np.linalg.norm(residual)
print(
    corner.tolist(),
    joined.shape,
    s.shape,
    bool(norm < 0.2),
    np.where(table < 0)[0].tolist(),
    far.size < 10,
)
