"""A SqueezeNet of the model zoo with three classes and a new head."""

import gluonish as mx
from gluonish import autograd, gluon
from gluonish.gluon.model_zoo import vision


def main():
    mx.random.seed(151)
    pictures = mx.nd.random.normal(shape=(4, 3, 64, 64))
    classes = mx.nd.array([0, 1, 2, 1])

    net = vision.get_model("squeezenet1.0", classes=3)
    with net.name_scope():
        net.output = gluon.nn.HybridSequential(prefix="")
        net.output.add(gluon.nn.Conv2D(3, kernel_size=1))
        net.output.add(gluon.nn.GlobalAvgPool2D())
        net.output.add(gluon.nn.Flatten())
    net.initialize(mx.init.Xavier())
    net.collect_params(".*conv0_weight").setattr("lr_mult", 0.1)
    net.features.collect_params().setattr("wd_mult", 0.0)

    criterion = gluon.loss.SoftmaxCrossEntropyLoss()
    optimizer = mx.optimizer.SGD(learning_rate=0.005, momentum=0.9)
    trainer = gluon.Trainer(net.collect_params(), optimizer)
    for it in range(2):
        with autograd.record():
            preds = net(pictures)
            L = criterion(preds, classes)
        autograd.backward(L)
        trainer.step(pictures.shape[0])

    probs = net(pictures).softmax(axis=1)
    print(preds.shape, len(net.features), "sums to one:", abs(probs[0].sum().asscalar() - 1) < 1e-4)


if __name__ == "__main__":
    main()
