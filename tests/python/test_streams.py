"""Streams, events, host functions, and waits that Ctrl-C ends."""

from __future__ import annotations

import contextlib
import signal
import threading
import time

import numpy as np
import pytest

import heald as hd


def test_default_and_current(device):
    default = device.default_stream
    assert default.is_default
    assert hd.Stream.current() == default
    with hd.Stream() as stream:
        assert hd.Stream.current() == stream
        assert not stream.is_default
        assert stream.device == device
    assert hd.Stream.current() == default
    assert not stream.closed  # `with` makes current, it does not close
    stream.synchronize()


def test_host_functions_run_in_order(device):
    stream, seen = hd.Stream(), []
    for i in range(50):
        stream.host_function(seen.append, i)
    stream.synchronize()
    assert seen == list(range(50))


def test_host_function_error_surfaces_at_synchronize(device):
    stream = hd.Stream()

    def fail():
        raise KeyError("the reason")

    stream.host_function(fail)
    with pytest.raises(hd.HealdError, match="KeyError.*the reason"):
        stream.synchronize()
    stream.synchronize()  # raised once; the stream goes on


def test_host_function_needs_a_function(device):
    with pytest.raises(TypeError, match="function"):
        hd.Stream().host_function(3)


def test_wait_for_other_stream(device):
    first, second, seen = hd.Stream(), hd.Stream(), []
    first.host_function(lambda: (time.sleep(0.05), seen.append(1)))
    second.wait(first)
    second.host_function(seen.append, 2)
    second.synchronize()
    assert seen == [1, 2]


def test_wait_for_event(device):
    first, second, seen = hd.Stream(), hd.Stream(), []
    first.host_function(lambda: (time.sleep(0.05), seen.append(1)))
    event = first.record()
    assert event.recorded
    second.wait(event)
    second.host_function(seen.append, 2)
    second.synchronize()
    assert seen == [1, 2]
    assert event.done


def test_done(device):
    stream, go = hd.Stream(), threading.Event()
    stream.host_function(go.wait)
    assert not stream.done
    go.set()
    stream.synchronize()
    assert stream.done


def test_elapsed_time(device):
    stream = hd.Stream()
    start = stream.record(timing=True)
    stream.host_function(time.sleep, 0.03)
    stop = stream.record(timing=True)
    stop.synchronize()
    assert 25 < stop - start < 1000
    assert stop.elapsed_since(start) == stop - start


def test_elapsed_time_says_what_is_wrong(device):
    stream, go = hd.Stream(), threading.Event()
    good = stream.record(timing=True)
    unrecorded = hd.Event(timing=True)
    untimed = stream.record()
    stream.host_function(go.wait)
    unfinished = stream.record(timing=True)
    messages = []
    for event in (unrecorded, unfinished, untimed):
        with pytest.raises(ValueError) as error:
            event.elapsed_since(good)
        messages.append(str(error.value))
    go.set()
    stream.synchronize()
    assert len(set(messages)) == 3
    assert "record" in messages[0]
    assert "timing" in messages[2]


def test_elapsed_time_across_devices(gpu):
    mine = gpu.default_stream.record(timing=True)
    other = hd.Stream("cpu").record(timing=True)
    mine.synchronize()
    other.synchronize()
    with pytest.raises(ValueError, match="device"):
        mine.elapsed_since(other)


def test_closed_stream(device):
    stream = hd.Stream()
    stream.close()
    assert stream.closed
    for use in (stream.synchronize, stream.record, lambda: stream.__enter__(), lambda: stream.done):
        with pytest.raises(hd.ClosedError, match="closed"):
            use()
    assert "closed" in repr(stream)


def test_closed_event(device):
    event = hd.Event()
    with event:
        pass
    with pytest.raises(hd.ClosedError):
        event.synchronize()


def test_wrong_stream_argument(device):
    with pytest.raises(TypeError, match="stream must be"):
        hd.zeros(3, stream=5)


