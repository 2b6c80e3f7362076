"""Banksman for Python: an agent's tools run once a policy or a person has said yes.

    from banksman import Banksman

    banksman = Banksman()  # BANKSMAN_URL and BANKSMAN_TOKEN

    @banksman.guarded(session="support-42")
    def send_mail(to: str, subject: str) -> str:
        "Sends a mail."
        ...

    send_mail("ana@example.com", subject="Hello")  # waits for a person where the policy asks one

One file, the standard library alone, Python 3.9 and later. It speaks to a Banksman server over HTTP.

What it promises
- A tool runs at most once for a call id, and with exactly the arguments that were approved.
- Nothing that goes wrong ends in a run: a server that is away, hangs or answers garbage, a token that was revoked, a lease
  that is over. `guard`, `aguard` and `hold` then give `Refused` or `Pending`. They raise `TypeError` for a function that can't
  be guarded, and nothing else of their own.
- The token goes to the server's address and nowhere else: no proxy is used and no redirect followed.
"""

from __future__ import annotations

import asyncio
import atexit
import contextvars
import functools
import http.client
import inspect
import io
import json
import logging
import math
import os
import random
import secrets
import socket
import ssl
import threading
import time
import urllib.parse
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, NoReturn, Optional, Sequence, Set, Tuple, TypeVar, Union, cast

__all__ = [
    "Answered", "Banksman", "Held", "Judgement", "NotRun", "Pending", "Ran", "Refused", "Release", "Released", "Result",
    "RunContext", "ServerError", "Stop", "current_call",
]  # fmt: skip

_log = logging.getLogger("banksman")
_F = TypeVar("_F", bound=Callable[..., Any])

