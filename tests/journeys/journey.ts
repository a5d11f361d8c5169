/** Fixtures of every journey: the real program with its own data folder, a browser, and a check for browser errors. */
import { type BrowserContext, expect, type Locator, type Page, test as base } from '@playwright/test'
import { portOf } from '#tests/factories.ts'
import type { ListedServer } from '#contract/masterlist/masterlist.ts'
import { violationsOn, waitForAnimations } from './axe.ts'
import { launchOptions } from './find-browser.ts'
import { discard, type Program, startProgram, temporaryFolder, untilReady } from '#tests/program.ts'

export interface Journey {
  /** Allows these browser errors: the journey causes them. */
  allowBrowserError: (error: RegExp) => void
  /** Console and page errors of all browser contexts. */
  browserErrors: string[]
  /** Opens the panel as another user, in a separate browser context. */
  openPanelAs: (username: string) => Promise<Page>
  /** Signs in as another user in a separate browser context, without opening a page. */
  signInAs: (username: string) => Promise<Page>
  /** A username that is unique in this run, and no part of another one. */
  username: string
}

/** A 403 tells the panel that the user is not signed in. The browser logs each as an error. */
const NOT_SIGNED_IN =
  /403 \(Forbidden\) .*\/api\/(?:auth\/me|users\/tokens(?:\/events|\/dayHistory|\/deleted)?|users\/webhooks|users\/notifications|users\/preferences|users\/[0-9a-f-]+\/protection-issues)$/

let userCount = 0

export const test = base.extend<Journey, { program: Program }>({
  program: [
    async ({ browserName: _browser }, provide) => {
      const folder = temporaryFolder()
      const program = await startProgram(folder)
      try {
        await provide(await untilReady(program))
      } finally {
        discard(folder, program)
      }
    },
    { scope: 'worker' },
  ],
  launchOptions: [async ({ browserName: _browser }, provide) => provide(launchOptions(process.env.PW_CHROMIUM ?? '')), { scope: 'worker' }],
  baseURL: async ({ program }, provide) => provide(program.panelUrl),
  username: async ({ browserName: _browser }, provide, { workerIndex }) => provide(`owner${workerIndex}_${userCount++}u`),
  browserErrors: async ({ browserName: _browser }, provide) => provide([]),
  allowBrowserError: async ({ context, browserErrors }, provide) => {
    const expected = [NOT_SIGNED_IN]
    collectBrowserErrors(context, browserErrors)
    await provide((error) => expected.push(error))
    const unexpected = browserErrors.filter((error) => !expected.some((pattern) => pattern.test(error)))
    expect(unexpected, 'browser errors').toEqual([])
  },
  page: async ({ page, allowBrowserError }, provide) => {
    void allowBrowserError
    waitForScripts(page)
    await provide(page)
  },
  signInAs: async ({ browser, browserErrors, allowBrowserError }, provide) => {
    void allowBrowserError
    const contexts: BrowserContext[] = []
    await provide(async (username) => {
      const context = await browser.newContext()
      contexts.push(context)
      collectBrowserErrors(context, browserErrors)
      const page = await context.newPage()
      waitForScripts(page)
      await startSession(page, username)
      return page
    })
    // An open panel would keep its stream and poll during all later journeys.
    for (const context of contexts) await context.close()
  },
  openPanelAs: async ({ signInAs }, provide) => {
    await provide(async (username) => {
      const page = await signInAs(username)
      await openPanel(page)
      return page
    })
  },
})

/** Journeys that depend on real time. They are retried, because a busy machine may delay them. The run reports retries. */
export function timingSensitive(journeys: () => void): void {
  test.describe(() => {
    test.describe.configure({ retries: 2 })
    journeys()
  })
}

