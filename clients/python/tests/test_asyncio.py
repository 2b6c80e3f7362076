"""`aguard`: many at once, cancelling, and what can't be guarded."""

import asyncio
import threading
import unittest

from banksman import Pending, Refused, Release, Released, current_call
from support import WITHIN, Case, Tool, until


def waiting_threads():
    return [thread for thread in threading.enumerate() if thread.name == "banksman"]


class Asyncio(Case):
    async def aguard(self, run=None, tool="send_mail", **options):
        settings = {"call_id": "c1", "session": self.session, **options}
        return await self.client.aguard(tool, {"to": "ana"}, run or self.tool, **settings)

    def run_async(self, coroutine):
        async def bounded():
            return await asyncio.wait_for(coroutine, WITHIN)

        return asyncio.run(bounded())

    async def meanwhile(self, work, *parts):
        return await asyncio.get_running_loop().run_in_executor(None, work, *parts)

    def test_five_at_once(self):
        """P4: five at once on one loop, approved in another order, each with its own result"""

        async def main():
            loop = asyncio.get_running_loop()

            async def tool(to):
                assert asyncio.get_running_loop() is loop
                await asyncio.sleep(0)
                return current_call().request_id

            waiting = [asyncio.create_task(self.aguard(tool, call_id=f"c{n}")) for n in range(5)]
            ids = {}
            for n in (3, 1, 4, 0, 2):
                ids[n] = await self.meanwhile(self.approve, f"c{n}")
            results = await asyncio.gather(*waiting)
            self.assertEqual([one.value for one in results], [ids[n] for n in range(5)])
            self.assertIsNone(current_call())

        self.run_async(main())

    def test_rejected(self):
        """P5: rejected, an async tool does not run"""

        async def main():
            task = asyncio.create_task(self.aguard())
            await self.meanwhile(self.decide, "reject")
            return await task

        self.assertEqual((self.run_async(main()).state, self.tool.runs), ("rejected", []))

    def test_tools_that_block(self):
        """a tool that is not async runs in a thread, and what it gives may be awaited on the loop"""

        async def later(text):
            return f"{text} in {threading.current_thread().name}"

        async def main():
            here = threading.current_thread()
            seen = []
            result = await self.aguard(lambda to: seen.append((threading.current_thread(), current_call())), "read_x")
            self.assertTrue(result.ok)
            self.assertIsNot(seen[0][0], here)
            self.assertIsNotNone(seen[0][1])
            awaited = await self.aguard(lambda to: later(to), "read_x", call_id="c2")
            self.assertEqual(awaited.value, f"ana in {here.name}")
            for call_id, error in (("c3", StopIteration("x")), ("c4", KeyError("x"))):
                raised = await self.aguard(Tool(raises=error), "read_x", call_id=call_id)
                self.assertIs(raised.error, error)

        self.run_async(main())

    def test_pausing_tool(self):
        """an async tool, too, can give its call back"""

        async def pauses(to):
            raise Release("busy")

        self.assertIsInstance(self.run_async(self.aguard(pauses, "read_x")), Released)
        self.assertTrue(self.run_async(self.aguard(tool="read_x")).ok)

    def test_cancelled_while_waiting(self):
        """P5: a task that is cancelled while a person is asked runs nothing; the same call again goes on"""

        async def main():
            task = asyncio.create_task(self.aguard())
            request = await self.meanwhile(self.asked)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            await self.meanwhile(self.approve)
            self.assertEqual(self.tool.runs, [])
            result = await self.aguard()
            self.assertEqual(result.request_id, request["id"])

        self.run_async(main())
        self.assertEqual(len(self.tool.runs), 1)

    def test_cancelled_as_it_is_approved(self):
        """P5: a task that is cancelled when its claim has just come gives it back, and runs nothing"""
        taken = threading.Event()
        hold = self.client.hold

        def holds(*parts, **options):
            held = hold(*parts, **{**options, "stop": None})
            taken.set()
            return held

        self.client.hold = holds

        async def main():
            task = asyncio.create_task(self.aguard())
            request_id = await self.meanwhile(self.approve)
            # On this loop, so that nothing of the task happens before it is cancelled.
            self.assertTrue(taken.wait(WITHIN))
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            await self.meanwhile(self.await_state, request_id, "approved")

        self.run_async(main())
        self.assertEqual(self.tool.runs, [])

    def test_closed_while_waiting(self):
        """P5: a coroutine that is closed, as when its loop goes away, ends the wait and runs nothing"""

        async def main():
            coroutine = self.aguard()
            coroutine.send(None)
            await self.meanwhile(self.asked)
            coroutine.close()
            await self.meanwhile(until, lambda: not waiting_threads(), "the end of the wait")
            request_id = await self.meanwhile(self.approve)
            self.assertEqual(self.request(request_id)["state"], "approved")

        self.run_async(main())
        self.assertEqual(self.tool.runs, [])

    def test_cancelled_while_running(self):
        """P10: an async tool that is cancelled is reported as an error, and does not run again"""
        began = threading.Event()

        async def tool(to):
            self.tool.runs.append(to)
            began.set()
            await asyncio.sleep(WITHIN)

        async def main():
            task = asyncio.create_task(self.aguard(tool))
            request_id = await self.meanwhile(self.approve)
            await self.meanwhile(began.wait, WITHIN)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            return request_id

        request_id = self.run_async(main())
        self.assertEqual(self.await_state(request_id, "done")["outcome"]["kind"], "error")
        self.assertIsInstance(self.guard(), Refused)
        self.assertEqual(len(self.tool.runs), 1)

    def test_cancelled_while_a_thread_runs(self):
        """P10: a tool in a thread can't be called back: its end is reported when it comes"""
        self.tool = Tool(waits=True)

        async def main():
            task = asyncio.create_task(self.aguard())
            request_id = await self.meanwhile(self.approve)
            await self.meanwhile(self.tool.began.wait, WITHIN)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            return request_id

        request_id = self.run_async(main())
        self.assertEqual(self.request(request_id)["state"], "running")
        self.tool.go.set()
        self.assertEqual(self.await_state(request_id, "done")["outcome"]["kind"], "ok")

    def test_ticket(self):
        """wait=0 gives a ticket here, too"""
        self.assertIsInstance(self.run_async(self.aguard(wait=0)), Pending)

    def test_stop_is_not_taken(self):
        """a task is cancelled, and not stopped"""
        self.assertRaises(TypeError, self.run_async, self.aguard(stop=object()))


