"""Matrix factorization with biases for a table of ratings."""

import gluonish as mx
from gluonish import autograd, gluon, np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(121)


class MF(nn.Block):
    def __init__(self, num_factors, num_users, num_items, **kwargs):
        super(MF, self).__init__(**kwargs)
        self.P = nn.Embedding(input_dim=num_users, output_dim=num_factors)
        self.Q = nn.Embedding(input_dim=num_items, output_dim=num_factors)
        self.user_bias = nn.Embedding(num_users, 1)
        self.item_bias = nn.Embedding(num_items, 1)

    def forward(self, user_id, item_id):
        P_u, Q_i = self.P(user_id), self.Q(item_id)
        b_u, b_i = self.user_bias(user_id), self.item_bias(item_id)
        outputs = (P_u * Q_i).sum(axis=1) + np.squeeze(b_u) + np.squeeze(b_i)
        return outputs.flatten()


num_users, num_items = 12, 9
taste = np.random.normal(1, 1, (num_users, 2)) @ np.random.normal(1, 1, (2, num_items))
users = np.repeat(np.arange(num_users), num_items)
items = np.tile(np.arange(num_items), num_users)
ratings = taste.reshape(-1)

model = MF(3, num_users, num_items)
model.initialize(ctx=mx.cpu(), init=mx.init.Normal(0.3))
l2_loss = gluon.loss.L2Loss()
trainer = gluon.Trainer(model.collect_params(), "adam", {"learning_rate": 0.1, "wd": 1e-5})
for epoch in range(40):
    with autograd.record():
        loss = l2_loss(model(users, items), ratings)
    loss.backward()
    trainer.step(len(ratings))
rmse = np.sqrt(2 * loss.mean())
print(f"RMSE {float(rmse):.2f}, spread of ratings {float(ratings.std()):.2f}")