# ── What comes of a call ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Ran:
    """The tool ran. `ok` says whether it returned (`value`) or raised (`error`)."""

    tool: str
    ok: bool
    value: Any = None
    error: Optional[BaseException] = None
    request_id: Optional[str] = None
    by: Optional[str] = None
    """Who approved it; the last one, where several had to."""
    edited: Optional[Dict[str, Any]] = None
    """The arguments that it ran with, where a person changed them."""
    replayed: bool = False
    """It ran before, at `ran_at`: this is the result that `remember` kept."""
    ran_at: Optional[float] = None
    """In seconds since the epoch."""
    recorded: bool = True
    """False: the outcome is not on the record yet. It is tried again meanwhile."""

    def unwrap(self) -> Any:
        """What the tool returned; raises what it raised."""
        if self.error is not None:
            raise self.error
        return self.value

    def text(self) -> str:
        """For the model. Raises what the tool raised."""
        value = self.unwrap()
        said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        if self.edited is None:
            return said
        ran_with = json.dumps(self.edited, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return f"{self.by or 'A person'} changed the arguments of this call before it ran. It ran with {ran_with}.\n{said}"


class _DidNotRun:
    def text(self) -> str:
        raise NotImplementedError

    def unwrap(self) -> NoReturn:
        """Raises `NotRun`: there is no value."""
        raise NotRun(self)


@dataclass(frozen=True)
class Refused(_DidNotRun):
    """It did not run. `state` is `denied`, a state of the request such as `rejected`, or `error` where we could not go on."""

    tool: str
    state: str
    code: str
    because: str
    may_retry: bool = False
    """Whether the same call may make sense later. A person's or the policy's no is a no."""
    by: Optional[str] = None
    request_id: Optional[str] = None
    summary: Optional[str] = None
    """Of a call that has run before: what was said of its result."""
    reason: Optional[Dict[str, Any]] = None
    """What `because` was made of, for programs."""

    def text(self) -> str:
        """For the model: always the same members, so that it can tell a person's no from a mistake of its own."""
        said = {"ran": False, "tool": self.tool, "state": self.state, "because": self.because, "by": self.by}
        said.update(tryAgain=self.may_retry, advice=_advice(self))
        return json.dumps({name: value for name, value in said.items() if value is not None}, ensure_ascii=False)


@dataclass(frozen=True)
class Answered(_DidNotRun):
    """A person's words take the place of the result; nothing ran."""

    tool: str
    by: str
    request_id: str
    answer: Optional[str] = None
    answers: Any = None

    def text(self) -> str:
        """For the model."""
        return self.answer if self.answer is not None else json.dumps(self.answers, ensure_ascii=False)


@dataclass(frozen=True)
class Pending(_DidNotRun):
    """Nobody has decided yet. The request goes on: make the same call again to go on waiting."""

    tool: str
    because: str
    """`hold_over` or `aborted`."""
    request_id: Optional[str] = None

    def text(self) -> str:
        """For the model."""
        what = "" if self.request_id is None else f" ({self.request_id})"
        return (
            f"Not refused: waiting for a person{what}. Call the same tool with the same arguments again to go on waiting; "
            "do not try another way."
        )


@dataclass(frozen=True)
class Released(_DidNotRun):
    """The tool paused itself by raising `Release`, and the call was given back: it can be made again."""

    tool: str
    cause: str
    request_id: Optional[str] = None
    error: Optional[BaseException] = None
    """What the tool raised it from: `raise Release("…") from error`."""

    def text(self) -> str:
        """For the model."""
        return f"The tool paused itself: {self.cause}. It has not ended."


@dataclass(frozen=True)
class Judgement:
    """What would happen to a call: `allow`, `ask` or `deny`, and why."""

    kind: str
    because: str


Result = Union[Ran, Refused, Answered, Pending, Released]


class NotRun(Exception):
    """Raised by `unwrap()` and by guarded functions. `str(error)` is the text for the model, `error.result` the whole."""

    def __init__(self, result: _DidNotRun) -> None:
        super().__init__(result.text())
        self.result = result


class Release(Exception):
    """To be raised by a tool that pauses itself: "suspended, not failed". What it did before is its author's to repeat safely."""


class ServerError(Exception):
    """The server said no, could not be heard (`unreachable`), or something else answered (`unexpected_answer`)."""

    def __init__(self, code: str, detail: str, status: Optional[int] = None) -> None:
        super().__init__(detail)
        self.code = code
        self.status = status

    @property
    def is_passing(self) -> bool:
        """The same may succeed later."""
        return self.code == "unreachable" or self.status == 429 or (self.status or 0) >= 500


class Stop:
    """Ends waits from another thread: `guard(…, stop=stop)`, then `stop.set()`. It doesn't stop a tool that runs.

    With asyncio, cancel the task instead.
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._sockets: Set[socket.socket] = set()

    def set(self) -> None:
        with self._lock:
            self._event.set()
            for connected in self._sockets:
                _shut(connected)

    def is_set(self) -> bool:
        return self._event.is_set()

    def _pause(self, seconds: float) -> None:
        self._event.wait(seconds)

    def _watch(self, connected: socket.socket) -> None:
        with self._lock:
            self._sockets.add(connected)
            if self._event.is_set():
                _shut(connected)

    def _forget(self, connected: socket.socket) -> None:
        with self._lock:
            self._sockets.discard(connected)


class RunContext:
    """Of the call that runs now: see `current_call`."""

    def __init__(self, request_id: Optional[str], stopped: threading.Event) -> None:
        self.request_id = request_id
        self.stopped = stopped
        """Set when a person or the agent tells the call to stop. A tool that takes long looks at it."""


_current: contextvars.ContextVar[Optional[RunContext]] = contextvars.ContextVar("banksman_call", default=None)


def current_call() -> Optional[RunContext]:
    """The call in which this code runs; None outside of a guarded tool."""
    return _current.get()


# ── The client ───────────────────────────────────────────────────────────────────────────────────────────────────────

_HOLD = 25.0  # Proxies in between give up after a minute or less.
_ANSWER_WITHIN = 15.0  # Beyond what the server was asked to take: then it hangs.
_GIVE_BACK_WITHIN = 2.0  # Who hangs up wants to go on.
_MAX_RELEASES = 10
_NO_LONGER = "the caller no longer waits"
_MAX_REPORTS = 600  # Ten minutes of trying. After that the outcome is unknown, and a person sees it.


class Banksman:
    """A client of the server at `url` (`BANKSMAN_URL`) with `token` (`BANKSMAN_TOKEN`). Threads may share it.

    `record_within`: how many seconds a result waits for its outcome to be on the record.
    `patience`: for how long a server that can't be reached is tried while nothing is known of the call.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        record_within: float = 10.0,
        patience: float = 10.0,
    ) -> None:
        self._server = _Server(
            url or os.environ.get("BANKSMAN_URL") or "http://127.0.0.1:4790",
            token if token is not None else os.environ.get("BANKSMAN_TOKEN"),
        )
        self._record_within = record_within
        self._patience = patience

    def judge(self, tool: str, arguments: Mapping[str, Any], *, session: str, **about: Any) -> Judgement:
        """What would happen to the call now. Nobody is asked and nothing runs. Raises `ServerError`."""
        answer = self._server.post(["judge"], _call(tool, arguments, session, None, about))
        if not isinstance(answer, dict) or answer.get("kind") not in ("allow", "ask", "deny"):
            raise ServerError("unexpected_answer", "the server answered with something that is no judgement")
        return Judgement(answer["kind"], str(answer.get("because", "")))

    def hold(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        session: str,
        call_id: Optional[str] = None,
        wait: Optional[float] = None,
        key: Optional[str] = None,
        can: Optional[Mapping[str, bool]] = None,
        join: Optional[bool] = None,
        remember: Union[bool, Callable[[Any], Any]] = False,
        stop: Optional[Stop] = None,
        on_asked: Optional[Callable[[Dict[str, Any]], None]] = None,
        **about: Any,
    ) -> Union[Held, Ran, Refused, Answered, Pending]:
        """Reviews, waits and claims. Who gets a `Held` runs the call and says how it ended: `ready()`, then `report()`.

        `call_id`: unique in the session; the same id with the same content is the same call. Made up where it is absent.
        `wait`: for how many seconds to wait for a person; absent, as long as it takes.
        `key`: yours for this one call, unguessable. Keep it to ask again after a lost answer.
        `can`: what can't be carried back to the model, such as `{"edit": False}`; people are not offered it.
        `join`: the same call under another id joins one that waits already. It is so where `call_id` is absent.
        `remember`: keeps the result, for when the same call is made again. A function says what of the value to keep.
        `on_asked`: told once a person is asked, with `requestId`, `because` and `url`.
        `about`: `agent={"name": …}`, `cwd`, `context`, `preview`, `definition`, `parentSession`, `origin`.
        """
        asking: Optional[_Asking] = None
        try:
            body = {
                "call": _call(tool, arguments, session, call_id, about),
                "key": secrets.token_hex(16) if key is None else key,
                "can": can,
                "join": call_id is None if join is None else join,
                "remember": remember is not False,
            }
            asking = _Asking(self._server, tool, _without_none(body), wait, stop, on_asked, comes_back=key is not None)
            answer, sent_at = asking.take(self._patience)
            if not isinstance(answer, dict):
                return answer
            held = Held(self._server, tool, answer, sent_at, self._record_within, remember)
        except BaseException as error:  # a mistake in the call, a server that can't go on, or Ctrl-C: nothing runs
            is_ours = isinstance(error, Exception)
            if asking is not None:
                asking.let_go(was_told_to=not is_ours)
            if not is_ours:
                raise
            return _refused_by(tool, error, None if asking is None else asking.request_id)
        if stop is not None and stop.is_set():  # it came in the same moment
            held._give_back_later()
            return Pending(tool, "aborted", held.request_id)
        return held

    def guard(
        self, tool: str, arguments: Mapping[str, Any], run: Callable[..., Any], *, session: str, **options: Any
    ) -> Result:
        """Reviews, waits, claims, calls `run(**arguments)` once with what was approved, and reports.

        `options` are those of `hold` but `key`, and `summarize`: what to write down of the result, in a few words.
        """
        if _is_async(run):
            raise TypeError(f"{_name(run)} is async: it needs `await aguard(…)`")
        summarize = _checked_options(run, options)
        held = self.hold(tool, arguments, session=session, **options)
        if not isinstance(held, Held):
            return held
        return held._begin() or held._finish(held._run(run), summarize)

    async def aguard(
        self, tool: str, arguments: Mapping[str, Any], run: Callable[..., Any], *, session: str, **options: Any
    ) -> Result:
        """`guard` for asyncio: waits in a thread of its own, and runs an async tool on this loop, any other in a thread.

        Cancelling the task ends the wait, and gives the call back. An async tool that runs already is cancelled with it; one in
        a thread runs to its end, and that is reported.
        """
        summarize = _checked_options(run, options)
        if "stop" in options:
            raise TypeError("aguard takes no `stop`: cancel its task")
        stop = Stop()
        try:
            holding = _in_thread(lambda: self.hold(tool, arguments, session=session, stop=stop, **options))
        except RuntimeError as error:  # there is no thread to be had
            return _refused_by(tool, error)
        try:
            held = await asyncio.wrap_future(holding)
        except BaseException:
            stop.set()
            holding.add_done_callback(_give_back)
            raise
        if not isinstance(held, Held):
            return held
        return await held._arun(run, summarize)

    def guarded(
        self,
        *,
        session: Union[str, Callable[[], str]],
        tool: Optional[str] = None,
        call_id: Optional[Callable[[], str]] = None,
        leave_out: Sequence[str] = (),
        for_model: bool = False,
        **options: Any,
    ) -> Callable[[_F], _F]:
        """Puts a guard around a function, async or not. Its arguments are sent by name, with its defaults.

        What didn't run raises `NotRun`; with `for_model`, its text is returned instead, as is the text of a result.
        `tool`: the name that the policy matches; the function's own where absent.
        `session`, `call_id`: may be functions, asked at each call.
        `leave_out`: parameters that are no part of the call, such as `self` or a framework's context. Nobody is shown them.
        """

        def decorate(function: _F) -> _F:
            signature = _checked_signature(function, leave_out)
            name = tool or function.__name__
            about = dict(options)
            if inspect.getdoc(function):
                about.setdefault("definition", {"description": inspect.getdoc(function)})

            def prepare(positional: Any, named: Any) -> Any:
                sent, kept = _bound(signature, leave_out, positional, named)
                at = session() if callable(session) else session
                given = {} if call_id is None else {"call_id": call_id()}
                return sent, kept, {**about, **given, "session": at}

            def ended(result: Result) -> Any:
                return result.text() if for_model else result.unwrap()

            # The functions inside are no partials: there, an edit that names what was left out would take its place.
            if inspect.iscoroutinefunction(function):

                @functools.wraps(function)
                async def waits(*positional: Any, **named: Any) -> Any:
                    sent, kept, settings = prepare(positional, named)

                    async def run(**approved: Any) -> Any:
                        return await function(**approved, **kept)

                    return ended(await self.aguard(name, sent, run, **settings))

                return cast(_F, waits)

            @functools.wraps(function)
            def blocks(*positional: Any, **named: Any) -> Any:
                sent, kept, settings = prepare(positional, named)

                def run(**approved: Any) -> Any:
                    return function(**approved, **kept)

                return ended(self.guard(name, sent, run, **settings))

            return cast(_F, blocks)

        return decorate


