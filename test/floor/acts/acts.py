"""What a floor refuses, by Python: `acts.py OUTSIDE INSIDE` prints `NAME ERRNO` or `NAME done`."""

import errno
import os
import shutil
import sys
from pathlib import Path

outside, inside = map(Path, sys.argv[1:3])

ACTS = {
    "create": lambda: open(outside / "new", "w"),
    "write": lambda: open(outside / "file", "r+"),
    "append": lambda: open(outside / "file", "a"),
    "open-truncate": lambda: open(outside / "file", "w"),
    "truncate": lambda: os.truncate(outside / "file", 0),
    "unlink": lambda: os.unlink(outside / "file"),
    "rmdir": lambda: os.rmdir(outside / "empty"),
    "rmtree": lambda: shutil.rmtree(outside / "tree"),
    "rename-out": lambda: os.rename(outside / "file", inside / "stolen"),
    "rename-in": lambda: os.rename(inside / "mine", outside / "put"),
    "move": lambda: shutil.move(inside / "mine", outside / "put"),
    "copy": lambda: shutil.copy(inside / "mine", outside / "put"),
    "link-in": lambda: os.link(inside / "mine", outside / "hard"),
    "symlink": lambda: os.symlink("file", outside / "soft"),
    "mkdir": lambda: os.mkdir(outside / "directory"),
    "mkfifo": lambda: os.mkfifo(outside / "fifo"),
}

for name, act in ACTS.items():
    try:
        act()
        print(name, "done")
    except OSError as error:
        print(name, errno.errorcode.get(error.errno, error.errno))
