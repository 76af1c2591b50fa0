"""Run `gluonish launch` with network namespaces as hosts; needs root and `ip` (Linux).

`python scripts/train_in_namespaces.py PROGRAM ...` gives each host an address of its own and a
bridge between them, as if over ssh. `--hosts N` sets how many there are, 2 by default; `--cut
SECONDS` takes the last one's network away for that long, after `--after` seconds.
`tests/distributed/compared.py` is a program that compares what they train with one process.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

COMMAND = "import sys; from gluonish.cli import main; sys.exit(main())"


def named(count: int) -> dict[str, str]:
    """Return names and addresses of so many hosts."""
    return {f"gluonish{number}": f"10.77.0.{10 + number}" for number in range(count)}


def ip(*words: str) -> None:
    """Run one command of the network tools."""
    subprocess.run(["ip", *words], check=True)


def build(hosts: dict[str, str]) -> None:
    """Make a bridge and hosts around it."""
    ip("link", "add", "gluonbr", "type", "bridge")
    ip("link", "set", "gluonbr", "up")
    for number, (name, address) in enumerate(hosts.items()):
        ip("netns", "add", name)
        ip("link", "add", f"glu{number}", "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("link", "set", f"glu{number}", "master", "gluonbr", "up")
        ip("-n", name, "addr", "add", f"{address}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
        ip("-n", name, "link", "set", "lo", "up")


def remove(hosts: dict[str, str]) -> None:
    """Take all of it away."""
    for name in hosts:
        subprocess.run(["ip", "netns", "del", name], check=False)
    for link in (*(f"glu{number}" for number in range(len(hosts))), "gluonbr"):
        subprocess.run(["ip", "link", "del", link], check=False, stderr=subprocess.DEVNULL)


def cut(link: str, after: float, seconds: float) -> None:
    """Take the network of a host away for some time."""
    time.sleep(after)
    ip("link", "set", link, "down")
    sys.stdout.write(f"network of the last host away for {seconds:g} s\n")
    sys.stdout.flush()
    time.sleep(seconds)
    ip("link", "set", link, "up")


def main() -> int:
    """Run the program on both hosts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--cut", type=float, default=0.0)
    parser.add_argument("--after", type=float, default=30.0)
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    addresses = named(options.hosts)
    with tempfile.TemporaryDirectory() as folder:
        hosts, shell = Path(folder, "hosts"), Path(folder, "shell")
        hosts.write_text("\n".join(addresses.values()))
        cases = "".join(f"{address}) name={name};; " for name, address in addresses.items())
        shell.write_text(
            f'#!/bin/sh\ncase "$1" in {cases}esac\nexec ip netns exec $name sh -c "$2"\n'
        )
        shell.chmod(0o755)
        command = [sys.executable, "-c", COMMAND, "launch", "-n", "1", "-H", str(hosts)]
        command += ["--ssh", str(shell), "--env", "GLOO_SOCKET_IFNAME=eth0", *options.program]
        try:
            build(addresses)
            begin = time.monotonic()
            if options.cut:
                arguments = (f"glu{options.hosts - 1}", options.after, options.cut)
                threading.Thread(target=cut, args=arguments, daemon=True).start()
            status = subprocess.run(command, env=dict(os.environ), check=False).returncode
        finally:
            remove(addresses)
    sys.stdout.write(f"status {status} after {time.monotonic() - begin:.0f} s\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
