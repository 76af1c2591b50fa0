"""Names that modules of MXNet import from others, and programs import from there."""

from __future__ import annotations

from typing import Final

BORROWED: Final = {
    "gluonish.attribute": {
        "gluonish.base": "classproperty string_types with_metaclass",
    },
    "gluonish.autograd": {
        "gluonish.base": (
            "NDArrayHandle SymbolHandle _LIB c_array c_array_buf check_call mx_uint string_types"
        ),
        "gluonish.symbol.symbol": "Symbol",
    },
    "gluonish.context": {
        "gluonish.base": "_LIB check_call classproperty with_metaclass",
    },
    "gluonish.engine": {
        "gluonish.base": "_LIB check_call",
    },
    "gluonish.executor": {
        "gluonish.base": (
            "ExecutorHandle NDArrayHandle SymbolHandle _LIB c_array_buf c_str_array "
            "check_call mx_int mx_uint py_str"
        ),
        "gluonish.executor_manager": "_split_input_slice",
        "gluonish.ndarray": "NDArray",
    },
    "gluonish.executor_manager": {
        "gluonish.base": "mx_real_t",
        "gluonish.context": "cpu",
    },
    "gluonish.gluon.block": {
        "collections": "OrderedDict defaultdict",
        "gluonish.base": "MXNetError mx_real_t",
        "gluonish.gluon.utils": "_check_all_np_ndarrays _check_same_symbol_type",
        "gluonish.symbol": "load_json",
        "gluonish.util": "is_np_array np_array np_shape",
    },
    "gluonish.gluon.contrib.estimator.estimator": {
        "gluonish.gluon.utils": "split_and_load",
    },
    "gluonish.gluon.contrib.estimator.event_handler": {
        "gluonish.metric": "CompositeEvalMetric EvalMetric",
    },
    "gluonish.gluon.contrib.nn.basic_layers": {
        "gluonish.gluon.block": "HybridBlock",
    },
    "gluonish.gluon.data.dataloader": {
        "gluonish.util": "set_np",
    },
    "gluonish.gluon.data.vision.datasets": {
        "gluonish.gluon.utils": "_get_repo_file_url check_sha1",
    },
    "gluonish.gluon.data.vision.transforms": {
        "gluonish.base": "numeric_types",
        "gluonish.util": "is_np_array",
    },
    "gluonish.gluon.loss": {
        "gluonish.base": "numeric_types",
        "gluonish.util": "is_np_array",
    },
    "gluonish.gluon.parameter": {
        "collections": "OrderedDict defaultdict",
        "gluonish.base": "MXNetError mx_real_t",
        "gluonish.context": "Context cpu",
        "gluonish.gluon.utils": "_brief_print_list _indent shape_is_known",
        "gluonish.util": "is_np_array is_np_shape",
    },
    "gluonish.gluon.rnn.rnn_cell": {
        "gluonish.base": "_as_list numeric_types string_types",
        "gluonish.gluon.block": "Block HybridBlock",
        "gluonish.gluon.utils": "_indent",
        "gluonish.nn.activations": "LeakyReLU",
    },
    "gluonish.gluon.rnn.rnn_layer": {
        "gluonish.util": "is_np_array",
    },
    "gluonish.gluon.trainer": {
        "gluonish.model": "_create_kvstore _create_sparse_kvstore",
    },
    "gluonish.image": {
        "gluonish.base": "numeric_types",
        "gluonish.util": "is_np_array",
    },
    "gluonish.image.detection": {
        "gluonish.base": "numeric_types",
        "gluonish.image": (
            "Augmenter CastAug ColorJitterAug ColorNormalizeAug ForceResizeAug "
            "HueJitterAug ImageIter LightingAug RandomGrayAug RandomOrderAug "
            "ResizeAug fixed_crop"
        ),
        "gluonish.util": "is_np_array",
    },
    "gluonish.init": {
        "gluonish.base": "string_types",
        "gluonish.ndarray": "NDArray",
        "gluonish.util": "is_np_array",
    },
    "gluonish.kvstore.base": {
        "gluonish.base": (
            "KVStoreHandle _LIB c_array c_array_buf c_str c_str_array check_call string_types"
        ),
    },
    "gluonish.kvstore.kvstore": {
        "gluonish.base": "KVStoreHandle NDArrayHandle _LIB c_str check_call mx_uint py_str",
        "gluonish.ndarray": "NDArray",
    },
    "gluonish.metric": {
        "collections": "OrderedDict",
        "gluonish.base": "numeric_types string_types",
    },
    "gluonish.model": {
        "gluonish.base": "mx_real_t",
        "gluonish.context": "Context cpu",
        "gluonish.io": "DataDesc",
    },
    "gluonish.module.base_module": {
        "gluonish.context": "cpu",
        "gluonish.init": "Uniform",
        "gluonish.io": "DataDesc",
    },
    "gluonish.module.bucketing_module": {
        "gluonish.init": "Uniform",
        "gluonish.module.base_module": "_check_input_names",
        "gluonish.name": "NameManager",
    },
    "gluonish.module.executor_group": {
        "gluonish.executor_manager": "_split_input_slice",
        "gluonish.io": "DataDesc",
        "gluonish.ndarray": "_DTYPE_MX_TO_NP",
    },
    "gluonish.module.module": {
        "gluonish.init": "InitDesc Uniform",
        "gluonish.model": (
            "_create_kvstore _initialize_kvstore _update_params _update_params_on_kvstore"
        ),
        "gluonish.module.base_module": "_check_input_names",
    },
    "gluonish.module.python_module": {
        "gluonish.init": "Uniform",
    },
    "gluonish.module.sequential_module": {
        "gluonish.init": "Uniform",
    },
    "gluonish.monitor": {
        "gluonish.base": "NDArrayHandle py_str",
    },
    "gluonish.name": {
        "gluonish.base": "classproperty with_metaclass",
    },
    "gluonish.ndarray": {
        "gluonish.base": (
            "NDArrayHandle _LIB c_array c_array_buf c_str c_str_array check_call "
            "integer_types mx_int mx_int64 mx_real_t mx_uint numeric_types py_str "
            "string_types"
        ),
        "gluonish.context": "Context current_context",
        "gluonish.runtime": "Features",
        "gluonish.util": "is_np_array",
    },
    "gluonish.ndarray.sparse": {
        "gluonish.base": (
            "NDArrayHandle _LIB c_array_buf check_call integer_types mx_real_t numeric_types"
        ),
        "gluonish.context": "current_context",
        "gluonish.ndarray": (
            "_DTYPE_MX_TO_NP _DTYPE_NP_TO_MX _STORAGE_TYPE_CSR "
            "_STORAGE_TYPE_DEFAULT _STORAGE_TYPE_ROW_SPARSE _STORAGE_TYPE_STR_TO_ID "
            "_STORAGE_TYPE_UNDEFINED"
        ),
    },
    "gluonish.nn": {
        "gluonish.base": "numeric_types",
        "gluonish.gluon.utils": "_indent",
        "gluonish.util": "is_np_array",
    },
    "gluonish.nn.activations": {
        "gluonish.gluon.block": "HybridBlock",
        "gluonish.util": "is_np_array",
    },
    "gluonish.operator": {
        "gluonish.base": (
            "NDArrayHandle OpHandle _LIB c_array c_array_buf c_str check_call "
            "mx_float mx_int mx_uint py_str"
        ),
        "gluonish.ndarray": (
            "NDArray _DTYPE_MX_TO_NP _DTYPE_NP_TO_MX _STORAGE_TYPE_CSR "
            "_STORAGE_TYPE_DEFAULT _STORAGE_TYPE_ID_TO_STR _STORAGE_TYPE_ROW_SPARSE "
            "_STORAGE_TYPE_STR_TO_ID _STORAGE_TYPE_UNDEFINED"
        ),
        "gluonish.util": "is_np_array",
    },
    "gluonish.optimizer": {
        "gluonish.base": "py_str",
        "gluonish.ndarray": (
            "NDArray NDabs=abs NDnorm=norm adam_update array cast clip ftml_update "
            "ftrl_update lamb_update_phase1 lamb_update_phase2 maximum "
            "mp_lamb_update_phase1 mp_lamb_update_phase2 mp_nag_mom_update "
            "mp_sgd_mom_update mp_sgd_update multi_lars multi_mp_sgd_mom_update "
            "multi_mp_sgd_update multi_sgd_mom_update multi_sgd_update multi_sum_sq "
            "multiply nag_mom_update preloaded_multi_mp_sgd_mom_update "
            "preloaded_multi_mp_sgd_update preloaded_multi_sgd_mom_update "
            "preloaded_multi_sgd_update rmsprop_update rmspropalex_update "
            "sgd_mom_update sgd_update signsgd_update signum_update sqrt square "
            "zeros"
        ),
        "gluonish.ndarray.contrib": "multi_lamb_update multi_mp_lamb_update",
        "gluonish.ndarray.random": "normal",
        "gluonish.util": "is_np_array",
    },
    "gluonish.optimizer.contrib": {
        "gluonish.ndarray": "NDArray clip mean sqrt square zeros",
    },
    "gluonish.profiler": {
        "gluonish.base": "KVStoreHandle _LIB c_str c_str_array check_call py_str",
    },
    "gluonish.random": {
        "gluonish.base": "_LIB check_call integer_types",
    },
    "gluonish.recordio": {
        "gluonish.base": "RecordIOHandle _LIB c_str check_call",
    },
    "gluonish.registry": {
        "gluonish.base": "string_types",
    },
    "gluonish.rnn.rnn": {
        "gluonish.rnn.rnn_cell": "BaseRNNCell",
    },
    "gluonish.rnn.rnn_cell": {
        "gluonish.base": "numeric_types string_types",
    },
    "gluonish.runtime": {
        "gluonish.base": "_LIB check_call",
    },
    "gluonish.symbol.symbol": {
        "gluonish.attribute": "AttrScope",
        "gluonish.base": (
            "ExecutorHandle NDArrayHandle SymbolHandle _LIB c_array c_array_buf "
            "c_str c_str_array check_call integer_types mx_int mx_int64 mx_uint "
            "numeric_types py_str string_types"
        ),
        "gluonish.context": "Context current_context",
        "gluonish.executor": "Executor",
        "gluonish.ndarray": "NDArray _DTYPE_MX_TO_NP _DTYPE_NP_TO_MX _STORAGE_TYPE_STR_TO_ID",
        "gluonish.symbol": (
            "Group Variable arange eye full histogram hypot linspace load load_json "
            "maximum minimum ones pow power split_v2 var zeros"
        ),
        "gluonish.util": "is_np_shape",
    },
    "gluonish.util": {
        "gluonish.base": "_LIB c_str check_call py_str",
    },
    "gluonish.viz": {
        "gluonish.symbol.symbol": "Symbol",
    },
}
"""For each module, and the module that has them, their names; or `here=there`."""


def borrowed(module: str) -> dict[str, str]:
    """Return where the names are that a module borrows, for `namespaces.settle`.

    Examples
    --------
    >>> from gluonish.mxnet_import.borrowed import borrowed
    >>> borrowed("gluonish.gluon.trainer")["_create_kvstore"]
    'gluonish.model:_create_kvstore'
    """
    found = {}
    for home, names in BORROWED.get(module, {}).items():
        for each in names.split():
            here, _, there = each.partition("=")
            found[here] = f"{home}:{there or here}"
    return found