def test_cuda_stream_protocol(device):
    stream = hd.Stream()
    if device.kind == "cpu":
        with pytest.raises(hd.UnavailableError):
            stream.__cuda_stream__()
        return
    version, handle = stream.__cuda_stream__()
    assert (version, handle) == (0, stream.handle)

    class Foreign:
        def __cuda_stream__(self):
            return (0, handle)

    x = hd.zeros(4, stream=Foreign())
    stream.synchronize()
    assert x.tolist() == [0, 0, 0, 0]


def test_priority(device):
    assert isinstance(hd.Stream(priority=-1).priority, int)


def test_cancel(cpu):
    stream, seen, go = hd.Stream(), [], threading.Event()
    stream.host_function(go.wait)
    stream.host_function(seen.append, "never")
    stream.cancel()
    go.set()
    with pytest.raises(hd.CancelledError):
        stream.synchronize()
    assert seen == []
    stream.host_function(seen.append, "after")
    stream.synchronize()
    assert seen == ["after"]


def test_cancel_is_for_the_cpu(gpu):
    with pytest.raises(hd.UnavailableError):
        hd.Stream().cancel()


@pytest.fixture
def alarm():
    """Raises KeyboardInterrupt in the main thread after a while, as Ctrl-C does."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def settle(stream):
    """Waits for a stream whose work an interrupt may have cancelled."""
    with contextlib.suppress(hd.CancelledError):
        stream.synchronize()
    stream.synchronize()


def test_interrupt_ends_a_wait(device, alarm):
    stream, go = hd.Stream(), threading.Event()
    stream.host_function(go.wait, 5)
    alarm(0.05)
    started = time.perf_counter()
    try:
        with pytest.raises(KeyboardInterrupt):
            stream.synchronize()
        assert time.perf_counter() - started < 2
    finally:
        go.set()
        settle(stream)


def test_interrupt_ends_a_copy(device, alarm):
    go = threading.Event()
    x = hd.zeros(1000)
    hd.Stream.current().host_function(go.wait, 5)
    alarm(0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            hd.asnumpy(x)
    finally:
        go.set()
        settle(hd.Stream.current())


def test_memory_is_ordered_across_streams(device):
    """What one stream writes, another reads only then."""
    slow, fast = hd.Stream(), hd.Stream()
    for value in range(20):
        x = hd.zeros(1000, "int32", stream=slow)
        slow.host_function(time.sleep, 0.002)
        x.fill(value, stream=slow)
        assert (hd.asnumpy(x, stream=fast) == value).all()


def test_freed_memory_waits_for_its_uses(device):
    """A block freed while a stream still writes it must not be given to another stream."""
    first, second = hd.Stream(), hd.Stream()
    for _ in range(30):
        a = hd.zeros(4096, "int32", stream=first)
        first.host_function(time.sleep, 0.003)
        a.fill(1, stream=first)
        del a
        b = hd.full(4096, 7, "int32", stream=second)
        assert (hd.asnumpy(b, stream=second) == 7).all()
    first.synchronize()


def test_last_reference_dies_on_a_new_thread(device):
    start = device.memory.statistics.current_bytes
    for _ in range(20):
        holder = [hd.Buffer(1 << 20)]
        holder[0].fill(1)
        thread = threading.Thread(target=holder.clear)
        thread.start()
        thread.join()
    device.synchronize()
    assert device.memory.statistics.current_bytes == start


def test_objects_are_quick_to_make(device):
    def seconds_each(make, count=2000):
        made = []
        started = time.perf_counter()
        for _ in range(count):
            made.append(make())
        return (time.perf_counter() - started) / count

    x = hd.zeros((8, 8))
    # Generous: catches a driver call or a wait, not a slow machine.
    assert seconds_each(lambda: x[1:, ::2]) < 20e-6
    assert seconds_each(lambda: hd.Event()) < 50e-6
    assert np.prod(x[1:].shape) == 56