class Held:
    """The right to run the call, once, with `arguments`. Its lease is renewed until it ends."""

    def __init__(
        self,
        server: _Server,
        tool: str,
        data: Dict[str, Any],
        sent_at: float,
        record_within: float,
        remember: Union[bool, Callable[[Any], Any]],
    ) -> None:
        self.tool = tool
        self.arguments: Dict[str, Any] = data["arguments"]
        self.edited: Optional[Dict[str, Any]] = data.get("edited")
        self.by: Optional[str] = data.get("by")
        self.request_id: Optional[str] = data.get("requestId")
        self.key: str = data["key"]
        self.stopped = threading.Event()
        """Set when the call is told to stop."""
        self._server, self._record_within, self._remember = server, record_within, remember
        self._place = {"session": data["session"], "callId": data["callId"], "key": data["key"]}
        self._claim_id = data.get("claimId")
        self._lease = None if self.request_id is None else data["leaseMs"] / 1000
        self._sent_at = sent_at
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._reporting: Optional[Future[bool]] = None
        self._why = "stopped"
        if self._lease is not None:
            _in_thread(self._keep_renewing)

    def ready(self) -> None:
        """Right before the call runs: renews a lease that may be half over. Raises where the call must not run."""
        if self._may_be_over():
            self._renew()
        if self.stopped.is_set():
            raise ServerError("cancelled", self._why)
        if self._over.is_set():
            raise ServerError("not_running", "the hold is over: it was reported or given back")

    def report(self, value: Any = None, error: Optional[BaseException] = None, summary: Optional[str] = None) -> bool:
        """Says how it ended. True once that is on the record, False where it takes too long; it is tried on meanwhile."""
        try:
            return self._report_later(value, error, summary).result(self._record_within)
        except Exception:
            return False

    def release(self, cause: str) -> None:
        """Gives the call back without an outcome: it is approved as it was before. Raises where that is no longer possible."""
        # It is renewed meanwhile: a claim that nobody keeps can't be given back.
        for attempt in range(1, _MAX_RELEASES + 1):
            try:
                self._server.post(["holds", "release"], {**self._place, "cause": _well_formed(cause, 256) or _NO_REASON})
                break
            except ServerError as error:
                if not error.is_passing or attempt == _MAX_RELEASES:
                    raise
                time.sleep(1)
        self._over.set()

    def _give_back_later(self, cause: str = _NO_LONGER) -> None:
        def give_back() -> None:
            try:
                self.release(cause)
            except Exception as error:
                _log.warning("call %s could not be given back: %s", self._place["callId"], error)
                self._over.set()  # its lease ends by itself

        _in_thread(give_back, until_exit=True)

    def _may_be_over(self) -> bool:
        return self._lease is not None and _now() - self._sent_at > self._lease / 2

    def _begin(self) -> Optional[Refused]:
        try:
            self.ready()
            return None
        except Exception as error:
            # It never ran, so the claim is given back: otherwise its outcome would stay unknown.
            self._give_back_later("it could not be run in time")
            return _refused_by(self.tool, error, self.request_id)

    def _run(self, run: Callable[..., Any], awaits: bool = False) -> _Ended:
        set_back = _current.set(RunContext(self.request_id, self.stopped))
        try:
            value = run(**self.arguments)
            if not (awaits and inspect.isawaitable(value)):
                _refuse_lazy(run, value)
            return _Ended(value, None)
        except Exception as error:
            return _Ended(None, error)
        except BaseException as error:
            self._report_later(None, error, _described(error))
            raise
        finally:
            _current.reset(set_back)

    async def _arun(self, run: Callable[..., Any], summarize: Optional[Callable[[Any], str]]) -> Result:
        """From the hold to the result on the caller's loop. A cancelled task gives the call back, unless its tool has begun."""
        try:
            is_slow = self._may_be_over()
            refused = await asyncio.wrap_future(_in_thread(self._begin)) if is_slow else self._begin()
        except BaseException:
            self._give_back_later()
            raise
        if refused is not None:
            return refused
        running: Optional[Future[_Ended]] = None
        set_back = _current.set(RunContext(self.request_id, self.stopped))
        try:
            if _is_async(run):
                value = run(**self.arguments)
            else:
                running = _in_thread(functools.partial(contextvars.copy_context().run, self._run, run, True))
                in_thread = await asyncio.wrap_future(running)
                running = None
                if in_thread.error is not None:
                    raise in_thread.error
                value = in_thread.value
            if inspect.isawaitable(value):
                value = await value
            _refuse_lazy(run, value)
            ended = _Ended(value, None)
        except Exception as error:
            ended = _Ended(None, error)
        except BaseException as error:
            if running is None:
                self._report_later(None, error, _described(error))
            else:  # a thread can't be called back: its end is reported when it comes
                running.add_done_callback(self._finish_thread)
            raise
        finally:
            _current.reset(set_back)
        return await asyncio.wrap_future(_in_thread(lambda: self._finish(ended, summarize), until_exit=True))

    def _finish_thread(self, running: Future[_Ended]) -> None:
        if running.exception() is not None:
            return  # it is reported already
        ended = running.result()
        if inspect.isawaitable(ended.value):
            _close(ended.value)
            ended = _Ended(None, asyncio.CancelledError("cancelled before it was awaited"))
        _in_thread(lambda: self._finish(ended, None), until_exit=True)

    def _finish(self, ended: _Ended, summarize: Optional[Callable[[Any], str]]) -> Result:
        summary = None
        if isinstance(ended.error, Release):
            cause, origin = str(ended.error) or _NO_REASON, ended.error.__cause__
            try:
                self.release(cause)
                return Released(self.tool, cause, self.request_id, origin)
            except Exception as error:
                summary = f"it paused itself ({cause}), and could not be given back: {error}"
                ended = _Ended(None, origin or RuntimeError(summary))
        reporting = self._report_later(ended.value, ended.error, summary or _summary(ended, summarize))
        recorded = True
        # Without them nobody was asked, and nobody will ask for the result: its end is told without being waited for.
        if self.request_id is not None or self._remember is not False:
            try:
                recorded = reporting.result(self._record_within)
            except Exception:
                recorded = False
        is_ok = ended.error is None
        return Ran(self.tool, is_ok, ended.value, ended.error, self.request_id, self.by, self.edited, recorded=recorded)

    def _report_later(self, value: Any, error: Optional[BaseException], summary: Optional[str]) -> Future[bool]:
        self._over.set()
        with self._lock:
            if self._reporting is None:
                said = {"outcome": "ok" if error is None else "error", "result": _kept(value, error, self._remember)}
                said["summary"] = None if summary is None else _well_formed(summary, _MAX_SUMMARY)
                self._reporting = _in_thread(lambda: self._keep_reporting(_without_none(said)), until_exit=True)
            return self._reporting

    def _keep_reporting(self, said: Dict[str, Any]) -> bool:
        for _ in range(_MAX_REPORTS):
            try:
                if self.request_id is None:
                    self._server.post(["holds", "outcome"], {**self._place, **said})
                else:
                    self._server.post(["requests", self.request_id, "outcome"], {"claimId": self._claim_id, **said})
                return True
            except ServerError as error:
                _log.warning("the outcome of %s could not be reported: %s", self.request_id or self._place["callId"], error)
                if not error.is_passing:
                    return False
                time.sleep(1)
        return False

    def _renew(self) -> None:
        sent_at = _now()
        answer = self._server.post(["requests", str(self.request_id), "claim", "renew"], {"claimId": self._claim_id})
        if not isinstance(answer, dict) or not isinstance(answer.get("stop"), bool):
            raise ServerError("unexpected_answer", "the server answered with something that is no renewal")
        self._sent_at = sent_at
        if answer["stop"]:
            stopped = answer.get("stopped") or {}
            reason = f": {stopped['reason']}" if stopped.get("reason") else ""
            self._why = f"stopped by {stopped.get('by', 'the agent')}{reason}"
            self.stopped.set()

    def _keep_renewing(self) -> None:
        while not self._over.wait(max(0.1, cast(float, self._lease) / 3)):
            try:
                self._renew()
            except Exception as error:
                # The tool runs on: it can't be called back. A late report is still taken.
                _log.warning("the lease of %s could not be renewed: %s", self.request_id, error)
                if not (isinstance(error, ServerError) and error.is_passing):
                    return


