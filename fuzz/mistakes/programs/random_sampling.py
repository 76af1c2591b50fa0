"""Draw from distributions, estimate pi, shuffle, and sample from a multinomial."""

import gluonish as mx
from gluonish import nd

mx.random.seed(99)


def estimate_pi(draws):
    x = nd.random.uniform(low=-1, high=1, shape=draws)
    y = nd.random.uniform(low=-1, high=1, shape=draws)
    inside = (x**2 + y**2) <= 1
    return 4 * inside.mean().asscalar()


print("pi is about %.1f" % estimate_pi(20000))

normal = mx.random.normal(loc=5, scale=2, shape=(4000,))
gamma = nd.random.gamma(alpha=2, beta=0.5, shape=(4000,))
poisson = nd.random.poisson(lam=3, shape=(4000,))
expo = nd.random.exponential(scale=0.5, shape=(4000,))
means = [round(float(s.mean().asscalar())) for s in (normal, gamma, poisson)]
print(means, expo.min().asscalar() >= 0)

probs = nd.array([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0]])
drawn, log_probs = nd.random.multinomial(probs, shape=6, get_prob=True)
mx.random.seed(5, ctx=mx.cpu())
first = nd.random.randn(3, 2)
mx.random.seed(5, ctx=mx.cpu())
second = nd.random.randn(3, 2)
deck = nd.random.shuffle(nd.arange(52))
dice = nd.random.randint(1, 7, shape=(10,), dtype="int32")
same = (first == second).min().asscalar()
print(drawn.shape, log_probs.shape, same, deck.sum().asscalar(), dice.max().asscalar() < 7)
