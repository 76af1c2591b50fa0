"""A denoising autoencoder with transposed convolutions."""

import gluonish as mx
from gluonish import autograd, gluon, np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(111)


class AutoEncoder(nn.Block):
    def __init__(self, channels=4):
        super().__init__()
        self.encoder = nn.HybridSequential()
        self.encoder.add(nn.Conv2D(channels, 3, strides=2, padding=1, activation="relu"))
        self.decoder = nn.HybridSequential()
        self.decoder.add(
            nn.Conv2DTranspose(channels, kernel_size=4, strides=2, padding=1, activation="relu"),
            nn.Conv2D(1, kernel_size=1, activation="sigmoid"),
        )

    def forward(self, x):
        code = self.encoder(x)
        return self.decoder(code)


clean = np.zeros((32, 1, 16, 16))
clean[:16, :, 4:12, 4:12] = 1
clean[16:, :, :, 8:] = 1

ae = AutoEncoder()
ae.initialize(mx.init.Xavier())
ae.hybridize()
trainer = gluon.Trainer(ae.collect_params(), "rmsprop", {"learning_rate": 0.01})
mse = gluon.loss.L2Loss()
errors = []
for _ in range(20):
    noisy = np.clip(clean + np.random.normal(0, 0.2, size=clean.shape), 0, 1)
    with autograd.record():
        error = mse(ae(noisy), clean)
    error.backward()
    trainer.step(batch_size=32)
    errors.append(error.mean().item())
print("code:", ae.encoder(noisy).shape, "learned:", errors[-1] < 0.7 * errors[0])
