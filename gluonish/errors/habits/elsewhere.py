"""What Python and torch say where gluonish is taken for another library, and our words."""

from __future__ import annotations

from typing import Final

from gluonish.errors.habits.of_python_2 import OF_PYTHON_2

# What others say where gluonish was taken for them: pattern of the error, of the line, our words.
_LISTS: Final = "A batch has lists: write"
_FLOATS: Final = "Numbers of arrays are floating-point ones here, also what nd.argmax(x) finds:"
_OF_BATCH: Final = " = batch.data[0], batch.label[0]."

ELSEWHERE: Final[tuple[tuple[str, str, str], ...]] = (
    (
        r"optimizer can only optimize Tensors, but one of the params is (str|gluonish)",
        "",
        (
            "gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1}) trains a net; "
            "torch.optim.SGD(net.to_torch().parameters(), lr=0.1) trains it by torch's optimizer."
        ),
    ),
    (
        r"gluonish\.\S+ is not a Module subclass",
        "",
        "net.to_torch() makes a module of PyTorch from a Block; gluon.nn.Sequential takes Blocks.",
    ),
    (
        r"does not support the (context manager|asynchronous context manager) protocol|__enter__",
        r"\bwith +(?P<it>[\w.]*\b(record|pause|\w+_mode|name_scope|[cg]pu))\s*(:|,|as)",
        r"Call it: with \g<it>():, with the parentheses.",
    ),
    (
        r"object is not callable",
        r"@.*\b(record|pause|train_mode|predict_mode)\(",
        (
            "It is no decorator. Write in the function: with autograd.record():, or with "
            "autograd.pause():, as the first line."
        ),
    ),
    (
        r"'int' object is not callable",
        r"\.size\(",
        "x.size is the number of all elements here: write x.shape[0] for x.size(0).",
    ),
    (r"'int' object is not callable", r"\.ndim\(", "x.ndim is a number here: write x.ndim."),
    (r"'tuple' object is not callable", r"\.shape\(", "x.shape is a tuple: leave the () out."),
    (r"object is not callable", r"\.T\(", "x.T is an array here: write x.T, or x.transpose()."),
    (
        r"'NoneType'",
        r"(?P<it>\w+)\.grad\b",
        (
            r"\g<it> has no gradient: write \g<it>.attach_grad() above 'with autograd.record():', "
            "for one that backward() fills. What is computed on the way, as y = 2 * x, has no "
            "gradient kept: autograd.grad(z, [y]) gives it."
        ),
    ),
    (
        r"object \w+ can't be used in 'await' expression|'async (for|with)' requires",
        "",
        "Nothing of gluonish is awaited: its calls return what they computed. Leave await out.",
    ),
    (
        r"'odict_(keys|values|items)' object",
        "",
        (
            "list(params.values())[0] is the first of a ParameterDict, params['dense0_weight'] the "
            "one of a name; [p.data() for p in params.values()] are the arrays of all."
        ),
    ),
    (
        r"Cannot cast array data from dtype\('float\d+'\) to dtype\('int\d+'\)",
        r"(?P<it>[\w.]+)\.asnumpy\(\)",
        (
            r"Expected whole numbers; classes and places are float32 in nd, those of argmax, "
            r"argmin, argsort and topk, too. Write \g<it>.asnumpy().astype('int64')."
        ),
    ),
    (
        r"isinstance\(\) arg 2 must be a type",
        r"\b(nd|np|sym|gluon|mx|nn)\b",
        (
            "That is a module: mx.nd.NDArray is the class of arrays, gluon.Block of nets, "
            "mx.sym.Symbol of graphs."
        ),
    ),
    (
        r"cannot be interpreted as an integer",
        r"\brange\(.*\.shape\)",
        "x.shape is a tuple: range(x.shape[0]) counts rows.",
    ),
    (
        r"'str' object has no attribute '(data|grad|grad_req|lr_mult|set_data|initialize|shape)",
        "",
        "Going through a ParameterDict gives names: for p in net.collect_params().values().",
    ),
    (
        r"StopIteration",
        r"(?P<it>[\w.]+)\.next\(\)",
        (
            r"All batches were given. Write \g<it>.reset() before each epoch; a loop "
            r"`for batch in \g<it>:` ends by itself."
        ),
    ),
    (
        r"values to unpack",
        r"collect_params\(",
        "Going through a ParameterDict gives names: for name, p in net.collect_params().items().",
    ),
    (
        r"property 'shape' of '(NDArray|ndarray)' object has no setter",
        r"(?P<it>\b[\w.]+)\.shape\s*=\s*(?P<shape>[^#\n]+?)\s*(?:#|$)",
        r"Arrays keep their shape: write \g<it> = \g<it>.reshape(\g<shape>), which shares memory.",
    ),
    (
        r"has no attribute '__array_interface__'",
        "",
        "PIL.Image.fromarray(x.asnumpy()) makes a picture of an array.",
    ),
    (
        r"unsupported operand type\(s\) for @",
        "",
        (
            "Arrays of mx.nd are multiplied by nd.dot(x, y), stacks of matrices by "
            "nd.batch_dot(x, y); arrays of mx.np by x @ y."
        ),
    ),
    (
        r"(expected 2|not enough values to unpack|too many values to unpack)",
        r"=\s*[\w.]*(lstm|gru|rnn|net|layer|cell)\w*\(",
        (
            "A recurrent layer returns its states only if it is given some: output, states = "
            "layer(x, layer.begin_state(batch_size))."
        ),
    ),
    (
        r"(list|tuple) indices must be integers or slices, not numpy\.float",
        r"(?P<it>\b[\w.]+\[)(?P<key>\w[\w.\[\]]*\.(?:asscalar|item)\(\))\]",
        rf"{_FLOATS} write \g<it>int(\g<key>)].",
    ),
    (
        r"(list|tuple) indices must be integers or slices, not numpy\.float",
        r"(?P<it>\b[\w.]+\[)(?P<key>\w+)\]",
        rf"{_FLOATS} write \g<it>int(\g<key>)].",
    ),
    (
        r"(list|tuple) indices must be integers or slices, not numpy\.float",
        "",
        f"{_FLOATS} write int(i), as in names[int(i)].",
    ),
    (
        r"values to unpack",
        r"\bfor\b.*\bin\s+(?P<it>\w+)\.get\(\)",
        (
            r"\g<it>.get() gives a pair, all names and all values: for name, value in "
            r"\g<it>.get_name_value(): goes through them."
        ),
    ),
    (
        r"values to unpack",
        r"\.(max|min|sort|median)\(",
        ("x.max(axis=1) gives one array, the values alone; x.argmax(axis=1) gives the places."),
    ),
    (
        r"values to unpack",
        r"\bfor\b.*,.*,.*\benumerate\(",
        "enumerate gives a number and a batch: for i, (x, y) in enumerate(loader):.",
    ),
    (
        r"values to unpack",
        r"\bfor\b.*\b(DataLoader\(|\w*(loader|data|iter|batches)\b)",
        (
            "A batch has as many parts as a sample: print(dataset[0]) shows one, and "
            "gluon.data.ArrayDataset(data, labels) has samples of two."
        ),
    ),
    (
        r"values to unpack",
        r"(Dataset|DataLoader|MNIST\w*|CIFAR\w*)\(",
        (
            "A dataset is a row of samples: x, y = dataset[0] is the first one; gluon.data."
            "DataLoader(dataset, batch_size=32) goes through batches of them."
        ),
    ),
    (
        r"'int' object is not iterable",
        r"\bfor\b.*(shape\[|\.size|len\()",
        "That is a number: write for i in range(x.shape[0]):, or for row in x:.",
    ),
    (
        r"'NoneType' object has no attribute '(add|hybridize|initialize)'",
        r"\.(add|hybridize|initialize)\(",
        (
            "add, initialize and hybridize return nothing: net.add(a, b, c) adds several layers, "
            "and the others stand on lines of their own."
        ),
    ),
    (
        r"'NoneType' object is not iterable",
        r"\bfor\b.*(net|Dense|Conv)\(",
        "The forward returns nothing: it ends without a return.",
    ),
    (
        r"type object '(\w+)' has no attribute 'apply'",
        r"(?P<it>\w+)\.apply\((?P<x>[\w, ]*)\)",
        (
            r"A Function is made, then called with arrays: write \g<it>()(\g<x>). Its forward and "
            r"backward are no static methods, and have self in the place of ctx."
        ),
    ),
    (
        r"type object '(\w+)' has no attribute 'apply'",
        "",
        r"A Function is made, then called with arrays: \1()(...) in the place of \1.apply(...).",
    ),
    (
        r"'DataLoader' object is not subscriptable",
        r"(?P<it>\b[A-Za-z_][\w.]*)(?P<cut>\[[^\]]*:[^\]]*\])",
        r"Write list(\g<it>)\g<cut>, which are some of its batches.",
    ),
    (
        r"'DataLoader' object is not (an iterator|subscriptable)",
        "",
        "for x, y in loader: goes through the batches; next(iter(loader)) is the first one.",
    ),
    (
        r"'\w+Iter' object is not subscriptable",
        "",
        "for batch in it: goes through the batches; it.next() is the next one.",
    ),
    (
        r"DataBatch object|'DataBatch' object is not",
        r"^\s*for (?P<names>\w+, \w+) in (?P<it>[\w.]+):",
        rf"{_LISTS} for batch in \g<it>:, and in it \g<names>{_OF_BATCH}",
    ),
    (
        r"DataBatch object|'DataBatch' object is not",
        "",
        f"{_LISTS} for batch in iterator:, and in it x, y{_OF_BATCH}",
    ),
    (
        r"'NoneType' object is not (subscriptable|iterable|callable)",
        r"hist|fit\(",
        "fit returns nothing: est.history has the metrics after each epoch, by name.",
    ),
    (
        r"Object of type (NDArray|ndarray) is not JSON serializable",
        "",
        "JSON has numbers and lists: write float(x.asscalar()) for one, x.asnumpy().tolist().",
    ),
    (
        r"Object of type (u?int\d+|float\d+|bool_?) is not JSON serializable",
        "",
        (
            "That is a number of NumPy, as asscalar() gives it: write float(x), or "
            "int(x), which JSON has."
        ),
    ),
    (
        r"unsupported format string passed to NDArray\.__format__",
        "",
        "Numbers are formatted: x.asscalar() is the number of an array of one element.",
    ),
    (
        r"Invalid shape \(\d+, \d+, \d+\) for image data",
        "",
        (
            "Pictures are drawn with their channels last: write x.transpose((1, 2, 0)).asnumpy() "
            "for one of (channels, height, width)."
        ),
    ),
    (
        r"real number|must be a string or a|format string|'tuple' and|and 'tuple'",
        r"\b\w*(acc|metric|m)\w*\.get\(\)",
        "metric.get() returns name and value: write name, value = metric.get().",
    ),
    (
        r"pickled (?:\(object\) )?data|UnpicklingError|magic string|InvalidHeader|zip archive",
        r"\bload\(.*\.(params|nd|states)\b",
        "net.load_parameters(file) reads a net's parameters, mx.nd.load(file) the arrays alone.",
    ),
    (
        r"(Can't pickle|Can't get|cannot pickle)",
        r"\bpickle\.|\bdumps?\(|\bsave\(|deepcopy",
        (
            "Functions are pickled by name: write them with def, at the top of a file. "
            "net.save_parameters(file) keeps a net's parameters without pickle."
        ),
    ),
    (
        r"StopIteration: $",
        r"\bnext\((iter\()?\w*(loader|data|dl|batch|batches|train|val|valid|test)(_iter)?\b",
        (
            "There is no batch, or none is left: with last_batch='discard' a dataset needs as many "
            "samples as a batch has. len(loader) is the number of batches."
        ),
    ),
    (
        r"not '?Symbol'?|'Symbol' object (is not iterable|cannot be interpreted)",
        "",
        "A Symbol has no values: s.eval(data=array)[0] computes them, s.bind(...) often.",
    ),
    (
        r"unsupported operand type\(s\) for [+|]=?: 'ParameterDict' and",
        "",
        "Join them by params = a.collect_params(), then params.update(b.collect_params()).",
    ),
    (
        r"'float' object cannot be interpreted as an integer",
        "",
        "Numbers of things are integers: write n // 2, or int(n), also where __len__ returns.",
    ),
    (
        r"property 'dtype' of '\w+' object has no setter",
        "",
        "Write x = x.astype('float16'), or net.cast('float16').",
    ),
    (
        r"property '(ctx|context)' of '\w+' object has no setter",
        "",
        "Write x = x.as_in_context(mx.cpu()), or net.collect_params().reset_ctx(mx.cpu()).",
    ),
    (
        r"property 'grad' of '\w+' object has no setter",
        "",
        "Write into it, x.grad[:] = 0; x.attach_grad('add') has gradients added up.",
    ),
    (
        r"property '(name|prefix)' of '\w+' object has no setter",
        "",
        (
            "A Block has a name of its own, as first of nn.Dense(10, prefix='first_'): keep the "
            "program's under another word than name and prefix, and leave this line out."
        ),
    ),
    (
        r"property 'params' of '\w+' object has no setter",
        "",
        "Parameters are shared by nn.Dense(10, params=other.params), or share_parameters.",
    ),
    (
        r"property 'learning_rate' of '\w+' object has no setter",
        "",
        "Write trainer.set_learning_rate(0.1), or optimizer.set_learning_rate(0.1).",
    ),
    (
        r"'(NDArray|ndarray|CSRNDArray|RowSparseNDArray|Symbol)' object has no attribute '\w+'$",
        r"\b\w+\.\w+\s*=(?!=)",
        "Arrays and Symbols keep no attributes of a program's: put it into a dict, or a class.",
    ),
    (
        r"\w+\.update(_multi_precision)?\(\) missing",
        r"\b(\w*opt|\w*optimizer|sgd|adam)\.update",
        (
            "Make the state once, before the loop: state = optimizer.create_state(index, weight); "
            "optimizer.update(index, weight, grad, state) then changes the weight."
        ),
    ),
    (
        r"LRScheduler\.__call__\(\) missing",
        "",
        (
            "schedule(num_update) is the rate after so many updates; a Trainer asks for it that "
            "is given {'lr_scheduler': schedule}."
        ),
    ),
    (
        r"unsupported operand type\(s\) for [&|^]: '\w+' and 'NDArray'|unary ~: 'NDArray'",
        "",
        (
            "Comparisons of mx.nd are 0 and 1: (a > 0) * (b > 0) is both, nd.logical_or(a, b) "
            "either, 1 - (a > 0) not; comparisons of mx.np have &, | and ~."
        ),
    ),
    (
        r"^KeyError: ",
        r"\.(arg|grad|aux|output)_dict\[",
        "symbol.list_arguments() has the names of arguments, print(executor.arg_dict) too.",
    ),
    (
        r"IndexError: list index out of range",
        r"\.(outputs|get_outputs\(\))\[",
        "A graph has as many outputs as symbol.list_outputs() has names, counted from 0.",
    ),
    (
        r"(%\w+ format: a real number is required|must be real number), not (NDArray|ndarray)",
        "",
        "Numbers are formatted: x.asscalar() is the number of an array of one element.",
    ),
    (
        r"expected np\.ndarray \(got (NDArray|ndarray)\)",
        "",
        "x.tensor is the tensor of an array of gluonish; nd.from_torch(tensor) makes an array.",
    ),
    (
        r"type tuple doesn't define __round__ method",
        "",
        "A tuple has several things, metric.get() name and value: write round(metric.get()[1], 2).",
    ),
    (
        r"doesn't define __round__ method",
        "",
        "x.round() rounds to whole numbers, x.asnumpy().round(2) to two digits.",
    ),
    (
        r"Population must be a sequence",
        "",
        "mx.random.shuffle(x) gives an array's rows in another order; x[:2] are its first two.",
    ),
    (
        r"IndexError: list index out of range",
        r"\.label\[|\bbatch\[1\]",
        (
            "The batch has no labels: NDArrayIter(data, label, batch_size) and ArrayDataset(data, "
            "label) give them to an iterator and a DataLoader."
        ),
    ),
    (
        r"unsupported operand type\(s\) for .*'_Bound'",
        r"(?P<it>\b\w+)\.data\b(?!\()[^=]*-=(?P<step>.*\.grad)\b(?!\()",
        r"A method of a parameter was given, not called: write \g<it>.data()[:] -=\g<step>().",
    ),
    (
        r"unsupported operand type\(s\) for .*'_Bound'",
        "",
        (
            "A method of a parameter was given, not called. Expected arrays or numbers. Write "
            "p.data() for the values, p.grad() for the gradient."
        ),
    ),
    (
        r"unsupported operand type\(s\) for //=?: .*'(NDArray|Symbol)'",
        r"(?P<it>\b\w+) *// *(?P<other>\w+)",
        r"mx.nd has no //: write nd.floor(\g<it> / \g<other>).",
    ),
    (
        r"unsupported operand type\(s\) for //=?: .*'(NDArray|Symbol)'",
        "",
        "mx.nd has no //: write nd.floor(a / b), with the whole quotient between the parentheses.",
    ),
    (
        r"unsupported operand type\(s\) for (<<|>>)=?: .*'(NDArray|Symbol)'",
        "",
        "mx.nd has no << and >>: write a * 2 ** b, and nd.floor(a / 2 ** b).",
    ),
    (
        r"unsupported operand type\(s\) for .*'(NDArray|ndarray|Symbol)'",
        "",
        (
            "Expected arrays or numbers on both sides. A class, method or Block is called first, "
            "as in net(x); p.data() is the array of a parameter p."
        ),
    ),
    *OF_PYTHON_2,
)
