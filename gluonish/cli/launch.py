"""`gluonish launch`: a program in several processes, on one host or many, by torchrun."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import torch

from gluonish.errors import DistributedError, InvalidArgumentError, MissingFileError
from gluonish.errors.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError

_EPILOG = """\
The program makes its store by mx.kv.create('dist_sync'), or gives kvstore='dist_sync' to a
Trainer; without a launcher it runs as the only worker.

examples:
  gluonish launch -n 4 train.py --epochs 5         4 workers on this host
  gluonish launch -n 4 --as-mxnet old.py           a program that imports mxnet
  gluonish launch -n 4 --max-restarts 3 train.py   all start again when one dies
  gluonish launch -n 8 -H hosts.txt train.py       8 on each host of a file, over ssh
  gluonish launch -n 8 --nnodes 2 --rdzv-endpoint node0:29400 train.py
                                                   the same, said on each of two hosts
"""
_PASSED: Final = ("GLOO_", "GLUONISH_", "MXNET_", "NCCL_", "OMP_NUM_THREADS", "PYTHONPATH")
_COUNT: Final = re.compile("[1-9][0-9]*|auto|cpu|gpu")
_HOSTS: Final = re.compile("[1-9][0-9]*(:[1-9][0-9]*)?")
_PORT: Final = 29400
_GRACE: Final = 30.0  # seconds that other hosts have to end when one has failed


class Host(NamedTuple):
    """A host of a file: its name, and how many workers run there if the file says so."""

    name: str
    slots: str | None


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = commands.add_parser(
        "launch",
        help="run a program in several processes, on one host or many",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "-n",
        "--nproc-per-node",
        "--num-workers",
        metavar="N",
        help="workers on each host, or 'auto' (default: one for each GPU, else 1)",
    )
    parser.add_argument(
        "-H", "--hostfile", type=Path, help="file of hosts, one a line, which ssh reaches"
    )
    parser.add_argument(
        "--ssh",
        default="ssh -o BatchMode=yes -tt",
        metavar="COMMAND",
        help="what runs a command on a host of the file (default: %(default)s)",
    )
    parser.add_argument(
        "--env",
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        help="variable to set for the workers; can be repeated",
    )
    parser.add_argument(
        "--nnodes", default="1", metavar="N", help="hosts, or MIN:MAX of them (default: 1)"
    )
    parser.add_argument(
        "--rdzv-endpoint", metavar="HOST:PORT", help="where several hosts meet: one of them"
    )
    parser.add_argument(
        "--rdzv-id", default="gluonish", metavar="NAME", help="name of the job at that place"
    )
    parser.add_argument("--is-host", choices=["0", "1"], help=argparse.SUPPRESS)
    parser.add_argument("--local-addr", help="address of this host for the others")
    parser.add_argument(
        "--max-restarts",
        type=int,
        default=0,
        metavar="N",
        help="how often all workers start again after one has died (default: 0)",
    )
    parser.add_argument("--log-dir", type=Path, help="folder for what each worker writes")
    parser.add_argument(
        "--as-mxnet",
        action="store_true",
        help="the program imports mxnet: run it as `gluonish run` does",
    )
    parser.add_argument("-m", "--module", action="store_true", help="SCRIPT is a module's name")
    parser.add_argument("script", metavar="SCRIPT", help="the program")
    parser.add_argument(
        "arguments", nargs=argparse.REMAINDER, metavar="...", help="what the program is given"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Start the workers, wait for them, and return the exit status.

    Raises
    ------
    DistributedError
        A worker has failed, or hosts did not find one another.
    InvalidArgumentError
        An option is not what it should be.
    MissingFileError
        There is no such program, or no such file of hosts.
    """
    _set(options.env)
    if options.hostfile is not None:
        return _on_hosts(options)
    if not options.module and not Path(options.script).is_file():
        how = "Check the name; options of the launcher stand before it, and -m takes a module"
        if Path(options.script).name.startswith("python"):
            how = f"Leave it out: gluonish launch ... {' '.join(options.arguments)}"
        msg = f"{options.script!r} is not there. Expected the file of a program. {how}."
        raise MissingFileError(msg)
    return _on_this_host(options)


