"""Fourier transforms beside NumPy's."""

from __future__ import annotations

import numpy as onp
import pytest

from gluonish import autograd, nd

ROWS = onp.random.default_rng(3).standard_normal((4, 6)).astype(onp.float32)


def test_fft_interleaves_numpys_coefficients():
    expected = onp.fft.fft(ROWS)
    result = nd.contrib.fft(nd.array(ROWS)).asnumpy()
    assert result.shape == (4, 12)
    onp.testing.assert_allclose(result[:, 0::2], expected.real, atol=1e-5)
    onp.testing.assert_allclose(result[:, 1::2], expected.imag, atol=1e-5)


def test_ifft_of_fft_is_the_length_times_the_data():
    back = nd.contrib.ifft(nd.contrib.fft(nd.array(ROWS)))
    onp.testing.assert_allclose(back.asnumpy(), 6 * ROWS, atol=1e-4)


def test_gradient_of_the_round_trip_is_the_length():
    x = nd.array(ROWS)
    x.attach_grad()
    with autograd.record():
        y = nd.contrib.ifft(nd.contrib.fft(x))
    y.backward()
    onp.testing.assert_allclose(x.grad.asnumpy(), onp.full_like(ROWS, 6), atol=1e-4)


def test_wrong_arguments_are_explained():
    with pytest.raises(ValueError, match="compute_size=0 was given. Expected 1 or more"):
        nd.contrib.fft(nd.array(ROWS), compute_size=0)
    with pytest.raises(ValueError, match="an even number in each row"):
        nd.contrib.ifft(nd.ones((2, 3)))