@dataclass(frozen=True)
class _Ended:
    value: Any
    error: Optional[BaseException]


# ── Asking ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Asking:
    """One hold, asked for with the same key until its answer was heard: a server may restart, and an answer may be lost."""

    def __init__(
        self,
        server: _Server,
        tool: str,
        body: Dict[str, Any],
        wait: Optional[float],
        stop: Optional[Stop],
        on_asked: Optional[Callable[[Dict[str, Any]], None]],
        comes_back: bool,
    ) -> None:
        self._server, self._tool, self._body = server, tool, body
        self._wait = math.inf if wait is None else float(wait)
        self._stop = stop or Stop()
        self._on_asked = on_asked
        self._comes_back = comes_back
        self._was_sent = False
        self.request_id: Optional[str] = None

    def take(self, patience: float) -> Tuple[Any, float]:
        """The hold as data, or what became of the call instead; and when the exchange that gave it was sent."""
        began, failures = _now(), 0
        while True:
            sent_at = _now()
            if self._stop.is_set():
                return self._abandoned(), sent_at
            # The first exchange doesn't wait: the caller wants to hear that somebody is asked.
            is_first = self.request_id is None
            span = 0.0 if is_first else max(0.0, min(_HOLD, self._wait - (sent_at - began)))
            try:
                answer = self._exchange(span)
                if answer["kind"] == "held":
                    return answer, sent_at
                if answer["kind"] != "pending":
                    return _result(self._tool, answer), sent_at
                self._heard(answer)
                if _now() - began >= self._wait:
                    # The same call under another id would find its place taken, and people would be asked twice.
                    if self._body.get("join"):
                        self.let_go()
                    return Pending(self._tool, "hold_over", self.request_id), sent_at
                # A server that is closing answers at once; another one takes over.
                is_closing = self.request_id is None or (not is_first and _now() - sent_at < span / 2)
                failures = failures + 1 if is_closing else 0
                if self.request_id is None and _now() - began >= patience:
                    self.let_go()
                    return Pending(self._tool, "aborted"), sent_at
            except ServerError as error:
                if self._stop.is_set():
                    return self._abandoned(), sent_at
                failures += 1
                is_over = _now() - began >= (patience if self.request_id is None else self._wait)
                if not error.is_passing or (is_over and self.request_id is None):
                    raise
                if is_over:
                    self.let_go()
                    return Pending(self._tool, "hold_over", self.request_id), sent_at
            if failures > 0:
                whole = min(15.0, 0.5 * 2 ** min(failures - 1, 10))
                self._stop._pause(whole / 2 + whole / 2 * random.random())

    def let_go(self, was_told_to: bool = False) -> Optional[str]:
        """It may have been claimed without anybody's hearing of it. A caller with a key of its own comes back for it."""
        if not self._was_sent or (self._comes_back and not was_told_to):
            return None
        call = self._body["call"]
        place = {"session": call["session"], "callId": call["callId"], "key": self._body["key"]}
        try:
            released = self._server.post(["holds", "release"], {**place, "cause": _NO_LONGER}, within=_GIVE_BACK_WITHIN)
            return released.get("requestId") if isinstance(released, dict) else None
        except Exception as error:
            _log.warning("call %s could not be given back: %s", call["callId"], error)
            return None

    def _exchange(self, span: float) -> Dict[str, Any]:
        body = self._body if self.request_id is None else {**self._body, "waitsFor": self.request_id}
        self._was_sent = True
        query = {"hold": f"{round(span * 1000)}ms"}
        return _checked(self._server.post(["holds"], body, within=span + _ANSWER_WITHIN, query=query, stop=self._stop), body)

    def _heard(self, answer: Dict[str, Any]) -> None:
        is_new = self.request_id is None
        self.request_id = answer.get("requestId", self.request_id)
        if is_new and self._on_asked is not None and answer.get("asked") is not None:
            try:
                self._on_asked(answer["asked"])
            except Exception:
                _log.exception("on_asked raised")

    def _abandoned(self) -> Pending:
        given_back = self.let_go(was_told_to=True)
        return Pending(self._tool, "aborted", self.request_id or given_back)


