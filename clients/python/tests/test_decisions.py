"""What the policy and people can say, and what the tool and the model get of it."""

import json
import unittest

from banksman import Answered, NotRun, Pending, Ran, Refused
from support import WITHIN, Case, Tool


class Decisions(Case):
    def test_allowed(self):
        """what the policy allows runs, and nobody is asked"""
        result = self.guard("read_file", {"path": "a"})
        self.assertEqual((result.ok, result.value, result.request_id), (True, "sent", None))
        self.assertEqual(self.tool.runs, [{"path": "a"}])
        self.assertEqual(result.unwrap(), "sent")

    def test_denied(self):
        """P5: what the policy denies does not run"""
        result = self.guard("mail_delete")
        self.assertIsInstance(result, Refused)
        self.assertEqual((result.state, result.may_retry, self.tool.runs), ("denied", False, []))
        self.assertRaises(NotRun, result.unwrap)

    def test_approved(self):
        """P4: what a person approves runs once, and its outcome is on the record when the result comes"""
        result, request_id = self.guarded("approve")
        self.assertEqual((result.ok, result.value, result.by, result.recorded), (True, "sent", "ana", True))
        self.assertEqual(result.request_id, request_id)
        self.assertEqual(self.tool.runs, [{"to": "ana"}])
        self.assertEqual(self.request(request_id)["state"], "done")

    def test_rejected(self):
        """P5: what a person rejects does not run, and the model is told who said no and why"""
        result, request_id = self.guarded("reject", reason="not today")
        self.assertEqual((result.state, result.by, result.may_retry), ("rejected", "ana", False))
        self.assertEqual(self.tool.runs, [])
        told = json.loads(result.text())
        self.assertEqual({**told, "advice": ""}, {
            "ran": False, "tool": "send_mail", "state": "rejected", "because": result.because, "by": "ana",
            "tryAgain": False, "advice": "",
        })  # fmt: skip
        self.assertIn("not today", told["because"])
        again = self.guard()
        self.assertEqual((again.state, again.request_id, self.tool.runs), ("rejected", request_id, []))

    def test_edited(self):
        """P3: it runs with what the person made of it, and the model is told so"""
        result, _ = self.guarded("edit", arguments={"to": "ben"})
        self.assertEqual(self.tool.runs, [{"to": "ben"}])
        self.assertEqual(result.edited, {"to": "ben"})
        self.assertEqual(
            result.text(), 'ana changed the arguments of this call before it ran. It ran with {"to":"ben"}.\nsent'
        )

    def test_edited_in_the_tool(self):
        """what a tool does to its arguments changes nothing in what is said of them"""

        def spoils(**arguments):
            arguments["to"].append("eve")

        guarding = self.going(lambda: self.guard(arguments={"to": []}, run=spoils))
        self.decide("edit", arguments={"to": ["ben"]})
        self.assertEqual(guarding.result(WITHIN).edited, {"to": ["ben"]})

    def test_responded(self):
        """P5: a person's words take the place of the result, and nothing runs"""
        result, _ = self.guarded("respond", text="I have sent it myself")
        self.assertIsInstance(result, Answered)
        self.assertEqual((result.text(), result.by, self.tool.runs), ("I have sent it myself", "ana", []))
        self.assertRaises(NotRun, result.unwrap)

    def test_terminated(self):
        """P5: the end of the session: this call does not run, and no later one does"""
        result, _ = self.guarded("terminate")
        self.assertEqual((result.state, self.tool.runs), ("terminated", []))
        self.assertIn("over", json.loads(result.text())["advice"])
        later = self.guard("read_file", call_id="c2")
        self.assertIsInstance(later, Refused)
        self.assertEqual(self.tool.runs, [])

    def test_question(self):
        """questions to a person are answered by their ids"""
        questions = [{"id": "where", "question": "Where to?", "options": [{"label": "Staging"}, {"label": "Production"}]}]
        asking = self.going(lambda: self.guard("ask_user_question", {"questions": questions}))
        self.decide("answer", answers={"where": {"choices": ["Staging"]}})
        result = asking.result(WITHIN)
        self.assertIsInstance(result, Answered)
        self.assertIn("Staging", result.text())
        self.assertEqual(self.tool.runs, [])

    def test_raising_tool(self):
        """P10: what a tool raises is recorded as an error, and comes back as it was raised"""
        error = KeyError("no such mailbox")
        self.tool = Tool(raises=error)
        result, request_id = self.guarded("approve")
        self.assertIsInstance(result, Ran)
        self.assertFalse(result.ok)
        with self.assertRaises(KeyError) as raised:
            result.unwrap()
        self.assertIs(raised.exception, error)
        outcome = self.request(request_id)["outcome"]
        self.assertEqual((outcome["kind"], outcome["summary"]), ("error", "KeyError: 'no such mailbox'"))

    def test_leaving_tool(self):
        """P10: a tool that ends the program is reported before the program goes"""
        self.tool = Tool(raises=SystemExit(3))
        guarding = self.going(self.guard)
        request_id = self.approve()
        self.assertRaises(SystemExit, guarding.result, WITHIN)
        self.assertEqual(self.await_state(request_id, "done")["outcome"]["kind"], "error")

    def test_summary(self):
        """of a result, only what `summarize` says is written down, however odd it is"""
        for call_id, summarize, said in [
            ("a", None, None),
            ("b", lambda value: f"{value} \ud800", "sent ?"),
            ("c", lambda value: 1 / 0, "(no summary: ZeroDivisionError: division by zero)"),
        ]:
            with self.subTest(said):
                guarding = self.going(lambda: self.guard(call_id=call_id, summarize=summarize))
                request_id = self.approve(call_id)
                self.assertTrue(guarding.result(WITHIN).recorded)
                self.assertEqual(self.request(request_id)["outcome"].get("summary"), said)

    def test_judged(self):
        """a forecast says what would happen, and nobody is asked"""
        kinds = [self.client.judge(tool, {}, session=self.session).kind for tool in ("read_x", "send_x", "x_delete")]
        self.assertEqual(kinds, ["allow", "ask", "deny"])
        self.assertEqual(self.requests(), [])

    def test_told_of_being_asked(self):
        """`on_asked` is told once, and what it raises changes nothing"""
        told = []

        def on_asked(asked):
            told.append(asked)
            raise ValueError("of no importance")

        with self.assertLogs("banksman", "ERROR"):
            guarding = self.going(lambda: self.guard(on_asked=on_asked))
            request_id = self.approve()
            self.assertTrue(guarding.result(WITHIN).ok)
        self.assertEqual([asked["requestId"] for asked in told], [request_id])

    def test_what_can_not_be_carried(self):
        """people are not offered what `can` leaves out"""
        self.assertIsInstance(self.guard(can={"edit": False, "respond": False}, wait=0), Pending)
        self.assertFalse({"edit", "respond"} & set(self.asked()["allowedDecisions"]))


if __name__ == "__main__":
    unittest.main()
