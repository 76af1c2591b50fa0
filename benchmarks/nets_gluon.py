"""The nets as a Gluon program has them; `mx` is gluonish or the real MXNet."""

from __future__ import annotations

from typing import Any

__all__ = [
    "language_model", "lenet", "mobilenet_v2", "perceptron", "resnet", "resnet50", "transformer",
    "vgg16",
]  # fmt: skip


def perceptron(mx: Any) -> Any:  # noqa: ANN401 - one of two libraries
    """Return the 20-256-10 perceptron."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation="relu"), nn.Dense(10))
    return net


def lenet(mx: Any) -> Any:  # noqa: ANN401
    """Return LeNet for digits of 28 x 28."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(20, kernel_size=5, activation="relu"),
        nn.MaxPool2D(pool_size=2, strides=2),
        nn.Conv2D(50, kernel_size=5, activation="relu"),
        nn.MaxPool2D(pool_size=2, strides=2),
        nn.Dense(500, activation="relu"),
        nn.Dense(10),
    )
    return net


def resnet(mx: Any) -> Any:  # noqa: ANN401
    """Return a ResNet of nine convolutions for images of 32 x 32."""
    nn = mx.gluon.nn

    def convolution(channels: int, size: int, strides: int) -> Any:  # noqa: ANN401
        return nn.Conv2D(
            channels, kernel_size=size, strides=strides, padding=size // 2, use_bias=False
        )

    class Residual(mx.gluon.HybridBlock):
        def __init__(self, channels: int, strides: int) -> None:
            super().__init__()
            self.body = nn.HybridSequential()
            self.body.add(
                convolution(channels, 3, strides),
                nn.BatchNorm(),
                nn.Activation("relu"),
                convolution(channels, 3, 1),
                nn.BatchNorm(),
            )
            self.shortcut = convolution(channels, 1, strides) if strides > 1 else None

        def hybrid_forward(self, F: Any, x: Any) -> Any:  # noqa: ANN401, N803
            around = x if self.shortcut is None else self.shortcut(x)
            return F.relu(self.body(x) + around)

    net = nn.HybridSequential()
    net.add(
        convolution(16, 3, 1),
        nn.BatchNorm(),
        nn.Activation("relu"),
        Residual(16, 1),
        Residual(32, 2),
        Residual(64, 2),
        nn.GlobalAvgPool2D(),
        nn.Dense(10),
    )
    return net


def resnet50(mx: Any) -> Any:  # noqa: ANN401
    """Return the model zoo's ResNet-50, version 1, for pictures of 224 x 224."""
    return mx.gluon.model_zoo.vision.resnet50_v1()


def mobilenet_v2(mx: Any) -> Any:  # noqa: ANN401
    """Return the model zoo's MobileNetV2 for pictures of 224 x 224."""
    return mx.gluon.model_zoo.vision.mobilenet_v2_1_0()


def vgg16(mx: Any) -> Any:  # noqa: ANN401
    """Return the model zoo's VGG-16 for pictures of 224 x 224."""
    return mx.gluon.model_zoo.vision.vgg16()


def language_model(mx: Any, vocabulary: int, width: int, layers: int) -> Any:  # noqa: ANN401
    """Return the LSTM language model: ids (steps, batch) to scores (steps * batch, vocabulary)."""
    nn, rnn = mx.gluon.nn, mx.gluon.rnn

    class LanguageModel(mx.gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(vocabulary, width)
            self.lstm = rnn.LSTM(width, layers, input_size=width)
            self.decoder = nn.Dense(vocabulary, flatten=False)

        def hybrid_forward(self, F: Any, x: Any) -> Any:  # noqa: ANN401, N803
            scores = self.decoder(self.lstm(self.embedding(x)))
            return F.reshape(scores, shape=(-1, vocabulary))

    return LanguageModel()


def transformer(
    mx: Any,  # noqa: ANN401
    vocabulary: int,
    steps: int,
    width: int,
    heads: int,
    blocks: int,
    is_bert: bool = False,
) -> Any:  # noqa: ANN401
    """Return a transformer encoder that classifies: ids (batch, steps) to scores (batch, 10).

    BERT's has GELU for ReLU, a normalization behind the embedding, and classifies by the first id.
    """
    nn, HybridBlock = mx.gluon.nn, mx.gluon.HybridBlock  # noqa: N806

    class Attention(HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.query = nn.Dense(width, flatten=False)
            self.key = nn.Dense(width, flatten=False)
            self.value = nn.Dense(width, flatten=False)
            self.out = nn.Dense(width, flatten=False)

        def hybrid_forward(self, F: Any, x: Any) -> Any:  # noqa: ANN401, N803
            query, key, value = (
                split_heads(F, layer(x)) for layer in (self.query, self.key, self.value)
            )
            scores = F.batch_dot(query, key, transpose_b=True) / (width // heads) ** 0.5
            return self.out(join_heads(F, F.batch_dot(F.softmax(scores), value)))

    class Encoder(HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.attention = Attention()
            self.norm1 = nn.LayerNorm()
            self.feed_forward = nn.HybridSequential()
            self.feed_forward.add(
                nn.Dense(4 * width, activation=None if is_bert else "relu", flatten=False)
            )
            if is_bert:
                self.feed_forward.add(nn.GELU())
            self.feed_forward.add(nn.Dense(width, flatten=False))
            self.norm2 = nn.LayerNorm()

        def hybrid_forward(self, F: Any, x: Any) -> Any:  # noqa: ANN401, ARG002, N803
            x = self.norm1(x + self.attention(x))
            return self.norm2(x + self.feed_forward(x))

    def split_heads(F: Any, x: Any) -> Any:  # noqa: ANN401, N803
        x = F.transpose(F.reshape(x, shape=(0, 0, heads, -1)), axes=(0, 2, 1, 3))
        return F.reshape(x, shape=(-3, 0, 0))

    def join_heads(F: Any, x: Any) -> Any:  # noqa: ANN401, N803
        x = F.transpose(F.reshape(x, shape=(-4, -1, heads, 0, 0)), axes=(0, 2, 1, 3))
        return F.reshape(x, shape=(0, 0, -3))

    class Classifier(HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.position = self.params.get("position", shape=(1, steps, width))
            self.embedding = nn.Embedding(vocabulary, width)
            self.encoders = nn.HybridSequential()
            if is_bert:
                self.encoders.add(nn.LayerNorm())
            for _ in range(blocks):
                self.encoders.add(Encoder())
            if is_bert:
                self.pooler = nn.Dense(width, activation="tanh", flatten=False)
            self.decoder = nn.Dense(10)

        def hybrid_forward(self, F: Any, x: Any, position: Any) -> Any:  # noqa: ANN401, N803
            x = self.encoders(F.broadcast_add(self.embedding(x), position))
            if is_bert:
                first = F.reshape(F.slice_axis(x, axis=1, begin=0, end=1), shape=(0, -1))
                return self.decoder(self.pooler(first))
            return self.decoder(F.mean(x, axis=1))

    return Classifier()
