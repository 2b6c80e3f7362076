"""Which calls are the same, what is sent of them, and what is kept of their results."""

import datetime
import enum
import threading
import unittest

from banksman import Pending, Ran, Refused, Stop
from support import AGENT, URL, WITHIN, Case, Tool, control


class SameCall(Case):
    def test_again(self):
        """P4: the same call again does not run again, allowed or approved"""
        for tool in ("read_file", "send_mail"):
            with self.subTest(tool):
                runs = Tool()
                guarding = self.going(lambda: self.guard(tool, run=runs, call_id=tool))
                if tool == "send_mail":
                    self.approve()
                self.assertTrue(guarding.result(WITHIN).ok)
                again = self.guard(tool, run=runs, call_id=tool)
                self.assertIsInstance(again, Refused)
                self.assertEqual(len(runs.runs), 1)

    def test_at_once(self):
        """P1 P4: the same call twice at once is one request and one run"""
        both = [self.going(self.guard) for _ in range(2)]
        self.approve()
        results = [one.result(WITHIN) for one in both]
        self.assertEqual(sorted(type(one).__name__ for one in results), ["Ran", "Refused"])
        self.assertEqual((len(self.tool.runs), len(self.requests("any"))), (1, 1))

    def test_conflict(self):
        """P3: an approval is for these arguments: others under the same id do not run"""
        self.assertIsInstance(self.guard(wait=0), Pending)
        self.approve()
        result = self.guard(arguments={"to": "eve"})
        self.assertEqual((result.code, self.tool.runs), ("call_conflict", []))

    def test_another_call_id(self):
        """P3: an approval is for this call: another one with the same arguments needs its own"""
        self.assertIsInstance(self.guard(wait=0), Pending)
        self.approve()
        self.assertIsInstance(self.guard(call_id="c2", wait=0), Pending)
        self.assertEqual(self.tool.runs, [])

    def test_odd_names(self):
        """P5: without a session or a tool, and with an id that is empty or has spaces, nothing runs"""
        for options in ({"call_id": ""}, {"call_id": "a b"}, {"session": ""}, {"tool": ""}, {"session": None}, {"call_id": 7}):
            with self.subTest(options):
                result = self.guard(**{"tool": "read_file", **options})
                self.assertEqual((result.code, self.tool.runs), ("invalid_call", []))
        self.assertTrue(self.guard("read_file", call_id="a/../ü?#").ok)

    def test_unknown_option(self):
        """P5: an option that is misspelt is said to be, and nothing runs"""
        result = self.guard("read_file", waits=5)
        self.assertEqual((result.code, self.tool.runs), ("invalid_call", []))
        self.assertIn("waits", result.because)

    def test_odd_wait(self):
        """P5: a wait that is no number is refused before anybody is asked"""
        self.assertEqual(self.guard(wait="soon").code, "invalid_call")
        self.assertEqual((self.requests("any"), self.tool.runs), ([], []))

    def test_own_key(self):
        """a guard takes no key: with an old one it would run the call again"""
        self.assertRaises(TypeError, self.guard, key="k" * 32)
        self.assertEqual(self.tool.runs, [])


class Arguments(Case):
    def test_what_json_can_not_carry(self):
        """P3: what JSON can't carry is refused before anybody is asked, with its place"""
        deep = []
        for _ in range(300):
            deep = [deep]
        for value in (
            datetime.date(2026, 1, 1), b"bytes", {1, 2}, float("nan"), float("inf"), 2**53, -(2**70), {1: "a"}, {None: 1},
            object(), 1j, deep,
        ):  # fmt: skip
            with self.subTest(repr(value)[:40]):
                result = self.guard("read_file", {"a": [value]})
                self.assertEqual((result.state, result.code, self.tool.runs), ("invalid", "invalid_call", []))
                self.assertIn("arguments/a/0", result.because)
        self.assertEqual(self.guard("read_file", ["a"]).code, "invalid_call")
        self.assertEqual(self.guard("read_file", {"a": "\ud800"}).code, "invalid_json")
        self.assertEqual(self.tool.runs, [])

    def test_what_arrives(self):
        """P3: the tool gets what was sent, as JSON has it"""

        class Colour(str, enum.Enum):
            RED = "red"

        sent = {"t": (1, 2), "e": Colour.RED, "n": None, "f": 0.1, "b": True, "s": "ü\U0001f600\u2028", "o": {"x": [{}]}}
        self.guard("read_file", sent)
        (arrived,) = self.tool.runs
        self.assertEqual(arrived, {**sent, "t": [1, 2], "e": "red"})
        self.assertIs(type(arrived["e"]), str)

    def test_changed_meanwhile(self):
        """P3: what is done to the arguments after the call was made changes nothing"""
        arguments = {"to": ["ana"]}
        guarding = self.going(lambda: self.guard(arguments=arguments))
        self.asked()
        arguments["to"].append("eve")
        self.approve()
        guarding.result(WITHIN)
        self.assertEqual(self.tool.runs, [{"to": ["ana"]}])


