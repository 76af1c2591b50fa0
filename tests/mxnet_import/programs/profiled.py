# prints: True True
import mxnet as mx
from mxnet import profiler

profiler.set_config(profile_all=True, aggregate_stats=True, filename="profile_output.json")
profiler.set_state("run")
mx.nd.waitall()
with mx.engine.bulk(10):
    y = mx.nd.dot(mx.nd.ones((8, 8)), mx.nd.ones((8, 8)))
y.wait_to_read()
profiler.set_state("stop")
print(
    "Profile Statistics" in profiler.dumps(reset=True), mx.runtime.Features().is_enabled("OPENMP")
)
profiler.set_config()