class _Server:
    """One exchange with the server. The credential goes into a header, to this address, and nowhere else."""

    def __init__(self, url: str, token: Optional[str]) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or not _is_one_word(url):
            raise ValueError("url must be the server's address, like 'http://127.0.0.1:4790'")
        if parts.username is not None or parts.password is not None or "?" in url or "#" in url:
            raise ValueError("url must be an address and nothing else: no name, password, ? or #. Credentials go into `token`")
        if token is not None and not _is_one_word(token):
            raise ValueError("token must be a text of printable ASCII characters without spaces")
        # http.client knows neither proxies nor redirects.
        kind: Any = http.client.HTTPConnection
        if parts.scheme == "https":
            # A context of our own: programs switch off the checks of the default one for others.
            kind = functools.partial(http.client.HTTPSConnection, context=ssl.create_default_context())
        self._connect = functools.partial(kind, parts.hostname, parts.port)
        self._path = parts.path.rstrip("/")
        self._base = f"{parts.scheme}://{parts.netloc}{self._path}"
        self._headers = {"accept": "application/json", "content-type": "application/json", "connection": "close"}
        if token is not None:
            self._headers["authorization"] = f"Bearer {token}"

    def post(
        self,
        path: List[str],
        body: Dict[str, Any],
        within: float = _ANSWER_WITHIN,
        query: Optional[Dict[str, str]] = None,
        stop: Optional[Stop] = None,
    ) -> Any:
        if any(step in ("", ".", "..") for step in path):
            raise ValueError("an id must be a text other than '', '.' and '..'")
        steps = "/".join(urllib.parse.quote(step, safe="") for step in ["v1", *path])
        address = f"{self._path}/{steps}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
        sent = json.dumps(body, allow_nan=False).encode("ascii")
        deadline = _now() + within
        connection = self._connect(timeout=min(within, 10.0))
        connection.set_debuglevel(0)  # a program that looks at its own requests would print the token
        connected: Optional[socket.socket] = None
        try:
            connection.connect()
            connected = cast(socket.socket, connection.sock)
            if stop is not None:
                stop._watch(connected)
            connected.settimeout(_left(deadline))
            connection.request("POST", address, sent, self._headers)
            response = http.client.HTTPResponse(cast(Any, _Timed(connected, deadline)), method="POST")
            response.begin()
            text = _whole(response)
        except (OSError, http.client.HTTPException) as error:
            words = str(error) or type(error).__name__
            advice = "Check that `banksman start` is running there and that the address is right"
            raise ServerError("unreachable", f"can't reach {self._base} ({words}). {advice}") from None
        finally:
            if stop is not None and connected is not None:
                stop._forget(connected)
            connection.close()
        return self._read(response, text)

    def _read(self, response: http.client.HTTPResponse, text: bytes) -> Any:
        is_ok = 200 <= response.status < 300
        value = _parsed(text)
        if is_ok and (value is not _NO_JSON or response.status == 204):
            return None if value is _NO_JSON else value
        if not is_ok and isinstance(value, dict) and isinstance(value.get("code"), str):
            words = value.get("detail") or value.get("title") or value["code"]
            raise ServerError(value["code"], str(words), response.status)
        kind = response.headers.get("content-type", "no content type")
        raise ServerError(
            "unexpected_answer",
            f"{self._base} answered {response.status} with {kind}, which is not how Banksman answers. Check that the address "
            "is that of a Banksman server and that nothing in between answers for it",
            response.status,
        )


