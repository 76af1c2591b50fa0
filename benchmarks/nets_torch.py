"""The same nets by hand in PyTorch; parameters stand in the same order as in `nets_gluon`."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = ["language_model", "lenet", "perceptron", "resnet", "transformer"]


def perceptron() -> nn.Module:
    """Return the 20-256-10 perceptron."""
    return nn.Sequential(nn.Linear(20, 256), nn.ReLU(), nn.Linear(256, 10))


def lenet() -> nn.Module:
    """Return LeNet for digits of 28 x 28."""
    return nn.Sequential(
        nn.Conv2d(1, 20, 5),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(20, 50, 5),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(800, 500),
        nn.ReLU(),
        nn.Linear(500, 10),
    )


def _convolution(inputs: int, channels: int, size: int, stride: int) -> nn.Conv2d:
    return nn.Conv2d(inputs, channels, size, stride, size // 2, bias=False)


class _Residual(nn.Module):
    def __init__(self, inputs: int, channels: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _convolution(inputs, channels, 3, stride),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            _convolution(channels, channels, 3, 1),
            nn.BatchNorm2d(channels),
        )
        self.shortcut = _convolution(inputs, channels, 1, stride) if stride > 1 else None

    def forward(self, x: Tensor) -> Tensor:
        around = x if self.shortcut is None else self.shortcut(x)
        return functional.relu(self.body(x) + around)


def resnet() -> nn.Module:
    """Return a ResNet of nine convolutions for images of 32 x 32."""
    return nn.Sequential(
        _convolution(3, 16, 3, 1),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        _Residual(16, 16, 1),
        _Residual(16, 32, 2),
        _Residual(32, 64, 2),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(64, 10),
    )


class _LanguageModel(nn.Module):
    def __init__(self, vocabulary: int, width: int, layers: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, width, layers)
        self.decoder = nn.Linear(width, vocabulary)

    def forward(self, x: Tensor) -> Tensor:
        outputs, _ = self.lstm(self.embedding(x))
        return self.decoder(outputs).flatten(0, 1)


def language_model(vocabulary: int, width: int, layers: int) -> nn.Module:
    """Return the LSTM language model: ids (steps, batch) to scores (steps * batch, vocabulary)."""
    return _LanguageModel(vocabulary, width, layers)


class _Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x: Tensor) -> Tensor:
        mixed = functional.scaled_dot_product_attention(
            self._split(self.query(x)), self._split(self.key(x)), self._split(self.value(x))
        )
        return self.out(mixed.transpose(1, 2).flatten(2))


class _Encoder(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention = _Attention(width, heads)
        self.norm1 = nn.LayerNorm(width)
        self.feed_forward = nn.Sequential(
            nn.Linear(width, 4 * width), nn.ReLU(), nn.Linear(4 * width, width)
        )
        self.norm2 = nn.LayerNorm(width)

    def forward(self, x: Tensor) -> Tensor:
        x = self.norm1(x + self.attention(x))
        return self.norm2(x + self.feed_forward(x))


class _Classifier(nn.Module):
    def __init__(self, vocabulary: int, steps: int, width: int, heads: int, blocks: int) -> None:
        super().__init__()
        self.position = nn.Parameter(torch.empty(1, steps, width))
        self.embedding = nn.Embedding(vocabulary, width)
        self.encoders = nn.Sequential(*(_Encoder(width, heads) for _ in range(blocks)))
        self.decoder = nn.Linear(width, 10)

    def forward(self, x: Tensor) -> Tensor:
        return self.decoder(self.encoders(self.embedding(x) + self.position).mean(1))


def transformer(vocabulary: int, steps: int, width: int, heads: int, blocks: int) -> nn.Module:
    """Return a transformer encoder that classifies: ids (batch, steps) to scores (batch, 10)."""
    return _Classifier(vocabulary, steps, width, heads, blocks)
