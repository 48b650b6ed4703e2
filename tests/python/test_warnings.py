"""What the engine warns of arrives as a Python warning."""

from __future__ import annotations

SCRIPT = """
import warnings
import heald as hd
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with hd.Device("cpu"):
        hd.Module("__global__ void f() {}").get_function("f")(block=1)
    for _ in range(1000):
        pass
print([(w.category.__name__, "HEALD_CACHE_SIZE" in str(w.message)) for w in caught])
"""


def test_a_setting_without_sense(run_python):
    result = run_python(SCRIPT, env={"HEALD_CACHE_SIZE": "nonsense"})
    assert result.stdout.strip() == "[('HealdWarning', True)]", result.stderr


def test_warnings_as_errors(run_python):
    script = "import warnings; warnings.simplefilter('error')\n" + SCRIPT.replace(
        'warnings.simplefilter("always")', 'warnings.simplefilter("error")'
    )
    result = run_python(script, env={"HEALD_CACHE_SIZE": "nonsense"})
    assert "HealdWarning" in result.stderr
    assert result.returncode == 1


def test_nothing_to_warn_of(run_python):
    assert run_python(SCRIPT).stdout.strip() == "[]"
