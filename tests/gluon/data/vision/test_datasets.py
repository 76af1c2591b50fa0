from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

import numpy as onp
import pytest

from gluonish import nd, np, npx
from gluonish.errors import FileFormatError, MissingExtraError, MissingFileError
from gluonish.gluon.data import DataLoader, dataset, vision

TINY = Path(__file__).parents[3] / "golden" / "mxnet" / "mnist"
NAMES = {"images-idx3-ubyte": "images", "labels-idx1-ubyte": "labels"}


@pytest.fixture
def folder(tmp_path):
    """MNIST's four files, made of twenty random pictures: training gzipped, test plain."""
    for name in NAMES:
        content = (TINY / f"tiny-{name}").read_bytes()
        (tmp_path / f"train-{name}.gz").write_bytes(gzip.compress(content))
        (tmp_path / f"t10k-{name}").write_bytes(content)
    return tmp_path


@pytest.mark.parametrize("cls", [vision.MNIST, vision.FashionMNIST])
@pytest.mark.parametrize("train", [True, False])
def test_mnist_reads_files_plain_or_gzipped(folder, cls, train):
    digits = cls(folder, train=train)
    with onp.load(TINY / "tiny.npz") as expected:
        images, labels = expected["images"], expected["labels"]
    assert len(digits) == 20
    image, label = digits[3]
    assert type(image) is nd.NDArray
    assert image.shape == (28, 28, 1)
    assert image.dtype is onp.uint8
    assert (image.asnumpy()[..., 0] == images[3]).all()
    assert type(label) is onp.int32
    assert label == labels[3]
    several, their_labels = digits[3:5]
    assert several.shape == (2, 28, 28, 1)
    assert their_labels.tolist() == labels[3:5].tolist()
    with pytest.raises(IndexError):
        digits[20]


def test_mnist_gives_np_arrays_in_np_mode(folder):
    npx.set_np()
    image, label = vision.MNIST(str(folder))[0]
    assert type(image) is type(label) is np.ndarray
    assert (label.shape, label.dtype) == ((), "int32")


def test_mnist_transforms_samples_when_they_are_read(folder):
    digits = vision.MNIST(folder, transform=lambda x, y: (x.astype("float32") / 255, int(y)))
    x, y = digits[0]
    assert x.dtype is onp.float32
    assert type(y) is int