class Tickets(Case):
    def test_with_an_id(self):
        """P1 P4: wait=0 is a ticket: the same call again goes on with the same request, and runs once"""
        first = self.guard(wait=0)
        self.assertIsInstance(first, Pending)
        self.assertEqual((first.because, first.request_id), ("hold_over", self.asked()["id"]))
        self.assertIn(first.request_id, first.text())
        self.assertEqual(self.guard(wait=0).request_id, first.request_id)
        self.approve()
        result = self.guard(wait=0)
        self.assertEqual((result.ok, result.request_id), (True, first.request_id))
        self.assertEqual(len(self.tool.runs), 1)

    def test_without_an_id(self):
        """P1 P4: also where the caller has no ids of its own: the repetition joins, and a later one is asked anew"""
        first = self.guard(wait=0, call_id=None)
        self.assertEqual(self.guard(wait=0, call_id=None).request_id, first.request_id)
        self.approve()
        self.assertEqual(self.guard(wait=0, call_id=None).request_id, first.request_id)
        self.assertEqual(len(self.tool.runs), 1)
        self.assertNotEqual(self.guard(wait=0, call_id=None).request_id, first.request_id)
        self.assertEqual(len(self.tool.runs), 1)

    def test_rejected_meanwhile(self):
        """P5: a ticket that was rejected does not run"""
        self.guard(wait=0)
        self.decide("reject")
        self.assertEqual((self.guard(wait=0).state, self.tool.runs), ("rejected", []))

    def test_expired_meanwhile(self):
        """P5: a ticket whose request has expired is asked anew, and does not run"""
        first = self.guard(wait=0)
        control("advance", advanceMs=11 * 60 * 1000)
        self.assertEqual(self.request(first.request_id)["state"], "expired")
        second = self.guard(wait=0)
        self.assertIsInstance(second, Pending)
        self.assertNotEqual(second.request_id, first.request_id)
        self.assertEqual(self.tool.runs, [])

    def test_stopped(self):
        """`stop` ends the wait at once; the request goes on"""
        stop = Stop()
        guarding = self.going(lambda: self.guard(stop=stop))
        request = self.asked()
        stop.set()
        self.assertEqual(guarding.result(WITHIN), Pending("send_mail", "aborted", request["id"]))
        self.assertEqual(self.guard(stop=stop).because, "aborted")
        self.approve()
        self.assertTrue(self.guard().ok)
        self.assertEqual(len(self.tool.runs), 1)


class Remembering(Case):
    def test_replayed(self):
        """P4: with `remember` the same call again gets the result of its one run"""
        for tool in ("read_file", "send_mail"):
            with self.subTest(tool):
                runs = Tool(gives={"n": [1, None]})
                guarding = self.going(lambda: self.guard(tool, run=runs, call_id=tool, remember=True))
                if tool == "send_mail":
                    self.approve()
                self.assertEqual(guarding.result(WITHIN).replayed, False)
                again = self.guard(tool, run=runs, call_id=tool, remember=True)
                self.assertIsInstance(again, Ran)
                self.assertEqual((again.value, again.replayed, again.ran_at > 0), ({"n": [1, None]}, True, True))
                self.assertEqual(self.hold(tool, call_id=tool).value, {"n": [1, None]})
                self.assertEqual(len(runs.runs), 1)

    def test_replayed_error(self):
        """an error comes back with its name and words"""
        self.tool = Tool(raises=LookupError("mailbox full"))
        self.guard("read_file", remember=True)
        again = self.guard("read_file", remember=True)
        self.assertRaisesRegex(RuntimeError, "LookupError: mailbox full", again.unwrap)

    def test_part_of_it(self):
        """a function says what of the value is kept"""
        self.assertEqual(self.guard("read_file", remember=lambda value: value[:2]).value, "sent")
        self.assertEqual(self.guard("read_file", remember=True).value, "se")

    def test_what_can_not_be_kept(self):
        """what is too long or no JSON is not kept, and the repeat hears so"""
        for call_id, value in (("a", "x" * 300_000), ("b", object()), ("c", float("nan")), ("d", "\ud800")):
            with self.subTest(call_id):
                runs = Tool(gives=value)
                self.assertTrue(self.guard("read_file", run=runs, call_id=call_id, remember=True).recorded)
                again = self.guard("read_file", run=runs, call_id=call_id, remember=True)
                self.assertRegex(again.because, "has already run.*not kept")
                self.assertEqual(len(runs.runs), 1)


class Threads(Case):
    def test_shared_client(self):
        """threads share a client: twenty calls at once, each with its own result"""
        results, threads = {}, []
        for number in range(20):

            def call(number=number):
                results[number] = self.guard("read_file", {"n": number}, lambda n: n, call_id=f"c{number}").value

            threads.append(threading.Thread(target=call))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(WITHIN)
        self.assertEqual(results, {number: number for number in range(20)})

    def test_environment(self):
        """the address and the token come from the environment where they are not given"""
        import os
        from unittest import mock

        from banksman import Banksman

        with mock.patch.dict(os.environ, {"BANKSMAN_URL": URL, "BANKSMAN_TOKEN": AGENT}):
            client = Banksman()
        self.assertEqual(client.judge("read_x", {}, session=self.session).kind, "allow")


if __name__ == "__main__":
    unittest.main()
