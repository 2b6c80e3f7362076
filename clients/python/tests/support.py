"""What the tests share: a client, a person who decides, and a tool that counts its runs.

They run against a real server, whose address and tokens are in the environment: see test/python/python-server.ts.
"""

import http.server
import itertools
import json
import os
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import Future
from contextlib import contextmanager

from banksman import Banksman, Held

URL = os.environ.get("BANKSMAN_TEST_URL", "")
AGENT = os.environ.get("BANKSMAN_TEST_AGENT", "")
PERSON = os.environ.get("BANKSMAN_TEST_PERSON", "")
CONTROL = os.environ.get("BANKSMAN_TEST_CONTROL", "")
WITHIN = 30.0

_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
_sessions = itertools.count(1)


def send(method, url, body=None, token=None):
    headers = {"content-type": "application/json", **({"authorization": f"Bearer {token}"} if token else {})}
    data = None if body is None else json.dumps(body).encode()
    try:
        with _direct.open(urllib.request.Request(url, data, headers, method=method), timeout=WITHIN) as answer:
            text = answer.read()
            return json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        with error:
            raise AssertionError(f"{url} answered {error.code}: {error.read().decode()}") from None


def control(order, **said):
    return send("POST", f"{CONTROL}/{order}", said)


def until(condition, what="what the test waits for"):
    give_up_at = time.monotonic() + WITHIN
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > give_up_at:
            raise AssertionError(f"not within {WITHIN} seconds: {what}")
        time.sleep(0.01)


class Tool:
    """Counts its runs. With `waits`, it goes on once `go` is set."""

    def __init__(self, gives="sent", raises=None, waits=False):
        self.runs = []
        self.gives, self.raises = gives, raises
        self.began, self.go = threading.Event(), threading.Event()
        if not waits:
            self.go.set()

    def __call__(self, **arguments):
        self.runs.append(arguments)
        self.began.set()
        if not self.go.wait(WITHIN):
            raise AssertionError("nobody let the tool go on")
        if self.raises is not None:
            raise self.raises
        return self.gives


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.session = f"python-{os.getpid()}-{next(_sessions)}"
        self.client = Banksman(URL, AGENT, patience=5.0)
        self.tool = Tool()

    def guard(self, tool="send_mail", arguments=None, run=None, **options):
        settings = {"call_id": "c1", "session": self.session, **options}
        return self.client.guard(tool, {"to": "ana"} if arguments is None else arguments, run or self.tool, **settings)

    def hold(self, tool="send_mail", arguments=None, **options):
        settings = {"call_id": "c1", "session": self.session, **options}
        return self.client.hold(tool, {"to": "ana"} if arguments is None else arguments, **settings)

    def held(self, *parts, **options):
        """An approved hold. It is given back at the end unless the test has ended it."""
        holding = self.going(lambda: self.hold(*parts, **options))
        self.approve()
        held = holding.result(WITHIN)
        self.assertIsInstance(held, Held, held)
        self.addCleanup(held._over.set)
        return held

    def going(self, work):
        """Meanwhile, in a thread."""
        future = Future()

        def carry_out():
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

        threading.Thread(target=carry_out, daemon=True).start()
        return future

    def requests(self, state="pending"):
        query = urllib.parse.urlencode({"state": state, "session": self.session})
        return send("GET", f"{URL}/v1/requests?{query}", token=PERSON)["items"]

    def request(self, request_id):
        return send("GET", f"{URL}/v1/requests/{request_id}", token=PERSON)

    def asked(self, call_id=None):
        def pending():
            return [one for one in self.requests() if call_id in (None, one["callId"])]

        return until(pending, "a request that waits for a person")[0]

    def decide(self, decision, call_id=None, **said):
        request = self.asked(call_id)
        body = {"decision": decision, "digest": request["digest"], **said}
        send("POST", f"{URL}/v1/requests/{request['id']}/decisions", body, PERSON)
        return request["id"]

    def approve(self, call_id=None):
        return self.decide("approve", call_id)

    def guarded(self, decision, **said):
        """A call that a person decides so, and what becomes of it."""
        guarding = self.going(self.guard)
        request_id = self.decide(decision, **said)
        return guarding.result(WITHIN), request_id

    def await_state(self, request_id, state):
        return until(lambda: self.request(request_id)["state"] == state and self.request(request_id), f"the state {state}")


@contextmanager
def other_server(answer):
    """A server that is not Banksman's: `answer(path, body)` gives status, headers and text. It keeps what it heard."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            text = self.rfile.read(int(self.headers.get("content-length", 0)))
            server.heard.append({"path": self.path, "headers": dict(self.headers), "body": text.decode()})
            answered = answer(self.path, json.loads(text or b"null"))
            if answered is None:  # it hangs
                server.over.wait(WITHIN)
                return
            status, headers, said = answered
            content = said if isinstance(said, bytes) else said.encode()
            self.send_response(status)
            for name, value in {"content-length": str(len(content)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_CONNECT = do_POST

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.heard, server.over = [], threading.Event()
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    serving.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        serving.join(WITHIN)


def as_json(value, status=200):
    return status, {"content-type": "application/json"}, json.dumps(value)
