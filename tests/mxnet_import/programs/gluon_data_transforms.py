# prints: (4, 1, 28, 28) float32 [0 1 0 1]
import mxnet.ndarray as nd
from mxnet.gluon.data import DataLoader, ArrayDataset
from mxnet.gluon.data.vision import transforms
from mxnet.gluon.data.dataset import Dataset
import numpy as np

images = nd.array(np.random.randint(0, 255, (4, 28, 28, 1)), dtype="uint8")
data = ArrayDataset(images, np.array([0, 1, 0, 1], dtype="int32"))
data = data.transform_first(
    transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.5, 0.5)])
)
X, y = next(iter(DataLoader(data, batch_size=4, num_workers=0)))
print(X.shape, X.dtype.__name__, y.asnumpy(), end="" if isinstance(data, Dataset) else "no")
print()