class _Timed(io.RawIOBase):
    """What the server sends, until the deadline and no longer: a timeout of the socket alone begins anew with each byte."""

    def __init__(self, connected: socket.socket, deadline: float) -> None:
        self._connected, self._deadline = connected, deadline

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._connected.settimeout(_left(self._deadline))
        return self._connected.recv_into(buffer)


# ── Small parts ──────────────────────────────────────────────────────────────────────────────────────────────────────

_NO_JSON = object()
_NO_REASON = "no reason was given"
_MAX_ANSWER = 64 * 1024 * 1024
_MAX_RESULT = 256 * 1024
_MAX_SUMMARY = 4096
_MAX_WHOLE = 2**53 - 1
_MAX_LEASE_MS = 24 * 60 * 60 * 1000

# On Linux and macOS these go on while the machine sleeps; `time.monotonic` stops.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


def _now() -> float:
    return time.monotonic() if _CLOCK is None else time.clock_gettime(_CLOCK)


def _left(deadline: float) -> float:
    left = deadline - _now()
    if left <= 0:
        raise OSError("its answer takes too long")
    return left


def _whole(response: http.client.HTTPResponse) -> bytes:
    parts, size = [], 0
    while True:
        part = response.read(65536)
        if not part:
            break
        parts.append(part)
        size += len(part)
        if size > _MAX_ANSWER:
            raise OSError("its answer is too long")
    if response.length:
        raise OSError("its answer broke off")
    return b"".join(parts)


