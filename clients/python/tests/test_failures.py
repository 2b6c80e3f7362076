"""Whatever goes wrong: nothing runs that nobody allowed, nothing runs twice, and the token goes nowhere else."""

import contextlib
import http.client
import io
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest
from unittest import mock

import banksman
from banksman import Banksman, Pending, Refused, ServerError
from support import AGENT, URL, WITHIN, Case, as_json, control, other_server

HTML = 200, {"content-type": "text/html"}, "<h1>Log in to the hotel</h1>"


def held_answer(body, **changed):
    """The answer of a server that has approved it, with changes; None leaves a member out."""
    call = body["call"]
    whole = {
        "kind": "held", "key": body["key"], "session": call["session"], "callId": call["callId"],
        "arguments": call["arguments"], "requestId": "req_1", "claimId": "clm_1", "leaseMs": 30000, **changed,
    }  # fmt: skip
    return {name: value for name, value in whole.items() if value is not None}


class Elsewhere(Case):
    """A server that is none of ours."""

    def ask(self, answer, **options):
        with other_server(answer) as server:
            self.client = Banksman(server.url, "bma_secret", patience=0, **options)
            result = self.guard("read_file")
            return result, server.heard

    def test_good_answer(self):
        """the answers below are refused for what is changed in them: unchanged it runs"""

        def answer(path, body):
            return as_json(held_answer(body) if path.startswith("/v1/holds?") else {"stop": False})

        self.assertTrue(self.ask(answer)[0].ok)
        self.assertEqual(len(self.tool.runs), 1)

    def test_bad_holds(self):
        """P5: a hold that is not the one that was asked for lets nothing run"""
        for changed in (
            {"key": "another"}, {"key": None}, {"claimId": None}, {"claimId": 7}, {"leaseMs": None}, {"leaseMs": 0},
            {"leaseMs": -1}, {"leaseMs": True}, {"leaseMs": "30000"}, {"leaseMs": 10**400}, {"requestId": 7},
            {"arguments": None}, {"arguments": ["ana"]}, {"edited": "x"}, {"callId": "c2"}, {"callId": None},
            {"session": "another"}, {"kind": "ok"}, {"kind": None},
        ):  # fmt: skip
            with self.subTest(changed):
                result, _ = self.ask(lambda path, body: as_json(held_answer(body, **changed) if "call" in body else {}))
                self.assertEqual((result.code, self.tool.runs), ("unexpected_answer", []))

    def test_bad_answers(self):
        """P5: what is not how Banksman answers lets nothing run"""
        for status, headers, text in (
            HTML,
            (200, {}, ""), (200, {}, "null"), (200, {}, "[]"), (200, {}, '"held"'), (200, {}, '{"kind":"held"'),
            (200, {}, '{"kind":"held","leaseMs":NaN}'), (200, {}, "[" * 100_000), (200, {}, b"\xff\xfe{}"), (204, {}, ""),
            (403, {}, '{"error":"no code"}'), (404, {}, "<h1>no</h1>"), (101, {}, ""), (500, {}, "<h1>oh</h1>"),
        ):  # fmt: skip
            with self.subTest(f"{status} {text[:30]}"):
                result, _ = self.ask(lambda path, body: (status, headers, text))
                self.assertIsInstance(result, Refused)
                self.assertIn(result.code, ("unexpected_answer", "server_unreachable"))
                self.assertEqual(self.tool.runs, [])

    def test_broken_off(self):
        """P5: an answer that breaks off is none"""

        def answer(path, body):
            status, headers, text = as_json(held_answer(body, requestId=None) if "call" in body else {})
            return status, {**headers, "content-length": str(len(text) + 1)}, text

        result, _ = self.ask(answer)
        self.assertEqual((result.code, self.tool.runs), ("server_unreachable", []))

    def test_code(self):
        """P5: a problem of the server is told with its code, and nothing runs"""
        problem = {"code": "unauthenticated", "detail": "no such token"}
        result, _ = self.ask(lambda path, body: as_json(problem, 401))
        self.assertEqual((result.code, result.because, result.may_retry), ("unauthenticated", "no such token", False))
        self.assertEqual(self.tool.runs, [])

    def test_redirect(self):
        """P6: a redirect is not followed, and the token does not arrive where it leads"""
        with other_server(lambda path, body: as_json({})) as thief:
            for status in (301, 302, 303, 307, 308):
                with self.subTest(status):
                    result, heard = self.ask(lambda path, body: (status, {"location": f"{thief.url}{path}"}, ""))
                    self.assertEqual((result.code, self.tool.runs), ("unexpected_answer", []))
                    self.assertEqual(heard[0]["headers"]["authorization"], "Bearer bma_secret")
            self.assertEqual(thief.heard, [])

    def test_proxy(self):
        """P6: a proxy in the environment is not used, in whatever way it is named"""
        with other_server(lambda path, body: as_json({})) as thief:
            names = ("http_proxy", "https_proxy", "all_proxy")
            proxies = {name: thief.url for lower in names for name in (lower, lower.upper())}
            with mock.patch.dict(os.environ, {**proxies, "no_proxy": "", "NO_PROXY": ""}):
                result, heard = self.ask(lambda path, body: as_json({"code": "x"}, 400))
            self.assertEqual(thief.heard, [])
            self.assertEqual(heard[0]["path"], "/v1/holds?hold=0ms")

    def test_token_is_in_a_header_alone(self):
        """P6: not in the address, the body, a message, a log line or what is shown of a client"""
        with self.assertLogs("banksman", "DEBUG") as logs:
            banksman._log.debug("there is at least this")
            result, heard = self.ask(lambda path, body: HTML)
        self.assertRegex("\n".join(logs.output), r"call \S+ could not be given back: ")
        said = [result.text(), str(result), repr(self.client), repr(self.client._server), *logs.output]
        said += [part for one in heard for part in (one["path"], one["body"])]
        self.assertEqual([text for text in said if "bma_secret" in text], [])

    def test_debugging(self):
        """P6: a program that prints its requests, as many do to find a fault, does not print the token"""
        printed = io.StringIO()
        with mock.patch.object(http.client.HTTPConnection, "debuglevel", 1), contextlib.redirect_stdout(printed):
            _, heard = self.ask(lambda path, body: HTML)
        self.assertEqual((len(heard) > 0, printed.getvalue()), (True, ""))

    def test_odd_addresses_and_tokens(self):
        """P6: an address that is more than one, or a token that would end its header, is refused at once"""
        for url in ("nonsense", "ftp://x", "http://", "http://me@x", "http://me:pw@x", "http://x/?a=b", "http://x/?", "http://x#",
                    "http://x y/", "http://x/\r\nHost: y", "file:///etc/passwd", "http://x:99999", "http://\u0131"):  # fmt: skip
            with self.subTest(url):
                self.assertRaisesRegex(ValueError, "url|[Pp]ort", Banksman, url, "t")
        for token in ("", "a b", "a\r\nx: y", "ü", "a\x00"):
            with self.subTest(token):
                self.assertRaisesRegex(ValueError, "token must be", Banksman, "http://x", token)

    def test_prefix(self):
        """a path in front of /v1 is kept"""
        with other_server(lambda path, body: HTML) as server:
            self.client = Banksman(f"{server.url}/banksman/", patience=0)
            self.guard()
            self.assertTrue(server.heard[0]["path"].startswith("/banksman/v1/holds?"))
            self.assertNotIn("authorization", server.heard[0]["headers"])


