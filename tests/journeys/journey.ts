/** Fixtures of every journey: the real program with its own folder, a browser, and a check for everything that fails in it. */
import { type BrowserContext, expect, type Locator, type Page, test as base } from '@playwright/test'
import axe from 'axe-core'
import { BROWSER_ARGS } from './find-browser.ts'
import { discard, type Program, startProgram, temporaryFolder, untilReady } from '#tests/program.ts'

interface Journey {
  /** Expects these browser complaints: the journey causes them. */
  expectComplaint: (complaint: RegExp) => void
  /** What the browser complained about, in any context. */
  complaints: string[]
  /** Opens the panel as another user, in a browser context of their own. */
  openPanelAs: (username: string) => Promise<Page>
  /** A name that is unique in this run. */
  username: string
}

/** The panel learns from a 401 that the user is not signed in, and the browser logs each as an error. */
const NOT_SIGNED_IN =
  /403 \(Forbidden\) .*\/api\/(?:auth\/me|users\/tokens(?:\/events|\/dayHistory)?|users\/[0-9a-f-]+\/protection-issues)$/

let people = 0

export const test = base.extend<Journey, { program: Program }>({
  program: [
    async ({ browserName: _browser }, give) => {
      const folder = temporaryFolder()
      const program = await untilReady(await startProgram(folder))
      await give(program)
      discard(folder, program)
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ browserName: _browser }, give) => give({ executablePath: process.env.PW_CHROMIUM ?? '', args: BROWSER_ARGS }),
    { scope: 'worker' },
  ],
  baseURL: async ({ program }, give) => give(program.panelUrl),
  username: async ({ browserName: _browser }, give, { workerIndex }) => give(`owner${workerIndex}_${people++}`),
  complaints: async ({ browserName: _browser }, give) => give([]),
  expectComplaint: async ({ context, complaints }, give) => {
    const expected = [NOT_SIGNED_IN]
    listen(context, complaints)
    await give((complaint) => expected.push(complaint))
    const unexpected = complaints.filter((complaint) => !expected.some((pattern) => pattern.test(complaint)))
    expect(unexpected, 'the browser complained').toEqual([])
  },
  page: async ({ page, expectComplaint }, give) => {
    void expectComplaint
    await give(page)
  },
  openPanelAs: async ({ browser, complaints, expectComplaint }, give) => {
    void expectComplaint
    const contexts: BrowserContext[] = []
    await give(async (username) => {
      const context = await browser.newContext()
      contexts.push(context)
      listen(context, complaints)
      const page = await context.newPage()
      await signIn(page, username)
      return page
    })
    // A panel that stays open keeps its stream and polls during all later journeys.
    for (const context of contexts) await context.close()
  },
})

/** Journeys that assert real time: a machine that was busy gets a retry, and the run reports it. */
export function inRealTime(journeys: () => void): void {
  test.describe(() => {
    test.describe.configure({ retries: 2 })
    journeys()
  })
}

/** Everything the browser complains about: console errors (a broken security policy is one) and page errors. */
function listen(context: BrowserContext, complaints: string[]): void {
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (error) => complaints.push(`uncaught: ${error.error().message}`))
}

/**
 * Signs in through the local identity provider, whose answer the panel accepts as usual, and waits for the panel. `newcomer.spec.ts`
 * and `keyboard.spec.ts` test what users press on the way: two pages less for all other journeys.
 */
export async function signIn(page: Page, username: string): Promise<void> {
  const begun = await page.request.get('/api/auth/discord')
  await page.goto(`${await begun.text()}&username=${encodeURIComponent(username)}`)
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
}

export interface Created {
  readonly public_id: string
  readonly credential: string
}

/** Registers a server without the wizard, for journeys about something else. */
export async function createServer(page: Page, body: { name: string; [field: string]: unknown }): Promise<Created> {
  const reply = await page.request.post('/api/users/tokens', { data: body, headers: { 'sec-fetch-site': 'same-origin' } })
  expect(reply.ok(), await reply.text()).toBe(true)
  return ((await reply.json()) as { data: Created }).data
}

/** Expires the session as the first such call is sent. Earlier, a background read might notice and go to the login page. */
export async function endSessionWithCall(page: Page, isTheCall: (method: string, path: string) => boolean): Promise<void> {
  let isOver = false
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    if (!isOver && isTheCall(request.method(), new URL(request.url()).pathname)) {
      isOver = true
      await page.context().clearCookies()
    }
    await route.continue()
  })
}

/** Delays every such call until the returned function is called. */
export async function whileHeld(page: Page, address: string, method: string): Promise<() => void> {
  let letGo: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(address, async (route) => {
    if (route.request().method() === method) await held
    await route.fallback()
  })
  return letGo
}

/**
 * Opens a page and waits until its stream is open and the reload that follows is done: from then on every request has a cause.
 * The page reads only what opens it (the list, and what is `shown`) before the stream is open.
 */
export async function openSettled(page: Page, path: string, shown: Locator): Promise<void> {
  // The page after sign-in has a stream and polls, too.
  await page.goto('about:blank')
  const letGo = await whileHeld(page, '**/api/users/tokens/events', 'GET')
  const list = page.waitForResponse('**/api/users/tokens')
  await page.goto(path)
  await (await list).finished()
  await expect(shown).toBeVisible()
  const again = page.waitForResponse('**/api/users/tokens')
  letGo()
  await (await again).finished()
}

/** One announce over HTTP, as a game server sends it. */
export async function announce(program: Program, credential: string, more: Record<string, unknown> = {}): Promise<Response> {
  return await fetch(`${program.listUrl}/announce`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      port: 7788,
      playersCount: 37,
      maxPlayersCount: 128,
      passworded: false,
      version: '1.0.0',
      branch: 'release',
      ...more,
    }),
  })
}

/** Waits until nothing moves or changes colour. One change of colour starts the next where a part inherits it from another. */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const passing = () =>
      document.getAnimations().filter((each) => each.effect?.getTiming().iterations === 1 && each.playState === 'running')
    await nextFrame()
    for (let moving = passing(); moving.length > 0; moving = passing()) {
      await Promise.allSettled(moving.map((each) => each.finished))
      await nextFrame()
    }
  })
}

/**
 * What axe finds on the page, by all its rules. Runs in the page and reports violations only: its Playwright package opens a
 * second page each time and transfers all passes, which takes eight times as long. No page has frames.
 */
async function violationsOn(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return await page.evaluate(async () => {
    const { run } = (window as unknown as { axe: { run: typeof axe.run } }).axe
    // A message is half transparent while it fades in or out; it is checked in between.
    const exclude = ['[data-sonner-toast][data-removed="true"]', '[data-sonner-toast][data-mounted="false"]']
    const { violations } = await run({ exclude: exclude.map((selector) => [selector]) }, { resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
  })
}

/** No axe violation (contrast included), nothing scrolls sideways, and in the frame only its own page scrolls. */
export async function expectSound(page: Page, where: string): Promise<void> {
  await untilStill(page)
  const found = await violationsOn(page)
  expect.soft(found, where).toEqual([])
  const wide = await page.evaluate(
    () =>
      document.documentElement.scrollWidth > innerWidth ||
      [...document.querySelectorAll('main, dialog[open]')].some((each) => each.scrollWidth > each.clientWidth),
  )
  expect.soft(wide, `${where} scrolls sideways`).toBe(false)
  const long = await page.evaluate(() =>
    document.getElementById('main') === null ? 0 : document.documentElement.scrollHeight - innerHeight,
  )
  expect.soft(long, `the document of ${where} scrolls under the frame`).toBeLessThanOrEqual(0)
}

export { expect }
