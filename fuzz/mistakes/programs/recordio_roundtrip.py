"""Write records with headers, read them one after another and by their keys."""

import os
import tempfile

import numpy as np

import gluonish as mx
from gluonish import recordio

mx.random.seed(64)

with tempfile.TemporaryDirectory() as workdir:
    plain_file = os.path.join(workdir, "plain.rec")
    writer = recordio.MXRecordIO(plain_file, "w")
    for i in range(5):
        writer.write(b"record_%d" % i)
    writer.close()

    reader = recordio.MXRecordIO(plain_file, "r")
    items = []
    while True:
        item = reader.read()
        if item is None:
            break
        items.append(item.decode())
    reader.close()
    print(items[0], items[-1], len(items))

    idx_path, rec_path = os.path.join(workdir, "d.idx"), os.path.join(workdir, "d.rec")
    record = recordio.MXIndexedRecordIO(idx_path, rec_path, "w")
    for key in range(6):
        pixels = mx.nd.random.randint(0, 256, shape=(4, 4)).asnumpy().astype("uint8")
        header = recordio.IRHeader(0, float(key % 3), key, 0)
        record.write_idx(key, recordio.pack(header, pixels.tobytes()))
    record.close()

    record = recordio.MXIndexedRecordIO(idx_path, rec_path, "r")
    header, body = recordio.unpack(record.read_idx(4))
    back = np.frombuffer(body, dtype=np.uint8).reshape(4, 4)
    print(header.label, header.id, back.shape, record.keys == list(range(6)))
    record.close()