/** Collects page errors and console errors, which include violations of the content security policy. */
function collectBrowserErrors(context: BrowserContext, browserErrors: string[]): void {
  context.on('console', (message) => {
    if (message.type() === 'error') browserErrors.push(`${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (error) => browserErrors.push(`uncaught: ${error.error().message}`))
}

/** Lets `goto` wait until the panel shows. */
function waitForScripts(page: Page): void {
  const goto = page.goto.bind(page)
  page.goto = async (url, options) => {
    const reply = await goto(url, options)
    if (options?.waitUntil === undefined) await untilScriptsRun(page)
    return reply
  }
}

async function untilScriptsRun(page: Page): Promise<void> {
  await expect(page.locator('#app > .authorizing')).not.toBeAttached()
}

/**
 * Signs in through the local identity provider and waits for the panel and its stream. It skips two pages, which `onboarding.spec.ts` and
 * `keyboard.spec.ts` test.
 */
export async function signIn(page: Page, username: string): Promise<void> {
  await startSession(page, username)
  await openPanel(page)
}

async function openPanel(page: Page): Promise<void> {
  await openWithStream(page, '/')
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
}

/** Does what the pages of a sign-in do, which takes less time. */
export async function startSession(page: Page, username: string): Promise<void> {
  const authorize = await page.request.get('/api/auth/discord')
  const provider = await page.request.get(`${await authorize.text()}&username=${encodeURIComponent(username)}`, { maxRedirects: 0 })
  const callback = new URL(provider.headers()['location'] ?? '', provider.url())
  const data = { code: callback.searchParams.get('code'), state: callback.searchParams.get('state') }
  const reply = await page.request.post('/api/auth/discord', { data, headers: { 'sec-fetch-site': 'same-origin' } })
  expect(reply.ok(), await reply.text()).toBe(true)
}

/** Signs in with the buttons of the login page. */
export async function signInFromLoginPage(page: Page, username: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Another user').fill(username)
  await page.getByRole('button', { name: 'Continue' }).click()
}

export interface CreatedServer {
  readonly public_id: string
  readonly credential: string
}

/** Registers a server without the wizard, for journeys about something else. */
export async function createServer(page: Page, body: { name: string; [field: string]: unknown }): Promise<CreatedServer> {
  const reply = await page.request.post('/api/users/tokens', { data: body, headers: { 'sec-fetch-site': 'same-origin' } })
  expect(reply.ok(), await reply.text()).toBe(true)
  return ((await reply.json()) as { data: CreatedServer }).data
}

/** Expires the session when the first matching call is sent. If it expired earlier, a background read might notice first. */
export async function expireSessionOnCall(page: Page, matches: (method: string, path: string) => boolean): Promise<void> {
  let isExpired = false
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    if (!isExpired && matches(request.method(), new URL(request.url()).pathname)) {
      isExpired = true
      await page.context().clearCookies()
    }
    await route.continue()
  })
}

/** Holds every matching request until the returned function is called. */
export async function holdRequests(page: Page, address: string, method: string): Promise<() => void> {
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(address, async (route) => {
    if (route.request().method() === method) await released
    await route.fallback()
  })
  return release
}

/** The previous page also polls and has a stream. */
async function leave(page: Page): Promise<void> {
  if (page.url() !== 'about:blank') await page.goto('about:blank')
}

/**
 * Opens a page, then waits for its stream and the refetch that follows. Every later request has a cause in the journey.
 * Before the stream opens, the page reads only what `shown` needs.
 */
export async function openAndSettle(page: Page, path: string, shown: Locator): Promise<void> {
  await leave(page)
  const release = await holdRequests(page, '**/api/users/tokens/events', 'GET')
  await page.goto(path)
  await expect(shown).toBeVisible()
  const refetch = page.waitForResponse('**/api/users/tokens')
  release()
  await (await refetch).finished()
}

/** Opens a page of the panel and waits for its stream, and for the refetch that follows. Every later change is an event. */
export async function openWithStream(page: Page, path: string): Promise<void> {
  await leave(page)
  let isOpen = false
  const stream = page.waitForResponse('**/api/users/tokens/events').then(() => (isOpen = true))
  const refetch = page.waitForResponse((response) => isOpen && response.url().endsWith('/api/users/tokens'))
  await page.goto(path)
  await stream
  await (await refetch).finished()
}

/** An error response of the panel's API, for `route.fulfill`. */
export const errorResponse = (status: number, ...errors: string[]) => ({
  status,
  json: { statusCode: status, errors, isBusiness: false },
})

/** A rejection of one field of the body. */
export const fieldErrorResponse = (status: number, field: string, sentence: string) => ({
  status,
  json: { ...errorResponse(status, sentence).json, fields: { [field]: sentence } },
})

/** The public list. */
export async function readList(program: Program): Promise<ListedServer[]> {
  return (await (await fetch(`${program.listUrl}/servers`)).json()) as ListedServer[]
}

export async function isListed(program: Program, id: string): Promise<boolean> {
  return (await readList(program)).some(({ publicId }) => publicId === id)
}

/** One announce over HTTP, as a game server sends it. */
export async function announce(program: Program, credential: string, overrides: Record<string, unknown> = {}): Promise<Response> {
  return await fetch(`${program.listUrl}/announce`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      port: portOf(credential),
      playersCount: 37,
      maxPlayersCount: 128,
      passworded: false,
      version: '1.0.0',
      branch: 'release',
      ...overrides,
    }),
  })
}

/** Expects no axe violation (contrast included). */
export async function expectNoViolations(page: Page, where: string): Promise<void> {
  await waitForAnimations(page)
  expect.soft(await violationsOn(page), where).toEqual([])
}

/** Expects no axe violation, no sideways scrolling, and scrolling only inside the panel's main area. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  await expectNoViolations(page, where)
  await expectNoSidewaysScrolling(page, where)
  const documentOverflow = await page.evaluate(() =>
    document.getElementById('main') === null ? 0 : document.documentElement.scrollHeight - innerHeight,
  )
  expect.soft(documentOverflow, `the document of ${where} scrolls`).toBeLessThanOrEqual(0)
}

/** Expects dark text on white, and no part that scrolls. */
export async function expectPaper(page: Page): Promise<void> {
  const main = page.locator('#main')
  expect(await main.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(20, 23, 28)')
  expect(await main.evaluate((element) => getComputedStyle(element).overflowY)).toBe('visible')
}

export async function expectNoSidewaysScrolling(page: Page, where: string): Promise<void> {
  const scrollsSideways = await page.evaluate(
    () =>
      document.documentElement.scrollWidth > innerWidth ||
      [...document.querySelectorAll('main, [role=dialog], [role=alertdialog]')].some((each) => each.scrollWidth > each.clientWidth),
  )
  expect.soft(scrollsSideways, `${where} scrolls sideways`).toBe(false)
}

export { expect }