class Encrypted(Case):
    def setUp(self):
        super().setUp()
        openssl = shutil.which("openssl")
        if openssl is None:
            self.skipTest("no openssl was found, which makes the certificate")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.certificate = os.path.join(folder.name, "both.pem")
        command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", self.certificate, "-keyout"]
        key = os.path.join(folder.name, "key.pem")
        subprocess.run([*command, key], check=True, capture_output=True)
        with open(self.certificate, "a") as both, open(key) as other:
            both.write(other.read())

    def serve(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        server = other_server(lambda path, body: as_json({"code": "heard"}, 400))
        self.server = server.__enter__()
        self.addCleanup(server.__exit__, None, None, None)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.server.handle_error = lambda *_: None
        return self.server.url.replace("http:", "https:")

    def test_unknown_certificate(self):
        """P6: a server whose certificate nobody vouches for gets no token, also where the program has switched checks off"""
        url = self.serve()
        with mock.patch.object(ssl, "_create_default_https_context", ssl._create_unverified_context):
            self.client = Banksman(url, "bma_secret", patience=0)
            self.assertEqual(self.guard().code, "server_unreachable")
        self.assertEqual(self.server.heard, [])

    def test_known_certificate(self):
        """a certificate that the machine knows is taken"""
        url = self.serve()
        with mock.patch.dict(os.environ, {"SSL_CERT_FILE": self.certificate}):
            self.client = Banksman(url, "bma_secret", patience=0)
        self.assertEqual(self.guard().code, "heard")

    def test_shut(self):
        """P6: ending a wait does not take the encryption away from under a thread that writes"""
        url = self.serve()
        context = ssl.create_default_context(cafile=self.certificate)
        place = ("127.0.0.1", int(url.rsplit(":", 1)[1]))
        with socket.create_connection(place) as plain, context.wrap_socket(plain, server_hostname="127.0.0.1") as connected:
            banksman._shut(connected)
            self.assertRaises(OSError, connected.sendall, b"authorization: Bearer bma_secret")
            self.assertIsNotNone(connected.version())


class Away(Case):
    def test_nobody_there(self):
        """P5: a server that is not there is said to be, and nothing runs"""
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.client = Banksman(f"http://127.0.0.1:{taken.getsockname()[1]}", AGENT, patience=0.1)
            result = self.guard("read_file")
        self.assertEqual((result.code, result.may_retry, self.tool.runs), ("server_unreachable", True, []))
        self.assertIn("banksman start", result.because)
        self.assertRaises(ServerError, self.client.judge, "read_x", {}, session="s")

    def test_hanging(self):
        """P5: a server that says nothing, or says it byte by byte, is not waited for without end"""

        def trickles(sock):
            sock.sendall(b"HTTP/1.1 200 OK\r\nx: ")
            while not over.wait(0.02):
                sock.sendall(b"x")

        def trickles_in_the_body(sock):
            sock.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
            while not over.wait(0.02):
                sock.sendall(b" ")

        for behaves in (lambda sock: over.wait(WITHIN), trickles, trickles_in_the_body):
            over = threading.Event()

            def serve(listening=None):
                try:
                    while not over.is_set():
                        with listening.accept()[0] as sock:
                            behaves(sock)
                except OSError:
                    pass  # the test is over, or the client has had enough

            with socket.create_server(("127.0.0.1", 0)) as listening, self.subTest(behaves.__name__):
                threading.Thread(target=serve, args=(listening,), daemon=True).start()
                self.client = Banksman(f"http://127.0.0.1:{listening.getsockname()[1]}", AGENT, patience=0)
                with mock.patch.multiple(banksman, _ANSWER_WITHIN=0.3, _GIVE_BACK_WITHIN=0.1):
                    result = self.going(lambda: self.guard("read_file")).result(WITHIN)
                over.set()
                self.assertEqual((result.code, self.tool.runs), ("server_unreachable", []))

    def test_ctrl_c(self):
        """P5: Ctrl-C while a person is asked: nothing runs, and what may have been claimed is given back"""
        exchange = banksman._Asking._exchange

        def interrupted(asking, span):
            if span > 0:
                self.approve()
                exchange(asking, span)
                raise KeyboardInterrupt
            return exchange(asking, span)

        with mock.patch.object(banksman._Asking, "_exchange", interrupted):
            self.assertRaises(KeyboardInterrupt, self.guard)
        self.assertEqual(self.tool.runs, [])
        self.assertEqual(self.requests("approved")[0]["callId"], "c1")
        self.assertTrue(self.guard().ok)


class Faults(Case):
    """The real server, with something in between that fails."""

    FAULTS = ("refused", "answer lost", "500", "html")

    def test_at_the_first_step(self):
        """P1 P4: an exchange that fails is repeated: people are asked once, and the call runs once"""
        for number, fault in enumerate(self.FAULTS):
            with self.subTest(fault):
                tool = "send_mail" if number % 2 else "read_file"
                control("fail", fail={"path": "holds$", "faults": [fault]})
                before = len(self.tool.runs)
                guarding = self.going(lambda: self.guard(tool, call_id=f"c{number}"))
                if tool == "send_mail":
                    self.approve()
                self.assertTrue(guarding.result(WITHIN).ok)
                self.assertIsInstance(self.guard(tool, call_id=f"c{number}"), Refused)
                self.assertEqual(len(self.tool.runs), before + 1)
        self.assertEqual(len(self.requests("any")), 2)

    def test_garbage(self):
        """P5: garbage lets nothing run"""
        control("fail", fail={"path": "holds$", "faults": ["garbage"]})
        result = self.guard("read_file")
        self.assertEqual((result.code, self.tool.runs), ("unexpected_answer", []))

    def test_at_the_report(self):
        """P10: an outcome is said again until it is on the record"""
        control("fail", fail={"path": "outcome$", "faults": ["refused", "answer lost"]})
        result, request_id = self.guarded("approve")
        self.assertTrue(result.recorded)
        self.assertEqual(self.request(request_id)["outcome"]["kind"], "ok")

    def test_late_report(self):
        """P4: a result comes with recorded=False when its outcome can't be said in time; it is tried on"""
        control("fail", fail={"path": "outcome$", "faults": ["html"]})
        self.client = Banksman(URL, AGENT, record_within=0.05)
        result, request_id = self.guarded("approve")
        self.assertEqual((result.ok, result.recorded), (True, False))
        self.await_state(request_id, "done")

    def test_restart(self):
        """P1 P4: the server is killed and started again while a call waits: the wait goes on, and it runs once"""
        guarding = self.going(self.guard)
        request = self.asked()
        control("down")
        control("up")
        self.approve()
        self.assertEqual(guarding.result(WITHIN).request_id, request["id"])
        self.assertEqual(len(self.tool.runs), 1)

    def test_down_while_waiting(self):
        """P5: the server goes away while a call waits, and stays away: still pending, and nothing runs"""
        guarding = self.going(lambda: self.guard(wait=0.5))
        self.asked()
        control("down")
        try:
            result = guarding.result(WITHIN)
        finally:
            control("up")
        self.assertIsInstance(result, Pending)
        self.assertEqual(self.tool.runs, [])

    def test_revoked(self):
        """P6: a token that is revoked ends the wait, and nothing runs"""
        token = control("revocable")
        self.client = Banksman(URL, token["secret"])
        guarding = self.going(self.guard)
        request = self.asked()
        control("revoke", revoke=token["id"])
        result = guarding.result(WITHIN)
        self.assertEqual((result.code, result.may_retry, self.tool.runs), ("unauthenticated", False, []))
        self.assertEqual(self.request(request["id"])["state"], "pending")

    def test_unknown_token(self):
        """P6: a token that the server doesn't know lets nothing run, and neither does none"""
        for token in ("bma_unknown", None):
            self.client = Banksman(URL, token)
            self.assertEqual((self.guard("read_file").code, self.tool.runs), ("unauthenticated", []))


if __name__ == "__main__":
    unittest.main()
