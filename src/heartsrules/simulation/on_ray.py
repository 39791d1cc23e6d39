"""An executor of Ray tasks for long runs (extra `ray`)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, Final, ParamSpec, TypeVar, cast

from heartsrules.base.extras import needs

__all__ = ["RayTasks"]
__dir__ = __all__.copy

_P = ParamSpec("_P")
_T = TypeVar("_T")


def _call(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return fn(*args, **kwargs)


class RayTasks(Executor):
    """An executor that runs each call as a task on the connected Ray cluster.

    If a worker dies, its task fails, and `heartsrules.simulation.executors.run` submits the chunk again.
    """

    def __init__(self, **options: Any) -> None:
        """Create an executor on the cluster to which `ray.init` connects, or a new one.

        Args:
            options: options of the tasks for `ray.remote`, such as `num_cpus=2`.

        Raises:
            MissingExtra: the extra `ray` is missing.
        """
        with needs("ray", "an executor on Ray"):
            import ray  # pyright: ignore[reportMissingImports]
        self._task: Final[Any] = ray.remote(**{"num_cpus": 1, "max_retries": 0, **options})(_call)
        self._ended = False

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Submit a function call as a task.

        Raises:
            RuntimeError: the executor has been shut down.
        """
        if self._ended:
            raise RuntimeError("cannot schedule new futures after shutdown")
        return cast("Future[_T]", self._task.remote(fn, args, kwargs).future())

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Reject further calls. The cluster and the submitted tasks continue."""
        del wait, cancel_futures
        self._ended = True
