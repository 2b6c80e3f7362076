/** The page *Sessions*: one in every state, one that waits, one that is open, a new one, one of a connected agent; and the page where there are none. */
import type { Page } from 'playwright-core'

/** Until what has just appeared takes clicks. */
const ARMED_MS = 700
const LIST = /\/v1\/sessions\?/
const SECRETARY = /\/v1\/secretary/

export async function tourSessions(
  page: Page,
  sessions: Record<string, string>,
  shoot: (name: string) => Promise<void>,
): Promise<void> {
  const go = (hash: string) => page.evaluate((to) => location.assign(to), hash)
  const card = (id: string | undefined) => page.locator(`[data-session="${id}"]`)
  await go('#/sessions?show=all')
  await card(sessions.ended).waitFor()
  await shoot('sessions')
  for (const name of ['running', 'waiting', 'failed', 'ended']) {
    await card(sessions[name]).scrollIntoViewIfNeeded()
    await shoot(`sessions-${name}`)
  }
  await go('#/sessions')
  await page.waitForTimeout(ARMED_MS)
  for (const [name, button] of [
    ['decide', card(sessions.waiting).locator('.session-waits button').first()],
    ['mode', card(sessions.running).locator('.mode')],
    ['new', page.locator('.sessions .record-head > button')],
  ] as const) {
    await button.click()
    await shoot(`sessions-${name}`)
    await page.keyboard.press('Escape')
    await page.waitForTimeout(ARMED_MS)
  }
  await card(sessions.running).locator('.session-buttons button').first().click()
  await shoot('sessions-message')
  await go(`#/sessions/${sessions.waiting}`)
  await shoot('sessions-open')
  await go('#/sessions')
  await card(sessions.connected).scrollIntoViewIfNeeded()
  await shoot('sessions-connected')
  await go(`#/sessions/${sessions.connected}`)
  await page.locator('.connected-waits article').waitFor()
  await shoot('session-connected')
  await page.locator('.connected-grants').scrollIntoViewIfNeeded()
  await shoot('session-connected-below')
  await page.route(LIST, (route) => route.fulfill({ json: { items: [] } }))
  await go('#/sessions')
  await shoot('sessions-none')
  const problem = { type: 'about:blank', title: 'Not Found', status: 404, code: 'unknown_route', detail: '' }
  await page.route(SECRETARY, (route) => route.fulfill({ status: 404, json: problem }))
  await go('#/chat')
  await go('#/sessions')
  await shoot('sessions-absent')
  await page.unroute(LIST)
  await page.unroute(SECRETARY)
}
