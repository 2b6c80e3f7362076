"""Runs the tests in clients/python/tests and writes a line of JSON for each of them, or with --list their names alone."""

import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.join(HERE, "..", "..", "clients", "python", "tests")


class Report(unittest.TestResult):
    def say(self, test: unittest.TestCase, ended: str, text: str = "") -> None:
        print(json.dumps({"name": name_of(test), "ended": ended, "text": text}), flush=True)

    def addSuccess(self, test):
        self.say(test, "passed")

    def addFailure(self, test, err):
        self.say(test, "failed", self._exc_info_to_string(err, test))

    addError = addFailure

    def addSkip(self, test, reason):
        self.say(test, "skipped", reason)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.say(test, "failed", f"{subtest}\n{self._exc_info_to_string(err, test)}")


def name_of(test):
    return ".".join(test.id().split(".")[-2:])


def each(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from each(test)
        else:
            yield test


sys.path[:0] = [TESTS, os.path.dirname(TESTS)]
sys.dont_write_bytecode = True
everything = unittest.defaultTestLoader.discover(TESTS, top_level_dir=TESTS)
if sys.argv[1:] == ["--list"]:
    for test in each(everything):
        print(json.dumps({"name": name_of(test), "says": test.shortDescription() or name_of(test)}))
else:
    wanted = sys.argv[1:]
    chosen = [test for test in each(everything) if not wanted or any(word in name_of(test) for word in wanted)]
    unittest.TestSuite(chosen).run(Report())
