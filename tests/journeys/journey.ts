/** What every journey has: the real program with a folder of its own, a browser, and eyes on everything that goes wrong in it. */
import { type BrowserContext, expect, type Locator, type Page, test as base } from '@playwright/test'
import axe from 'axe-core'
import { BROWSER_ARGS } from './find-browser.ts'
import { discard, type Program, startProgram, temporaryFolder, untilReady } from '#tests/program.ts'

interface Journey {
  /** Says that these complaints of the browser are what the journey is about. */
  expectComplaint: (complaint: RegExp) => void
  /** What the browser complained about, at any screen. */
  complaints: string[]
  /** Somebody else at another screen, signed in there. */
  somebody: (username: string) => Promise<Page>
  /** A name that nobody else in this run has. */
  username: string
}

/** Who is not signed in is refused, and that is how the panel learns it: the browser writes each refusal down as an error. */
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
  somebody: async ({ browser, complaints, expectComplaint }, give) => {
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
    // A panel that stays open goes on listening and asking, beside all journeys that follow.
    for (const context of contexts) await context.close()
  },
})

/** Journeys that promise a real time: a machine that was busy just then gives them another try, and the run says so. */
export function inRealTime(journeys: () => void): void {
  test.describe(() => {
    test.describe.configure({ retries: 2 })
    journeys()
  })
}

/** Everything the browser complains about: errors in the console (a broken security policy is one), errors of the page. */
function listen(context: BrowserContext, complaints: string[]): void {
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (error) => complaints.push(`uncaught: ${error.error().message}`))
}

/**
 * Signs in through the local identity provider, whose answer the panel takes as always, and waits for the panel. What people press on the
 * way is `newcomer.spec.ts`'s and `keyboard.spec.ts`'s: two pages less for everybody else.
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

/** Registers a server without the guided way, for journeys that are about something else. */
export async function createServer(page: Page, body: { name: string; [field: string]: unknown }): Promise<Created> {
  const reply = await page.request.post('/api/users/tokens', { data: body, headers: { 'sec-fetch-site': 'same-origin' } })
  expect(reply.ok(), await reply.text()).toBe(true)
  return ((await reply.json()) as { data: Created }).data
}

/** The session ends as the first such call is sent. Before that, a read of the page's own might notice, and leave for the login page. */
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

/** Holds every such call on its way until the answer is called. */
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
 * Opens a page and waits until its stream is open and what is read anew for that is there: from then on nothing is asked for without a
 * cause. Only what opens it at all (the list, and what is `shown`) is read before the stream is.
 */
export async function openSettled(page: Page, path: string, shown: Locator): Promise<void> {
  // The page that one signed in to has a stream and asks by itself, too.
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

/** Until nothing moves or changes colour any more. One change of colour starts the next where a part inherits it from another. */
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
 * What axe finds on the page, by all its rules. Asked in the page itself and for violations only: its package for Playwright opens a
 * second page for each look and hands over all that is well, which takes eight times as long. No page has frames.
 */
async function violationsOn(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return await page.evaluate(async () => {
    const { run } = (window as unknown as { axe: { run: typeof axe.run } }).axe
    // A message on its way in or out is half transparent for a moment; while it stands it is judged.
    const exclude = ['[data-sonner-toast][data-removed="true"]', '[data-sonner-toast][data-mounted="false"]']
    const { violations } = await run({ exclude: exclude.map((selector) => [selector]) }, { resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
  })
}

/** No violation of any of axe's rules, contrast among them, nothing that scrolls sideways, and in the frame only its own page scrolls. */
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