def test_mnist_looks_in_mxnets_own_folder(folder, monkeypatch, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    (home / "datasets").mkdir()
    (home / "datasets" / "fashion-mnist").symlink_to(folder)
    monkeypatch.setenv("MXNET_HOME", str(home))
    assert len(vision.FashionMNIST(train=False)) == 20


def test_missing_files_are_named(tmp_path, monkeypatch):
    monkeypatch.setenv("MXNET_GLUON_REPO", "http://127.0.0.1:9")
    message = r"MNIST: 'train-images-idx3-ubyte.gz', 'train-labels-idx1-ubyte.gz' not found in"
    with pytest.raises(MissingFileError, match=message) as caught:
        vision.MNIST(tmp_path / "sub")
    assert str(tmp_path / "sub") in str(caught.value)
    assert isinstance(caught.value, FileNotFoundError)


def test_files_that_do_not_belong_together_are_refused(folder):
    labels = folder / "t10k-labels-idx1-ubyte"
    labels.write_bytes(labels.read_bytes()[:7] + b"\x13" + bytes(19))
    with pytest.raises(FileFormatError, match="Check that both files belong together"):
        vision.MNIST(folder, train=False)


@pytest.mark.parametrize(("train", "count"), [(True, 4000), (False, 1000)])
def test_bundled_digits_are_balanced(train, count):
    digits = vision.MNISTSample(train=train)
    ((images, labels),) = DataLoader(digits, count)
    assert images.shape == (count, 28, 28, 1)
    assert images.dtype is onp.uint8
    assert onp.bincount(labels.asnumpy()).tolist() == [count // 10] * 10


def cifar_rows(count, label_bytes):
    return onp.random.randint(0, 256, (count, label_bytes + 3072)).astype("uint8")  # noqa: NPY002


@pytest.mark.parametrize("place", ["", "cifar-10-batches-bin", "archive"])
def test_cifar10_reads_files_folders_and_archives(tmp_path, place):
    parts = {f"data_batch_{i}.bin": cifar_rows(2, 1) for i in range(1, 6)}
    parts["test_batch.bin"] = cifar_rows(3, 1)
    if place == "archive":
        with tarfile.open(tmp_path / "cifar-10-binary.tar.gz", "w:gz") as tar:
            for name, rows in parts.items():
                member = tarfile.TarInfo(f"cifar-10-batches-bin/{name}")
                member.size = rows.nbytes
                tar.addfile(member, io.BytesIO(rows.tobytes()))
    else:
        (tmp_path / place).mkdir(exist_ok=True)
        for name, rows in parts.items():
            (tmp_path / place / name).write_bytes(rows.tobytes())
    pictures = vision.CIFAR10(tmp_path)
    assert len(pictures) == 10
    assert len(vision.CIFAR10(tmp_path, train=False)) == 3
    picture, label = pictures[3]
    row = parts["data_batch_2.bin"][1]
    assert picture.shape == (32, 32, 3)
    assert label == row[0]
    assert type(label) is onp.int32
    assert (picture.asnumpy() == row[1:].reshape(3, 32, 32).transpose(1, 2, 0)).all()


@pytest.mark.parametrize("fine", [False, True])
def test_cifar100_has_coarse_and_fine_labels(tmp_path, fine):
    rows = cifar_rows(4, 2)
    (tmp_path / "train.bin").write_bytes(rows.tobytes())
    pictures = vision.CIFAR100(tmp_path, fine_label=fine)
    assert [int(label) for _, label in (pictures[i] for i in range(4))] == rows[
        :, int(fine)
    ].tolist()


@pytest.mark.parametrize("place", [200, 3000, 9000, 20000])
def test_cifar_refuses_an_archive_whose_compressed_data_are_damaged(tmp_path, place):
    archive = tmp_path / "cifar-10-binary.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        for index in range(1, 6):
            member = tarfile.TarInfo(f"data_batch_{index}.bin")
            member.size = 6146
            tar.addfile(member, io.BytesIO(cifar_rows(2, 1).tobytes()))
    data = bytearray(archive.read_bytes())
    data[place : place + 8] = b"\xff" * 8
    archive.write_bytes(data)
    with pytest.raises(FileFormatError, match="Fetch it again"):
        vision.CIFAR10(tmp_path)


def test_cifar_refuses_damaged_files(tmp_path, monkeypatch):
    monkeypatch.setenv("MXNET_GLUON_REPO", "http://127.0.0.1:9")
    with pytest.raises(MissingFileError, match=r"CIFAR10: 'cifar-10-binary\.tar\.gz' not found"):
        vision.CIFAR10(tmp_path)
    archive = tmp_path / "cifar-10-binary.tar.gz"
    archive.write_bytes(b"no archive")
    with pytest.raises(FileFormatError, match="it is damaged"):
        vision.CIFAR10(tmp_path)
    with tarfile.open(archive, "w:gz"):
        pass
    with pytest.raises(FileFormatError, match=r"'test_batch\.bin' not found in it"):
        vision.CIFAR10(tmp_path, train=False)
    (tmp_path / "test_batch.bin").write_bytes(bytes(3074))
    with pytest.raises(FileFormatError, match=r"it has 3074 bytes\. Expected a multiple of 3073"):
        vision.CIFAR10(tmp_path, train=False)


@pytest.fixture
def pictures(tmp_path):
    image = pytest.importorskip("PIL.Image")
    for kind, value in (("cat", 50), ("dog", 200)):
        (tmp_path / kind).mkdir()
        for name in ("a.png", "b.png"):
            image.new("RGB", (4, 3), (value, 0, 0)).save(tmp_path / kind / name)
    return tmp_path


def test_image_folder_labels_by_folder(pictures):
    data = vision.ImageFolderDataset(pictures)
    assert data.synsets == ["cat", "dog"]
    assert len(data) == 4
    assert data.items[2] == (str(pictures / "dog" / "a.png"), 1)
    picture, label = data[2]
    assert (picture.shape, label) == ((3, 4, 3), 1)
    assert picture.asnumpy()[0, 0].tolist() == [200, 0, 0]
    grey = vision.ImageFolderDataset(pictures, flag=0, transform=lambda x, y: (x, -y))[2]
    assert (grey[0].shape, grey[1]) == ((3, 4, 1), -1)
    with pytest.raises(ValueError, match="flag=2 was given"):
        vision.ImageFolderDataset(pictures, flag=2)


def test_image_folder_says_what_it_leaves_out(pictures):
    (pictures / "readme").write_text("")
    with pytest.warns(UserWarning, match=r"Ignoring .*readme, which is not a directory"):
        vision.ImageFolderDataset(pictures)
    (pictures / "readme").unlink()
    (pictures / "cat" / "notes.txt").write_text("")
    with pytest.warns(UserWarning, match=r"Ignoring .*notes.txt, of type .txt; only .jpg, .jpeg"):
        assert len(vision.ImageFolderDataset(pictures)) == 4


def test_image_folder_needs_a_folder_and_pillow(pictures, monkeypatch):
    with pytest.raises(FileNotFoundError, match="is no folder"):
        vision.ImageFolderDataset(pictures / "nothing")
    data = vision.ImageFolderDataset(pictures)
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    with pytest.raises(MissingExtraError, match=r'pip install "gluonish\[image\]"'):
        data[0]


def test_programs_say_where_the_data_of_a_known_dataset_come_from(tmp_path):
    class Drawn(vision.MNIST):
        def _get_data(self):
            self._data = nd.ones((3, 28, 28, 1))
            self._label = [self._train] * 3

    class Letters(vision.MNIST):
        def __init__(self, root):
            self._train = False
            self._test_data = ("letters-images.gz", "")
            self._test_label = ("letters-labels.gz", "")
            super(vision.MNIST, self).__init__(root, None)

    for part, name in (("images", "images-idx3-ubyte"), ("labels", "labels-idx1-ubyte")):
        content = (TINY / f"tiny-{name}").read_bytes()
        (tmp_path / f"letters-{part}.gz").write_bytes(gzip.compress(content))
    assert Drawn(tmp_path / "new", train=False)[2][1] is False
    assert (tmp_path / "new").is_dir()
    assert len(Letters(tmp_path)) == 20
    assert issubclass(vision.CIFAR100, dataset._DownloadedDataset)


def test_programs_read_their_own_files_of_pictures(tmp_path):
    class Grey(vision.CIFAR10):
        def _read_batch(self, filename):
            return onp.zeros((2, 4, 4, 1), "uint8"), onp.full(2, int(Path(filename).stem[-1]))

    for name, _ in vision.CIFAR10._train_data:
        (tmp_path / name).write_bytes(b"")
    pictures = Grey(tmp_path)
    assert len(pictures) == 10
    assert pictures[9][0].shape == (4, 4, 1)
    assert pictures[9][1] == 5


def test_programs_list_the_pictures_of_a_folder_otherwise(tmp_path):
    class Listed(vision.ImageFolderDataset):
        def _list_images(self, root):
            self.synsets = self._exts
            self.items = [(root, 3)]

    assert Listed(str(tmp_path / "nothing")).items == [(str(tmp_path / "nothing"), 3)]