def _parsed(text: bytes) -> Any:
    def refuse(_: str) -> NoReturn:
        raise ValueError("no JSON")

    try:
        return json.loads(text.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError):
        return _NO_JSON


def _checked(answer: Any, asked: Dict[str, Any]) -> Dict[str, Any]:
    """What is not clearly an answer to this hold lets nothing run."""
    if not isinstance(answer, dict) or answer.get("kind") not in ("held", "ran", "refused", "answered", "pending"):
        raise ServerError("unexpected_answer", "the server answered with something that is no hold")
    if answer["kind"] != "held":
        return answer
    call, lease, request_id = asked["call"], answer.get("leaseMs"), answer.get("requestId")
    is_leased = isinstance(answer.get("claimId"), str) and type(lease) in (int, float) and 0 < lease <= _MAX_LEASE_MS
    is_whole = (
        answer.get("key") == asked["key"]
        and isinstance(answer.get("arguments"), dict)
        and isinstance(answer.get("edited", {}), dict)
        and answer.get("session") == call["session"]
        # A joined call has the id of the one that it joined.
        and (answer.get("callId") == call["callId"] or (asked.get("join") is True and isinstance(answer.get("callId"), str)))
        and (request_id is None or (isinstance(request_id, str) and is_leased))
    )
    if not is_whole:
        raise ServerError("unexpected_answer", "the server's hold is not the one that was asked for")
    return answer


def _result(tool: str, said: Dict[str, Any]) -> Union[Ran, Refused, Answered]:
    request_id, by = said.get("requestId"), said.get("by")
    if said["kind"] == "answered":
        return Answered(tool, str(by), str(request_id), said.get("text"), said.get("answers"))
    if said["kind"] == "ran":
        told = said.get("error") or {}
        error = None if said.get("ok") is True else RuntimeError(f"{told.get('name', 'Error')}: {told.get('message', 'it failed')}")
        ran_at = None if said.get("ranAt") is None else said["ranAt"] / 1000
        return Ran(tool, error is None, said.get("value"), error, request_id, by, said.get("edited"), True, ran_at)
    code, state = str(said.get("code", "denied")), str(said.get("state", "error"))
    because, may_retry = str(said.get("because", _NO_REASON)), said.get("mayRetry") is True
    return Refused(tool, state, code, because, may_retry, by, request_id, said.get("summary"), said.get("reason"))


def _refused_by(tool: str, error: BaseException, request_id: Optional[str] = None) -> Refused:
    because = str(error) or type(error).__name__
    if isinstance(error, ServerError):
        code = "server_unreachable" if error.code == "unreachable" else error.code
        return Refused(tool, "error", code, because, error.is_passing, request_id=request_id)
    if isinstance(error, (TypeError, ValueError)):
        return Refused(tool, "invalid", "invalid_call", because, True, request_id=request_id)
    return Refused(tool, "error", "internal", because, request_id=request_id)


def _call(
    tool: str, arguments: Mapping[str, Any], session: str, call_id: Optional[str], about: Mapping[str, Any]
) -> Dict[str, Any]:
    names = {"agent", "context", "cwd", "definition", "origin", "parentSession", "preview"}
    unknown = sorted(set(about) - names)
    if unknown:
        raise TypeError(f"unknown option {unknown[0]!r}; a call takes {', '.join(sorted(names))}")
    if not isinstance(arguments, Mapping):
        raise TypeError(f"arguments must be a dict of names and values; found {type(arguments).__name__}")
    call = {"tool": tool, "arguments": arguments, "session": session, **about}
    call["callId"] = secrets.token_hex(12) if call_id is None else call_id
    for name in ("tool", "session", "callId"):
        if not isinstance(call[name], str):
            raise TypeError(f"{name} must be a text; found {type(call[name]).__name__}")
    return {name: _plain(value, name) for name, value in call.items() if value is not None}


