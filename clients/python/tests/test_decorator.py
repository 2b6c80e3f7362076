"""`@guarded`: what is sent of a function's arguments, and what its caller gets."""

import asyncio
import inspect
import json
import unittest

from banksman import NotRun, Pending, Release, Released
from support import WITHIN, Case


class Guarded(Case):
    def test_arguments(self):
        """P3: arguments are sent by name, with defaults, and the function gets what was approved"""
        runs = []

        @self.client.guarded(session=self.session)
        def send_mail(to: str, subject: str = "Hello", *, urgent: bool = False, **rest) -> str:
            """Sends a mail."""
            runs.append((to, subject, urgent, rest))
            return f"sent to {to}"

        calling = self.going(lambda: send_mail("ana", urgent=True, copy="ben"))
        request = self.asked()
        self.assertEqual(request["arguments"], {"to": "ana", "subject": "Hello", "urgent": True, "copy": "ben"})
        self.assertEqual((request["tool"], runs), ("send_mail", []))
        self.decide("edit", arguments={"to": "eve", "subject": "Bye"})
        self.assertEqual(calling.result(WITHIN), "sent to eve")
        self.assertEqual(runs, [("eve", "Bye", False, {})])
        self.assertEqual((send_mail.__name__, send_mail.__doc__), ("send_mail", "Sends a mail."))
        self.assertEqual(list(inspect.signature(send_mail).parameters), ["to", "subject", "urgent", "rest"])

    def test_not_run(self):
        """P5: what did not run raises NotRun, whose text is for the model"""
        runs = []

        @self.client.guarded(session=self.session)
        def mail_delete(number: int):
            runs.append(number)

        with self.assertRaises(NotRun) as raised:
            mail_delete(1)
        self.assertEqual((raised.exception.result.state, json.loads(str(raised.exception))["ran"]), ("denied", False))
        self.assertEqual(runs, [])

    def test_for_model(self):
        """with `for_model`, a text comes back in each case"""

        @self.client.guarded(session=self.session, for_model=True)
        def read_file(path: str):
            return {"size": 3}

        @self.client.guarded(session=self.session, for_model=True, tool="file_delete")
        def remove(path: str):
            raise AssertionError("it ran")

        self.assertEqual(read_file("a"), '{"size": 3}')
        self.assertEqual(json.loads(remove("a"))["state"], "denied")

    def test_left_out(self):
        """P3: what is left out is nobody's to see, and an edit can't put something in its place"""
        runs = []

        def make():
            class Sender:
                @self.client.guarded(session=lambda: self.session, leave_out=["self", "secret"], call_id=lambda: "c9")
                def send_mail(self, to, secret="hidden"):
                    runs.append((to, secret))
                    return "sent"

            return Sender()

        calling = self.going(lambda: make().send_mail("ana"))
        request = self.asked()
        self.assertEqual((request["arguments"], request["callId"]), ({"to": "ana"}, "c9"))
        self.decide("edit", arguments={"to": "ana", "secret": "mine"})
        with self.assertRaisesRegex(TypeError, "secret"):
            calling.result(WITHIN)
        self.assertEqual(runs, [])

    def test_tickets(self):
        """a decorated function without ids of its own: the repetition joins the request"""
        runs = []

        @self.client.guarded(session=self.session, wait=0)
        def send_mail(to):
            runs.append(to)
            return "sent"

        with self.assertRaises(NotRun) as raised:
            send_mail("ana")
        self.assertIsInstance(raised.exception.result, Pending)
        self.approve()
        self.assertEqual((send_mail("ana"), runs), ("sent", ["ana"]))

    def test_async(self):
        """P5: an async function is awaited on its loop, or raises NotRun"""
        runs = []

        @self.client.guarded(session=self.session)
        async def read_file(path: str):
            runs.append(path)
            return asyncio.get_running_loop()

        @self.client.guarded(session=self.session)
        async def file_delete(path: str):
            runs.append("deleted")

        async def main():
            self.assertIs(await read_file("a"), asyncio.get_running_loop())
            with self.assertRaises(NotRun):
                await file_delete("a")

        self.assertTrue(inspect.iscoroutinefunction(read_file))
        asyncio.run(main())
        self.assertEqual(runs, ["a"])

    def test_errors(self):
        """what the function raises comes through; one that pauses itself is not run"""

        @self.client.guarded(session=self.session)
        def read_a():
            raise LookupError("mailbox full")

        @self.client.guarded(session=self.session)
        def read_b():
            raise Release("busy")

        self.assertRaises(LookupError, read_a)
        with self.assertRaises(NotRun) as raised:
            read_b()
        self.assertIsInstance(raised.exception.result, Released)
        self.assertRaises(TypeError, read_a, "one too many")

    def test_what_can_not_be_decorated(self):
        """P4: generators, arguments by position alone, and names that are not there are refused at once"""

        def generates():
            yield 1

        async def agenerates():
            yield 1

        def positional(a, /):
            pass

        def many(*all_of_them):
            pass

        for function in (generates, agenerates, positional, many):
            self.assertRaises(TypeError, self.client.guarded(session="s"), function)
        self.assertRaises(TypeError, self.client.guarded(session="s", leave_out=["b"]), lambda a: a)
        self.assertRaises(TypeError, self.client.guarded(session="s", leave_out=["rest"]), lambda **rest: rest)


if __name__ == "__main__":
    unittest.main()
