"""What the book's chapters on vision do with pretrained networks, for gluonish and the real MXNet.

Each program goes a chapter's way from `pretrained=True` on, in our own words and on a few small
pictures, and returns losses and predictions. Weights are drawn; a server sends them.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import zipfile
import zlib
from pathlib import Path

import numpy as onp

PICTURES = Path(__file__).parents[2] / "golden" / "pictures"
WIDTHS = [8, 8, 16, 16, 16]  # of VGG-19's stages: few, so that its file is small
MEAN, DEVIATION = onp.array([0.485, 0.456, 0.406]), onp.array([0.229, 0.224, 0.225])


def publish(mx, name, folder):
    """Return a network's page in a repository, its address there, and the weights' checksum."""
    net = getattr(mx.gluon.model_zoo.vision, name)()
    net.initialize(mx.init.Zero())
    size = 224 if name == "vgg19" else 32
    net(mx.nd.zeros((1, 3, size, size)))
    for key, param in net._collect_params_with_prefix().items():
        param.set_data(mx.nd.array(drawn(key, param.shape)))
    net.save_parameters(str(folder / "weights"))
    weights = (folder / "weights").read_bytes()
    checksum = hashlib.sha1(weights, usedforsecurity=False).hexdigest()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr(f"{name}-{checksum[:8]}.params", weights)
    return stream.getvalue(), f"gluon/models/{name}-{checksum[:8]}.zip", checksum


def drawn(key, shape):
    """Return weights that keep the size of what goes through; none for products."""
    if len(shape) == 2:
        return onp.zeros(shape, "float32")
    noise = onp.random.default_rng(zlib.crc32(key.encode())).standard_normal(shape, "float32")
    if key.endswith("weight"):
        return noise * float(2 / onp.prod(shape[1:])) ** 0.5
    return 1 + 0.1 * abs(noise) if key.endswith(("gamma", "var")) else 0.1 * noise


def narrow(mx):
    """Give VGG-19 few channels, as programs may."""
    mx.gluon.model_zoo.vision.vgg.vgg_spec[19] = ([2, 2, 4, 4, 4], WIDTHS)


def folders(folder):
    """Lay pictures of two classes into folders."""
    for kind, numbers in (("hotdog", (0, 2)), ("not-hotdog", (4, 6))):
        (folder / kind).mkdir(parents=True)
        for number in numbers:
            shutil.copy(PICTURES / f"{number}.png", folder / kind)
    return folder


def batches(mx, folder):
    """Return a loader of labelled pictures of 64 x 64 pixels."""
    vision = mx.gluon.data.vision
    to = vision.transforms
    steps = to.Compose(
        [to.Resize(72), to.CenterCrop(64), to.ToTensor(), to.Normalize(list(MEAN), list(DEVIATION))]
    )
    pictures = vision.ImageFolderDataset(str(folders(folder)))
    return mx.gluon.data.DataLoader(pictures.transform_first(steps), batch_size=4)


def train(mx, forward, trainer, loss, loader, devices):
    """Train as the book's `train_ch13` does, and return the losses of two rounds."""
    losses = []
    for _ in range(2):
        for pictures, labels in loader:
            xs = mx.gluon.utils.split_and_load(pictures, devices)
            ys = mx.gluon.utils.split_and_load(labels, devices)
            with mx.autograd.record():
                parts = [loss(forward(x), y) for x, y in zip(xs, ys, strict=True)]
            for part in parts:
                part.backward()
            trainer.step(pictures.shape[0], ignore_stale_grad=True)
            losses.append(sum(float(part.sum()) for part in parts))
    return losses


def fine_tuning(mx, folder):
    """Fine-tuning: the features of a pretrained ResNet under an output layer of one's own."""
    zoo, gluon = mx.gluon.model_zoo.vision, mx.gluon
    pretrained = zoo.resnet18_v2(pretrained=True)
    net = zoo.resnet18_v2(classes=2)
    net.features = pretrained.features
    net.output.initialize(mx.init.Constant(0.01))
    net.output.collect_params().setattr("lr_mult", 10)
    loader, device = batches(mx, folder), mx.cpu()
    net.collect_params().reset_ctx([device])
    net.hybridize()
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1e-3, "wd": 1e-3})
    losses = train(mx, net, trainer, loss, loader, [device])
    pictures, _ = next(iter(loader))
    return {"losses": losses, "says": net(pictures).asnumpy().tolist()}


def bilinear(channels, size):
    """Return the kernel of a transposed convolution that interpolates."""
    factor = (size + 1) // 2
    centre = factor - 1 if size % 2 == 1 else factor - 0.5
    line = 1 - abs(onp.arange(size) - centre) / factor
    kernel = onp.zeros((channels, channels, size, size), "float32")
    kernel[range(channels), range(channels)] = onp.outer(line, line)
    return kernel


