"""Kernels on the CPU in a debugger."""

import re
import shutil
import subprocess
import sys

import pytest

SCRIPT = """
import numpy as np
import heald as hd

SOURCE = '''
extern "C" __global__ void twice(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] = 2.0f * x[i];
}
'''
with hd.Device("cpu"):
    options = hd.ProgramOptions(line_info=True)
    kernel = hd.Program(SOURCE, name="twice.cu", options=options).compile().get_kernel("twice")
    x = hd.array(np.arange(100, dtype=np.float32))
    kernel.launch(1, 128, [x, 100])
    print("SUM", float(hd.asnumpy(x).sum()))
"""


def test_a_breakpoint_on_a_line_of_a_kernel_is_hit(tmp_path):
    gdb = shutil.which("gdb")
    if gdb is None:
        pytest.skip("needs gdb")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    commands = [
        "set breakpoint pending on",
        "break twice.cu:5",
        "run",
        "backtrace 2",
        "delete",
        "continue",
    ]
    line = [gdb, "-batch", "-nx"]
    for command in commands:
        line += ["-ex", command]
    run = subprocess.run(
        [*line, "--args", sys.executable, str(script)], capture_output=True, text=True, timeout=120
    )
    assert re.search(r"Breakpoint 1, .* at twice\.cu:5", run.stdout), run.stdout + run.stderr
    assert "SUM 9900.0" in run.stdout, run.stdout + run.stderr
