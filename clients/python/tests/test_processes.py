"""Agents in processes of their own: killed while they wait, killed inside the tool, and two at once."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

from support import AGENT, URL, WITHIN, Case, control

HERE = os.path.dirname(os.path.abspath(__file__))

PROGRAM = """
import json, os, signal, sys
sys.path.insert(0, sys.argv[1])
from banksman import Banksman

def send_mail(to):
    with open(sys.argv[3], "a") as ran:
        ran.write(to + "\\n")
    if sys.argv[4] == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    return "sent to " + to

result = Banksman().guard(sys.argv[5], {"to": "ana"}, send_mail, session=sys.argv[2], call_id="c1")
print(json.dumps([type(result).__name__, result.text()]))
"""


class Processes(Case):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "ran")

    def start(self, how="", tool="send_mail"):
        parameters = [os.path.dirname(HERE), self.session, self.file, how, tool]
        environment = {**os.environ, "BANKSMAN_URL": URL, "BANKSMAN_TOKEN": AGENT}
        process = subprocess.Popen(
            [sys.executable, "-B", "-c", PROGRAM, *parameters], env=environment, stdout=subprocess.PIPE, text=True
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def end(self, process):
        text, _ = process.communicate(timeout=WITHIN)
        return json.loads(text)

    def runs(self):
        if not os.path.exists(self.file):
            return []
        with open(self.file) as ran:
            return ran.read().split()

    def test_two_at_once(self):
        """P4: two processes with the same call: one runs it"""
        both = [self.start(), self.start()]
        self.approve()
        kinds = sorted(self.end(process)[0] for process in both)
        self.assertEqual((kinds, self.runs()), (["Ran", "Refused"], ["ana"]))

    def test_killed_while_waiting(self):
        """P7: killed while it waits, another process goes on with the same request"""
        first = self.start()
        request = self.asked()
        first.kill()
        first.wait(WITHIN)
        second = self.start()
        self.approve()
        self.assertEqual(self.end(second), ["Ran", "sent to ana"])
        self.assertEqual((self.runs(), self.requests("any")[0]["id"]), (["ana"], request["id"]))

    def test_killed_inside_the_tool(self):
        """P4: killed inside the tool, the outcome is unknown and it never runs again"""
        first = self.start("die")
        request_id = self.approve()
        self.assertEqual(first.wait(WITHIN), -signal.SIGKILL)
        self.assertEqual(self.end(self.start())[0], "Refused")
        control("advance", advanceMs=60_000)
        self.assertEqual(self.request(request_id)["state"], "unknown")
        kind, text = self.end(self.start())
        self.assertEqual((kind, json.loads(text)["state"], json.loads(text)["tryAgain"]), ("Refused", "unknown", False))
        self.assertEqual(self.runs(), ["ana"])

    def test_ends_with_its_outcome(self):
        """P10: a program that ends right after its call still says how that ended"""
        before = control("seen").count("/v1/holds/outcome")
        self.assertEqual(self.end(self.start(tool="read_mail")), ["Ran", "sent to ana"])
        self.assertGreater(control("seen").count("/v1/holds/outcome"), before)


if __name__ == "__main__":
    unittest.main()