def _set(pairs: Sequence[str]) -> None:
    for pair in pairs:
        name, is_given, value = pair.partition("=")
        if not name or (not is_given and name not in os.environ):
            msg = (
                f"--env {pair} was given. Expected NAME=VALUE, or the name of a variable that is "
                f"set. Write --env {name or 'NAME'}=..."
            )
            raise InvalidArgumentError(msg)
        if is_given:
            os.environ[name] = value


# --- this host -----------------------------------------------------------------------------------


def _on_this_host(options: argparse.Namespace) -> int:
    from torch.distributed import run as torchrun
    from torch.distributed.elastic.multiprocessing.api import SignalException
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.elastic.rendezvous.api import RendezvousError

    workers = options.nproc_per_node or str(torch.cuda.device_count() or 1)
    if workers.isdecimal() and int(workers) and "OMP_NUM_THREADS" not in os.environ:
        os.environ["OMP_NUM_THREADS"] = str(max(1, _cores() // int(workers)))
    if not _COUNT.fullmatch(workers) or not _HOSTS.fullmatch(options.nnodes):
        raise _wrong_numbers(workers, options.nnodes)
    arguments = _for_torchrun(options, workers)
    try:
        torchrun.run(torchrun.parse_args(arguments))  # type: ignore[no-untyped-call]
    except ChildFailedError as error:
        raise DistributedError(_story(error, options.max_restarts)) from error
    except RendezvousError as error:
        msg = (
            f"the hosts have not met at {options.rdzv_endpoint} ({error}). Expected "
            f"{options.nnodes} of them. Start the same command on each, and see whether they reach "
            f"that address."
        )
        raise DistributedError(msg) from error
    except ValueError as error:
        raise _wrong_numbers(workers, options.nnodes, f" ({error})") from error
    except SignalException as error:
        return 128 + int(error.sigval)
    return 0


def _for_torchrun(options: argparse.Namespace, workers: str) -> list[str]:
    """Return the command line of torchrun."""
    found = ["--nproc-per-node", workers, "--max-restarts", str(options.max_restarts)]
    if options.nnodes == "1" and options.rdzv_endpoint is None:
        found += ["--standalone"]
    else:
        if options.rdzv_endpoint is None:
            msg = (
                f"--nnodes {options.nnodes} was given without --rdzv-endpoint. Expected the host "
                f"where all meet. Write --rdzv-endpoint HOST:{_PORT}, the same on all hosts."
            )
            raise InvalidArgumentError(msg)
        found += ["--nnodes", options.nnodes, "--rdzv-backend", "c10d"]
        found += ["--rdzv-endpoint", options.rdzv_endpoint, "--rdzv-id", options.rdzv_id]
    if options.is_host is not None:
        found += ["--rdzv-conf", f"is_host={options.is_host}"]
    if options.local_addr is not None:
        found += ["--local-addr", options.local_addr]
    if options.log_dir is not None:
        found += ["--log-dir", str(options.log_dir), "--tee", "3"]
    program = ["-m", options.script] if options.module else [options.script]
    if options.as_mxnet:
        return [*found, "--module", "gluonish", "run", *program, *options.arguments]
    if options.module:
        found += ["--module"]
    return [*found, options.script, *options.arguments]


def _wrong_numbers(workers: str, nodes: str, why: str = "") -> InvalidArgumentError:
    msg = (
        f"-n {workers} --nnodes {nodes} were given{why}. Expected numbers from 1 on, 'auto' or "
        f"'gpu' workers, and MIN:MAX hosts or a number of them. Write for example -n 4."
    )
    return InvalidArgumentError(msg)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _story(error: ChildFailedError, restarts: int) -> str:
    """Return which worker failed first, and how."""
    rank, failure = error.get_first_failure()
    code = failure.exitcode
    how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
    again = f", after {counted(restarts, 'new start')}" if restarts else ""
    others = len(error.failures) - 1
    more = f", and {counted(others, 'other')} had to end with it" if others else ""
    return (
        f"worker {rank} (process {failure.pid} on {os.uname().nodename}) {how}{again}{more}. "
        f"Expected status 0 of all. See what it wrote, and whether the host had memory left."
    )


# --- the hosts of a file -------------------------------------------------------------------------


def _on_hosts(options: argparse.Namespace) -> int:
    hosts = _hosts(options.hostfile)
    endpoint = options.rdzv_endpoint or f"{hosts[0].name}:{_PORT}"
    name = f"{options.rdzv_id}-{uuid.uuid4().hex[:8]}"
    running = []
    for place, host in enumerate(hosts):
        command = [
            sys.executable,
            "-c",
            "import sys; from gluonish.cli import main; sys.exit(main())",
        ]
        command += ["launch", "--nnodes", str(len(hosts)), "--rdzv-endpoint", endpoint]
        command += ["--rdzv-id", name, "--is-host", str(int(place == 0))]
        command += ["--local-addr", host.name, "--max-restarts", str(options.max_restarts)]
        workers = options.nproc_per_node or host.slots
        command += ["-n", workers] if workers else []
        command += ["--log-dir", str(options.log_dir)] if options.log_dir else []
        command += ["--module"] if options.module else []
        command += ["--as-mxnet"] if options.as_mxnet else []
        command += [options.script, *options.arguments]
        variables = [
            f"{key}={value}" for key, value in os.environ.items() if _is_passed(key, options)
        ]
        line = f"cd {shlex.quote(str(Path.cwd()))} && exec env {shlex.join([*variables, *command])}"
        running.append(subprocess.Popen([*shlex.split(options.ssh), host.name, line]))
    try:
        return _wait_for(hosts, running)
    finally:
        for process in running:
            if process.poll() is None:
                process.terminate()


def _is_passed(name: str, options: argparse.Namespace) -> bool:
    return name.startswith(_PASSED) or name in [pair.partition("=")[0] for pair in options.env]


def _hosts(path: Path) -> list[Host]:
    """Return the hosts in a file: a name a line, with `slots=N` behind it or not."""
    try:
        lines = path.read_text().splitlines()
    except FileNotFoundError as error:
        msg = f"-H {path}: there is no such file. Expected one host a line. Check the name."
        raise MissingFileError(msg) from error
    hosts = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        slots = words[1].removeprefix("slots=") if len(words) == 2 else None
        if len(words) > 2 or (slots is not None and not slots.isdecimal()):
            msg = (
                f"-H {path}: line {number} is {line.strip()!r}. Expected the name of a host, or "
                f"'name slots=4'. Correct it."
            )
            raise InvalidArgumentError(msg)
        hosts.append(Host(words[0], slots))
    if not hosts:
        msg = f"-H {path}: it names no host. Expected one a line. Write them into it."
        raise InvalidArgumentError(msg)
    return hosts


def _wait_for(hosts: Sequence[Host], running: Sequence[subprocess.Popen[bytes]]) -> int:
    """Wait for all hosts; when one has failed, for the others not for ever."""
    failed: dict[str, int] = {}
    end: float | None = None
    while True:
        is_running = any(process.poll() is None for process in running)
        for host, process in zip(hosts, running, strict=True):
            if process.poll():
                failed.setdefault(host.name, process.returncode)
        if failed and end is None:
            end = time.monotonic() + _GRACE
        if not is_running or (end is not None and time.monotonic() > end):
            break
        time.sleep(0.1)
    if failed:
        told = ", ".join(f"{name} (status {code})" for name, code in failed.items())
        msg = (
            f"the job has failed on {told}, of {counted(len(hosts), 'host')}. Expected status 0 of "
            f"all. See what the first of them wrote."
        )
        raise DistributedError(msg)
    return 0