def _plain(value: Any, at: str, depth: int = 0) -> Any:
    """A copy as JSON has it, so that what is shown is what runs. Python's own encoder would turn 1 and None into names."""
    if depth > 200:
        raise ValueError(f"{at[:80]}… is nested too deeply")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        if abs(value) > _MAX_WHOLE:
            raise ValueError(f"{at} is a number that JSON can't carry whole; send it as a text")
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{at} is {value}, which JSON has no number for")
        return float(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{at}/{index}", depth + 1) for index, item in enumerate(value)]
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                raise TypeError(f"{at} has the name {name!r}; names must be texts")
        return {str.__str__(name): _plain(item, f"{at}/{name}", depth + 1) for name, item in value.items()}
    raise TypeError(f"{at} is a {type(value).__name__}, which JSON can't carry; send texts, numbers, lists and dicts")


def _kept(value: Any, error: Optional[BaseException], remember: Union[bool, Callable[[Any], Any]]) -> Optional[str]:
    """What `remember` keeps. None where JSON can't carry it, or it is too long: then only the outcome is kept."""
    if remember is False:
        return None
    try:
        kept: Dict[str, Any] = {"v": 1, "ok": error is None}
        if error is None:
            kept["value"] = _plain(remember(value) if callable(remember) else value, "value")
        else:
            kept["error"] = {"name": type(error).__name__, "message": str(error)}
        text = json.dumps(kept, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
        return text if len(text.encode("utf-16-le")) // 2 <= _MAX_RESULT else None
    except Exception:
        return None


def _summary(ended: _Ended, summarize: Optional[Callable[[Any], str]]) -> Optional[str]:
    if ended.error is not None:
        return _described(ended.error)
    try:
        return None if summarize is None else str(summarize(ended.value))
    except Exception as error:  # the tool has run, whatever becomes of its summary
        return f"(no summary: {_described(error)})"


def _described(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return "an error that could not be read"


def _well_formed(text: str, most: int) -> str:
    """As much of it as the server takes, which counts as JavaScript does."""
    return text.encode("utf-16-le", "replace")[: 2 * most].decode("utf-16-le", "ignore")


_ADVICE = {
    "invalid": "Nothing ran. Correct the call as `because` says and make it again.",
    "rejected": "A person said no. Do not make the same call again: take the reason into account and think of another way, or ask.",
    "denied": "The rules do not allow it. Do not try to get around them: think of another way, or say what you would need.",
    "unknown": "It may have had its effect. Look at the state of things before doing anything like it again.",
    "cancelled": "It was stopped before it ran. Wait for what the person says next.",
    "terminated": "The conversation is over.",
}
_ADVICE.update(running=_ADVICE["unknown"], done=_ADVICE["unknown"], skipped=_ADVICE["cancelled"])


def _advice(refused: Refused) -> str:
    if refused.state in _ADVICE:
        return _ADVICE[refused.state]
    if refused.may_retry:
        return "Nobody said no; it could not be decided. It may make sense to try again later."
    return "It did not run. Think of another way, or say what is in the way."


def _checked_options(run: Callable[..., Any], options: Dict[str, Any]) -> Optional[Callable[[Any], str]]:
    _refuse_generator(run)
    if "key" in options:
        raise TypeError("a guard makes a key of its own each time: with an old one it would run the call again")
    return cast(Optional[Callable[[Any], str]], options.pop("summarize", None))


def _checked_signature(function: Callable[..., Any], leave_out: Sequence[str]) -> inspect.Signature:
    _refuse_generator(function)
    signature = inspect.signature(function)
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
            raise TypeError(f"{_name(function)} takes {parameter} by position alone; people are shown arguments by name")
    for name in leave_out:
        if name not in signature.parameters or signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            raise TypeError(f"{_name(function)} has no parameter {name!r} to leave out")
    return signature


def _bound(signature: inspect.Signature, leave_out: Sequence[str], positional: Any, named: Any) -> Any:
    bound = signature.bind(*positional, **named)
    bound.apply_defaults()
    sent = dict(bound.arguments)
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            sent.update(sent.pop(parameter.name))
    kept = {name: sent.pop(name) for name in leave_out}
    return sent, kept


def _is_async(run: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(run) or inspect.iscoroutinefunction(getattr(run, "__call__", None))  # noqa: B004


def _refuse_generator(run: Callable[..., Any]) -> None:
    if inspect.isgeneratorfunction(run) or inspect.isasyncgenfunction(run):
        raise TypeError(f"{_name(run)} is a generator: it would run after its approval was used up. Return a list instead")


def _refuse_lazy(run: Callable[..., Any], value: Any) -> None:
    if inspect.isawaitable(value) or inspect.isgenerator(value) or inspect.isasyncgen(value):
        _close(value)
        raise TypeError(f"{_name(run)} gave a {type(value).__name__}, which would run after its approval was used up")


def _name(run: Callable[..., Any]) -> str:
    return getattr(run, "__qualname__", None) or repr(run)


def _close(value: Any) -> None:
    close = getattr(value, "close", None)
    if callable(close):
        close()


def _is_one_word(text: Any) -> bool:
    return isinstance(text, str) and text != "" and all("!" <= character <= "~" for character in text)


def _without_none(members: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _shut(connected: socket.socket) -> None:
    try:
        # Not the method of a TLS socket, which first takes its encryption away: another thread may be writing the token.
        socket.socket.shutdown(connected, socket.SHUT_RDWR)
    except OSError:
        pass  # it is closed already


def _give_back(holding: Future[Any]) -> None:
    if holding.exception() is None and isinstance(holding.result(), Held):
        holding.result()._give_back_later()


_unfinished: Set[Future[Any]] = set()


def _in_thread(work: Callable[[], Any], until_exit: bool = False) -> Future[Any]:
    """In a thread of its own, however long people take. `until_exit`: the program's end waits for it a while."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()

    def carry_out() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)
        finally:
            _unfinished.discard(future)

    if until_exit:
        _unfinished.add(future)
    try:
        threading.Thread(target=carry_out, name="banksman", daemon=True).start()
    except RuntimeError:  # there are no more threads, or the program is ending
        if not until_exit:
            raise
        carry_out()
    return future


@atexit.register
def _wait_for_the_last() -> None:
    deadline = time.monotonic() + 5
    for future in list(_unfinished):
        try:
            future.result(max(0.0, deadline - time.monotonic()))
        except Exception:
            pass  # its outcome is unknown, and a person sees it