def fully_convolutional(mx, folder):
    """Classes of pixels: a ResNet without its last layers, and a transposed convolution."""
    gluon, nn, image = mx.gluon, mx.gluon.nn, mx.image
    pretrained = gluon.model_zoo.vision.resnet18_v2(pretrained=True)
    net = nn.HybridSequential()
    for layer in pretrained.features[:-2]:
        net.add(layer)
    classes = 5
    net.add(
        nn.Conv2D(classes, kernel_size=1),
        nn.Conv2DTranspose(classes, kernel_size=64, padding=16, strides=32),
    )
    net[-1].initialize(mx.init.Constant(mx.np.array(bilinear(classes, 64))))
    net[-2].initialize(init=mx.init.Constant(0.02))
    pictures, labels = [], []
    for number in (0, 2):
        picture = image.imresize(image.imread(str(PICTURES / f"{number}.png")), 64, 96)
        picture = image.fixed_crop(picture, 0, 16, 64, 64).astype("float32")
        labels.append(picture.astype("int32").sum(axis=2) % classes)
        scaled = (picture / 255 - mx.np.array(MEAN)) / mx.np.array(DEVIATION)
        pictures.append(scaled.transpose(2, 0, 1).astype("float32"))
    data = gluon.data.ArrayDataset(mx.np.stack(pictures), mx.np.stack(labels))
    loader = gluon.data.DataLoader(data, 2, shuffle=False, last_batch="discard")
    net.collect_params().reset_ctx([mx.cpu()])
    loss = gluon.loss.SoftmaxCrossEntropyLoss(axis=1)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01, "wd": 1e-3})
    losses = train(mx, net, trainer, loss, loader, [mx.cpu()])
    found = net(next(iter(loader))[0])
    return {"losses": losses, "shape": list(found.shape), "mean": float(found.mean())}


def neural_style(mx, folder):
    """Style transfer: pixels are trained against what layers of a pretrained VGG say."""
    gluon, nn, np = mx.gluon, mx.gluon.nn, mx.np
    pretrained = gluon.model_zoo.vision.vgg19(pretrained=True)
    of_style, of_content = [0, 5, 10, 19, 28], [25]
    net = nn.Sequential()
    for number in range(max(of_content + of_style) + 1):
        net.add(pretrained.features[number])

    def read(number):
        picture = mx.image.imresize(mx.image.imread(str(PICTURES / f"{number}.png")), 48, 32)
        scaled = (picture.astype("float32") / 255 - np.array(MEAN)) / np.array(DEVIATION)
        return np.expand_dims(scaled.transpose(2, 0, 1), axis=0).astype("float32")

    def look(x):
        styles, contents = [], []
        for number, layer in enumerate(net):
            x = layer(x)
            if number in of_style:
                styles.append(x)
            if number in of_content:
                contents.append(x)
        return styles, contents

    def gram(x):
        channels, size = x.shape[1], x.size // x.shape[1]
        rows = x.reshape(channels, size)
        return np.dot(rows, rows.T) / (channels * size)

    class Picture(nn.Block):
        def __init__(self, shape, **options):
            super().__init__(**options)
            self.weight = self.params.get("weight", shape=shape)

        def forward(self):
            return self.weight.data()

    content, style = read(0), read(2)
    contents, grams = look(content)[1], [gram(part) for part in look(style)[0]]
    made = Picture(content.shape)
    made.initialize(mx.init.Constant(content), ctx=mx.cpu(), force_reinit=True)
    trainer = gluon.Trainer(made.collect_params(), "adam", {"learning_rate": 0.05})
    losses = []
    for step in range(3):
        with mx.autograd.record():
            styles_hat, contents_hat = look(made())
            x = made()
            parts = [np.square(a - b).mean() for a, b in zip(contents_hat, contents, strict=True)]
            parts += [
                1e3 * np.square(gram(a) - b).mean() for a, b in zip(styles_hat, grams, strict=True)
            ]
            smooth = 0.5 * (
                np.abs(x[:, :, 1:, :] - x[:, :, :-1, :]).mean()
                + np.abs(x[:, :, :, 1:] - x[:, :, :, :-1]).mean()
            )
            loss = sum([*parts, 10 * smooth])
        loss.backward()
        trainer.step(1)
        losses.append(float(loss))
        if step == 1:
            trainer.set_learning_rate(trainer.learning_rate * 0.8)
    last = made().clip(-3, 3).asnumpy()[0, :, ::16, ::16]
    return {"losses": losses, "pixels": last.tolist()}


def dog_breeds(mx, folder):
    """Dog breeds: pretrained features that stay, a new output on two devices, and a vote."""
    gluon, nn = mx.gluon, mx.gluon.nn
    devices = [mx.cpu(0), mx.cpu(1)]
    net = gluon.model_zoo.vision.resnet34_v2(pretrained=True)
    net.output_new = nn.HybridSequential(prefix="")
    net.output_new.add(nn.Dense(16, activation="relu"))
    net.output_new.add(nn.Dense(3))
    net.output_new.initialize(mx.init.Constant(0.01), ctx=devices)
    net.collect_params().reset_ctx(devices)
    net.output_new[1].weight.set_data(mx.np.array(0.02 * drawn("new_weight", (3, 16, 1))[..., 0]))
    net.hybridize()
    loader = batches(mx, folder)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(
        net.output_new.collect_params(), "sgd", {"learning_rate": 0.01, "momentum": 0.9, "wd": 1e-4}
    )
    losses = train(mx, lambda x: net.output_new(net.features(x)), trainer, loss, loader, devices)
    said = []
    for pictures, _ in loader:
        features = net.features(pictures.as_in_ctx(devices[0]))
        said += mx.npx.softmax(net.output_new(features)).asnumpy().tolist()
    return {"losses": losses, "says": said}


CHAPTERS = {
    "fine_tuning": ("resnet18_v2", fine_tuning),
    "fully_convolutional": ("resnet18_v2", fully_convolutional),
    "neural_style": ("vgg19", neural_style),
    "dog_breeds": ("resnet34_v2", dog_breeds),
}
