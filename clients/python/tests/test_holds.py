"""Holding a call: leases, giving back, being told to stop."""

import unittest
from unittest import mock

import banksman
from banksman import Held, Ran, Refused, Release, Released, ServerError, Stop, current_call
from support import PERSON, URL, WITHIN, Case, Tool, control, send, until


class Holds(Case):
    def test_by_hand(self):
        """hold, ready, report: the outcome is on the record"""
        held = self.held()
        self.assertEqual((held.arguments, held.by), ({"to": "ana"}, "ana"))
        held.ready()
        self.assertTrue(held.report("sent", summary="one mail"))
        outcome = self.request(held.request_id)["outcome"]
        self.assertEqual((outcome["kind"], outcome["summary"]), ("ok", "one mail"))
        self.assertRaises(ServerError, held.ready)

    def test_allowed_by_hand(self):
        """what the policy allows is held without a request, and once"""
        held = self.hold("read_file")
        self.assertEqual((held.request_id, held.arguments), (None, {"to": "ana"}))
        self.assertIsInstance(self.hold("read_file"), Refused)
        self.assertTrue(held.report("read"))

    def test_keys(self):
        """P4: the same key gets the same hold again, another one gets none"""
        self.going(lambda: self.hold(wait=0, key="a" * 32)).result(WITHIN)
        self.approve()
        first, again = self.hold(key="a" * 32), self.hold(key="a" * 32)
        for held in (first, again):
            self.assertIsInstance(held, Held)
            self.addCleanup(held._over.set)
        self.assertEqual(first._claim_id, again._claim_id)
        self.assertIsInstance(self.hold(key="b" * 32), Refused)
        self.assertIsInstance(self.guard(), Refused)
        self.assertEqual(self.tool.runs, [])

    def test_own_key_comes_back(self):
        """who has a key of its own comes back for an answer that was lost: nothing is given back"""
        self.assertEqual(self.hold(wait=0, key="a" * 32).because, "hold_over")
        self.approve()
        control("fail", fail={"path": "holds$", "faults": ["answer lost"]})
        self.client = banksman.Banksman(URL, self.client._server._headers["authorization"][7:], patience=0)
        self.assertEqual(self.hold(key="a" * 32).code, "server_unreachable")
        held = self.hold(key="a" * 32)
        self.assertIsInstance(held, Held)
        held.release("enough")

    def test_given_back(self):
        """after `release` the call is approved as before: another one runs it, once"""
        held = self.held()
        held.release("not now \U0001f600" * 300)
        self.assertRaises(ServerError, held.ready)
        self.assertEqual(self.request(held.request_id)["state"], "approved")
        self.assertTrue(self.guard().ok)
        self.assertEqual(len(self.tool.runs), 1)

    def test_pausing_tool(self):
        """a tool that pauses itself is given back, and the same call again runs it"""
        for tool, call_id in (("read_file", "a"), ("send_mail", "b")):
            with self.subTest(tool):
                origin = OSError("busy")

                def pauses(**_):
                    raise Release("the printer is busy") from origin

                guarding = self.going(lambda: self.guard(tool, run=pauses, call_id=call_id))
                if tool == "send_mail":
                    self.approve(call_id)
                result = guarding.result(WITHIN)
                self.assertIsInstance(result, Released)
                self.assertEqual((result.cause, result.error), ("the printer is busy", origin))
                self.assertTrue(self.guard(tool, call_id=call_id).ok)

    def test_pausing_tool_that_can_not(self):
        """P4: a tool that paused itself when its lease was over has ended, and does not run again"""

        def pauses(**_):
            with mock.patch.object(Held, "_renew", side_effect=ServerError("unreachable", "gone")):
                control("advance", advanceMs=60_000)
            raise Release("too late")

        guarding = self.going(lambda: self.guard(run=pauses))
        self.approve()
        result = guarding.result(WITHIN)
        self.assertIsInstance(result, Ran)
        self.assertIn("could not be given back", str(result.error))
        self.assertIsInstance(self.guard(), Refused)
        self.assertEqual(self.tool.runs, [])


class Leases(Case):
    def test_renewed(self):
        """P4: a tool that runs longer than its lease keeps it"""
        self.tool = Tool(waits=True)
        guarding = self.going(self.guard)
        request_id = self.approve()
        self.assertTrue(self.tool.began.wait(WITHIN))
        path = f"/v1/requests/{request_id}/claim/renew"
        for _ in range(4):
            # Each time less than the lease of 600 ms, together much more.
            renewals = control("seen").count(path)
            until(lambda: control("seen").count(path) > renewals + 1, "another renewal")
            control("advance", advanceMs=400)
        self.assertEqual(self.request(request_id)["state"], "running")
        self.tool.go.set()
        self.assertTrue(guarding.result(WITHIN).recorded)
        self.assertNotIn("late", self.request(request_id)["outcome"])

    def test_lapsed_before_the_run(self):
        """P4: a machine that slept between claim and run: nothing runs"""
        asleep = {"seconds": 0.0}
        awake = banksman._now

        def sleeps(hold):
            def held(*parts, **options):
                result = hold(*parts, **options)
                result._over.set()
                asleep["seconds"] += 60
                control("advance", advanceMs=60_000)
                return result

            return held

        with mock.patch.object(banksman, "_now", lambda: awake() + asleep["seconds"]):
            with mock.patch.object(self.client, "hold", sleeps(self.client.hold)):
                guarding = self.going(self.guard)
                request_id = self.approve()
                result = guarding.result(WITHIN)
        self.assertEqual((result.code, self.tool.runs), ("lease_lapsed", []))
        self.assertEqual(self.request(request_id)["state"], "unknown")

    def test_told_to_stop(self):
        """a person stops a call that runs: the tool can see it, and say how it ended"""
        seen = []

        def runs_long(**_):
            call = current_call()
            seen.append((call.request_id, call.stopped.wait(WITHIN)))
            return "stopped half way"

        guarding = self.going(lambda: self.guard(run=runs_long))
        request_id = self.approve()
        until(lambda: self.request(request_id)["state"] == "running", "the run")
        send("POST", f"{URL}/v1/requests/{request_id}/cancel", {"reason": "enough"}, PERSON)
        self.assertEqual(guarding.result(WITHIN).value, "stopped half way")
        self.assertEqual(seen, [(request_id, True)])
        self.assertIsNone(current_call())

    def test_told_to_stop_before_the_run(self):
        """P5: a call that is told to stop before it runs does not run"""
        held = self.held()
        send("POST", f"{URL}/v1/requests/{held.request_id}/cancel", {"reason": "enough"}, PERSON)
        self.assertTrue(held.stopped.wait(WITHIN))
        with self.assertRaisesRegex(ServerError, "stopped by ana: enough"):
            held.ready()
        self.assertEqual(held._begin().code, "cancelled")

    def test_stopped_in_the_same_moment(self):
        """P5: a claim that comes when the caller has just gone is given back, and does not run"""
        stop = Stop()
        take = banksman._Asking.take

        def takes(asking, patience):
            taken = take(asking, patience)
            stop.set()
            return taken

        with mock.patch.object(banksman._Asking, "take", takes):
            guarding = self.going(lambda: self.guard(stop=stop))
            request_id = self.approve()
            self.assertEqual(guarding.result(WITHIN).because, "aborted")
        self.assertEqual(self.tool.runs, [])
        self.await_state(request_id, "approved")


if __name__ == "__main__":
    unittest.main()
