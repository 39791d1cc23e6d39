"""Ray's tasks as an executor, for `simulate`, `tournament` and `verify_all` (extra `ray`)."""

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
    """Runs each call as a task on the Ray cluster that this process is connected to.

    A task of a worker that dies fails, and `heartsrules.simulation.executors.run` submits its chunk again.
    """

    def __init__(self, **options: Any) -> None:
        """Create an executor on the cluster of `ray.init`, which connects to a cluster or starts one here if needed.

        Args:
            options: options of the tasks, as `ray.remote` takes them: `num_cpus=2`, say.

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
        """Take no more calls. The cluster and the tasks that were submitted go on."""
        del wait, cancel_futures
        self._ended = True
