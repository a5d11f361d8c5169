/** Several tabs of one browser: they share one event stream, and each is up to date. */
import type { BrowserContext, Page } from '@playwright/test'
import { createServer, expect, signIn, startSession, test } from '#tests/journeys/journey.ts'

/** Chromium opens at most six HTTP/1.1 connections to a host. */
const TAB_COUNT = 10

/** Collects the page of each event stream that opens. */
function collectStreams(context: BrowserContext): Page[] {
  const pages: Page[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/api/users/tokens/events')) pages.push(request.frame().page())
  })
  return pages
}

async function openTabs(page: Page, count: number): Promise<Page[]> {
  const tabs: Page[] = []
  for (let index = 0; index < count; index += 1) {
    const tab = await page.context().newPage()
    tabs.push(tab)
    await tab.goto('/servers')
    await expect(tab.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible()
  }
  return tabs
}

async function expectInAll(tabs: readonly Page[], name: string): Promise<void> {
  // Sooner than the next poll.
  for (const tab of tabs) await expect(tab.getByRole('table').getByRole('link', { name, exact: true })).toBeVisible({ timeout: 8000 })
}

test('ten tabs share one event stream, and another tab opens it when its tab closes', async ({ page, username }) => {
  test.slow()
  await startSession(page, username)
  await createServer(page, { name: `First ${username}` })
  const streams = collectStreams(page.context())
  const tabs = await openTabs(page, TAB_COUNT)
  await createServer(page, { name: `Second ${username}` })
  await expectInAll(tabs, `Second ${username}`)
  expect(streams).toHaveLength(1)

  // Whichever was ready first.
  const [leader] = streams
  await leader?.close()
  await expect.poll(() => streams.length).toBe(2)
  const others = tabs.filter((tab) => tab !== leader)
  await createServer(page, { name: `Third ${username}` })
  await expectInAll(others, `Third ${username}`)
  expect(streams).toHaveLength(2)
  for (const tab of others) await tab.close()
})

test('a visible tab opens the stream itself if the tab that has it is suspended', async ({ page, username }) => {
  await startSession(page, username)
  await createServer(page, { name: `First ${username}` })
  const streams = collectStreams(page.context())
  const tabs = await openTabs(page, 2)
  await expect.poll(() => streams.length).toBe(1)
  // Whichever was ready first.
  const [suspended, visible] = (streams[0] === tabs[0] ? tabs : tabs.toReversed()) as [Page, Page]
  // Its scripts wait for the dialog, because Chromium does not freeze a page without its window.
  const dialogOpened = suspended.waitForEvent('dialog')
  const suspension = suspended.evaluate(() => alert('Suspended'))
  const dialog = await dialogOpened
  await visible.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect.poll(() => streams.length).toBe(2)
  expect(streams[1]).toBe(visible)
  await createServer(page, { name: `Second ${username}` })
  await expectInAll([visible], `Second ${username}`)
  await dialog.accept()
  await suspension
  // It no longer leads.
  await suspended.close()
  await createServer(visible, { name: `Third ${username}` })
  await expectInAll([visible], `Third ${username}`)
  expect(streams).toHaveLength(2)
  await visible.close()
})

test('without Web Locks each tab has its own stream', async ({ page, username }) => {
  await startSession(page, username)
  await createServer(page, { name: `First ${username}` })
  await page.context().addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
  const streams = collectStreams(page.context())
  const tabs = await openTabs(page, 2)
  await createServer(page, { name: `Second ${username}` })
  await expectInAll(tabs, `Second ${username}`)
  expect(streams).toHaveLength(2)
  for (const tab of tabs) await tab.close()
})

test('tabs of two users do not share a stream', async ({ page, username }) => {
  await startSession(page, username)
  // The first tab does not learn of the sign-in in the other one, which may be sooner than the other tab's stream.
  const me = (await (await page.request.get('/api/auth/me')).json()) as unknown
  await page.route('**/api/auth/me', (route) => route.fulfill({ json: me }))
  const streams = collectStreams(page.context())
  await page.goto('/servers')
  await expect.poll(() => streams.length).toBe(1)
  const other = await page.context().newPage()
  await signIn(other, `${username}_other`)
  expect(streams).toContain(other)
  await other.close()
})