class Lazy(Case):
    """What would run after its approval was used up."""

    def test_refused_at_once(self):
        """P4: generators, and in `guard` async functions, are refused before anybody is asked"""

        def generates(to):
            yield self.tool(to=to)

        async def agenerates(to):
            yield self.tool(to=to)

        async def is_async(to):
            self.tool(to=to)

        class Callable:
            async def __call__(self, to):
                pass

        for run in (generates, agenerates, is_async, Callable()):
            self.assertRaises(TypeError, self.guard, run=run)
        for run in (generates, agenerates):
            coroutine = self.client.aguard("send_mail", {"to": "ana"}, run, session=self.session)
            self.assertRaises(TypeError, asyncio.run, coroutine)
        self.assertEqual((self.tool.runs, self.requests("any")), ([], []))

    def test_refused_as_a_result(self):
        """P4: a function that gives a generator or a coroutine has failed, and that never runs"""

        def generates():
            yield self.tool()

        async def is_async():
            self.tool()

        async def agenerates():
            yield self.tool()

        for number, lazy in enumerate((generates, is_async, agenerates)):
            result = self.guard("read_x", {}, lambda lazy=lazy: lazy(), call_id=f"c{number}")
            self.assertIsInstance(result.error, TypeError)
        for number, lazy in enumerate((generates, agenerates)):
            coroutine = self.client.aguard("read_x", {}, lambda lazy=lazy: lazy(), session=self.session, call_id=f"a{number}")
            self.assertIsInstance(asyncio.run(coroutine).error, TypeError)
        self.assertEqual(self.tool.runs, [])


if __name__ == "__main__":
    unittest.main()
