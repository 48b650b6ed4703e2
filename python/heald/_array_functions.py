"""NumPy's functions of arrays, gathered from their modules."""

# ruff: noqa: F403
from __future__ import annotations

from typing import Any

from heald import (
    _calculus,
    _complex,
    _creation,
    _dtypes,
    _einsum,
    _grids,
    _indexing,
    _joining,
    _manipulation,
    _namespace,
    _nan_reductions,
    _numpy_methods,
    _padding,
    _products,
    _protocols,
    _reductions,
    _scanning,
    _selection,
    _sets,
    _sorting,
    _statistics,
    _sync,
    _ufuncs,
    _windows,
)
from heald._calculus import *
from heald._complex import *
from heald._creation import *
from heald._dtypes import *
from heald._einsum import *
from heald._grids import *
from heald._indexing import *
from heald._joining import *
from heald._manipulation import *
from heald._namespace import *
from heald._nan_reductions import *
from heald._padding import *
from heald._products import *
from heald._reductions import *
from heald._scanning import *
from heald._selection import *
from heald._sets import *
from heald._sorting import *
from heald._statistics import *
from heald._sync import *
from heald._ufuncs import *
from heald._windows import *

__all__ = [
    *_calculus.__all__,
    *_complex.__all__,
    *_creation.__all__,
    *_dtypes.__all__,
    *_einsum.__all__,
    *_grids.__all__,
    *_indexing.__all__,
    *_joining.__all__,
    *_manipulation.__all__,
    *_namespace.__all__,
    *_nan_reductions.__all__,
    *_padding.__all__,
    *_products.__all__,
    *_reductions.__all__,
    *_scanning.__all__,
    *_selection.__all__,
    *_sets.__all__,
    *_sorting.__all__,
    *_statistics.__all__,
    *_sync.__all__,
    *_ufuncs.__all__,
    *_windows.__all__,
]


def install(cls: Any) -> None:
    """Gives the compiled class NumPy's methods and protocols."""
    _numpy_methods.install(cls)
    _protocols.install(cls)
