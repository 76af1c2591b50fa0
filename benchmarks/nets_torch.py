"""The same nets by hand in PyTorch; parameters stand in the same order as in `nets_gluon`."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = [
    "language_model", "lenet", "mobilenet_v2", "perceptron", "resnet", "resnet50", "transformer",
    "vgg16",
]  # fmt: skip

_WIDENINGS = (  # of MobileNetV2: factor, channels, bottlenecks, stride of the first one
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
    (6, 320, 1, 1),
)  # fmt: skip


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


class _Bottleneck(nn.Module):
    def __init__(self, inputs: int, channels: int, stride: int, *, is_wider: bool) -> None:
        super().__init__()
        inner = channels // 4
        self.body = nn.Sequential(
            nn.Conv2d(inputs, inner, 1, stride),
            nn.BatchNorm2d(inner),
            nn.ReLU(inplace=True),
            _convolution(inner, inner, 3, 1),
            nn.BatchNorm2d(inner),
            nn.ReLU(inplace=True),
            nn.Conv2d(inner, channels, 1),
            nn.BatchNorm2d(channels),
        )
        self.shortcut = nn.Identity()
        if is_wider:
            shortcut = _convolution(inputs, channels, 1, stride)
            self.shortcut = nn.Sequential(shortcut, nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(self.body(x) + self.shortcut(x), inplace=True)


def resnet50() -> nn.Module:
    """Return ResNet-50, version 1, as the model zoo has it."""
    layers: list[nn.Module] = [
        nn.Conv2d(3, 64, 7, 2, 3, bias=False),
        nn.BatchNorm2d(64),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(3, 2, 1),
    ]
    inputs = 64
    for channels, count, stride in ((256, 3, 1), (512, 4, 2), (1024, 6, 2), (2048, 3, 2)):
        for place in range(count):
            layers.append(
                _Bottleneck(inputs, channels, stride if place == 0 else 1, is_wider=place == 0)
            )
            inputs = channels
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000)]
    return nn.Sequential(*layers)


def _normalized(inputs: int, channels: int, size: int, stride: int, groups: int) -> list[nn.Module]:
    convolution = nn.Conv2d(inputs, channels, size, stride, size // 2, groups=groups, bias=False)
    return [convolution, nn.BatchNorm2d(channels), nn.ReLU6(inplace=True)]


class _Narrow(nn.Module):
    def __init__(self, inputs: int, channels: int, factor: int, stride: int) -> None:
        super().__init__()
        wide = inputs * factor
        self.body = nn.Sequential(
            *_normalized(inputs, wide, 1, 1, 1),
            *_normalized(wide, wide, 3, stride, wide),
            *_normalized(wide, channels, 1, 1, 1)[:-1],
        )
        self.is_residual = stride == 1 and inputs == channels

    def forward(self, x: Tensor) -> Tensor:
        return x + self.body(x) if self.is_residual else self.body(x)


def mobilenet_v2() -> nn.Module:
    """Return MobileNetV2, as the model zoo has it."""
    layers = _normalized(3, 32, 3, 2, 1)
    inputs = 32
    for factor, channels, count, stride in _WIDENINGS:
        for place in range(count):
            layers.append(_Narrow(inputs, channels, factor, stride if place == 0 else 1))
            inputs = channels
    layers += _normalized(inputs, 1280, 1, 1, 1)
    layers += [nn.AdaptiveAvgPool2d(1), nn.Conv2d(1280, 1000, 1, bias=False), nn.Flatten()]
    return nn.Sequential(*layers)


def vgg16() -> nn.Module:
    """Return VGG-16."""
    layers: list[nn.Module] = []
    inputs = 3
    for channels, count in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        for _ in range(count):
            layers += [nn.Conv2d(inputs, channels, 3, padding=1), nn.ReLU(inplace=True)]
            inputs = channels
        layers.append(nn.MaxPool2d(2))
    layers.append(nn.Flatten())
    for features in (512 * 7 * 7, 4096):
        layers += [nn.Linear(features, 4096), nn.ReLU(inplace=True), nn.Dropout(0.5)]
    return nn.Sequential(*layers, nn.Linear(4096, 1000))


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
    def __init__(self, width: int, heads: int, activation: nn.Module) -> None:
        super().__init__()
        self.attention = _Attention(width, heads)
        self.norm1 = nn.LayerNorm(width)
        self.feed_forward = nn.Sequential(
            nn.Linear(width, 4 * width), activation, nn.Linear(4 * width, width)
        )
        self.norm2 = nn.LayerNorm(width)

    def forward(self, x: Tensor) -> Tensor:
        x = self.norm1(x + self.attention(x))
        return self.norm2(x + self.feed_forward(x))


class _Classifier(nn.Module):
    def __init__(
        self, vocabulary: int, steps: int, width: int, heads: int, blocks: int, is_bert: bool
    ) -> None:
        super().__init__()
        self.position = nn.Parameter(torch.empty(1, steps, width))
        self.embedding = nn.Embedding(vocabulary, width)
        activation = nn.GELU() if is_bert else nn.ReLU()
        self.encoders = nn.Sequential(
            *([nn.LayerNorm(width)] if is_bert else []),
            *(_Encoder(width, heads, activation) for _ in range(blocks)),
        )
        self.pooler = nn.Sequential(nn.Linear(width, width), nn.Tanh()) if is_bert else None
        self.decoder = nn.Linear(width, 10)

    def forward(self, x: Tensor) -> Tensor:
        x = self.encoders(self.embedding(x) + self.position)
        return self.decoder(x.mean(1) if self.pooler is None else self.pooler(x[:, 0]))


def transformer(
    vocabulary: int, steps: int, width: int, heads: int, blocks: int, is_bert: bool = False
) -> nn.Module:
    """Return a transformer encoder that classifies: ids (batch, steps) to scores (batch, 10)."""
    return _Classifier(vocabulary, steps, width, heads, blocks, is_bert)
