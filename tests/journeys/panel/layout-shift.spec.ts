/** Layout stability: late data and banners never move what a page already shows. */
import type { BrowserContext, Page } from '@playwright/test'
import { announce, createServer, expect, isListed, startSession, test } from '#tests/journeys/journey.ts'
import { createServerWithHistory } from '#tests/journeys/seed-player-history.ts'
import { createVerifiedServer, forceTier, grantManager, idOf, offerServer, send } from '#tests/journeys/users.ts'

/** The largest cumulative layout shift of a page. 0.1 counts as good (https://web.dev/articles/cls). */
const MAX_SHIFT = 0.02
/** Each call is delayed by its own time, so that late data arrives in several steps. */
const DELAYS_MS = [60, 150, 250]
const QUIET_MS = 300

/** Delays every API call in the page. The same route always gets the same delay. A Playwright route would disable the cache. */
async function delayCalls(context: BrowserContext): Promise<void> {
  await context.addInitScript((delays) => {
    const send = window.fetch.bind(window)
    window.fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
      if (pathname.startsWith('/api/')) await new Promise((resolve) => setTimeout(resolve, delays[pathname.length % delays.length]))
      return await send(input, init)
    }
  }, DELAYS_MS)
}

// What moves while it appears must not move the rest.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

interface Shift {
  readonly value: number
  readonly moved: string[]
}

async function observeShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[]
      })[]) {
        if (entry.hadRecentInput) continue
        const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
          const element = node instanceof Element ? node : node?.parentElement
          return `${element?.tagName} ${element?.textContent.slice(0, 40)} ${previousRect.y}+${previousRect.height} -> ${currentRect.y}+${currentRect.height}`
        })
        shifts.push({ value: entry.value, moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Opens the page and waits until it is complete. */
async function shiftsOf(page: Page, path: string): Promise<Shift[]> {
  await page.goto(path)
  await expect(page.locator('main h1, main h2').first()).toBeVisible()
  // A fixed time: a late shift is what this looks for.
  await page.waitForTimeout(QUIET_MS + Math.max(...DELAYS_MS) * 2)
  return await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
}

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

/** Checks both sizes at once, because each page mostly waits. @param beforeEach runs before each page, such as to keep servers online */
async function expectStable(page: Page, paths: readonly string[], beforeEach?: () => Promise<unknown>): Promise<void> {
  await Promise.all(
    SIZES.map(async (size) => {
      const tab = await page.context().newPage()
      await tab.setViewportSize(size)
      for (const path of paths) {
        await beforeEach?.()
        const shifts = await shiftsOf(tab, path)
        const total = shifts.reduce((sum, { value }) => sum + value, 0)
        expect.soft(total, `${path} at ${size.width}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(MAX_SHIFT)
      }
    }),
  )
}

const DAY_HISTORY = { days: 2, players: (at: number) => 15 + Math.round(5 * Math.sin(at / 4_800_000)) }

test("no route of an owner's panel shifts when its data arrives late", async ({ page: owner, program, signInAs, username }) => {
  test.setTimeout(300_000)
  await startSession(owner, username)
  const admin = await signInAs('admin')
  const other = await signInAs(`${username}_other`)
  await forceTier(admin, owner, 'GOLD')
  await createVerifiedServer(admin, `Lighthouse ${username}`)
  const server = await createServerWithHistory(owner, program, { name: `Lantern ${username}`, tags: ['survival'] }, DAY_HISTORY)
  const imitation = await createServer(owner, { name: `Lighthouse ${username} Official` })
  await announce(program, imitation.credential)
  await expect.poll(() => isListed(program, imitation.public_id)).toBe(true)
  for (let index = 0; index < 6; index += 1) await createServer(owner, { name: `Harbour ${index} of ${username}` })
  const managed = await createServerWithHistory(other, program, { name: `Pier of ${username}` }, DAY_HISTORY)
  await grantManager(other, owner, 'EDIT_DETAILS')
  const offered = await createServer(other, { name: `Offer of ${username}` })
  await offerServer(other, offered.public_id, owner)
  const ownerId = await idOf(owner)
  const issues = () => send<{ id: string }[]>(owner, `GET /api/users/${ownerId}/protection-issues`)
  await expect.poll(async () => (await issues()).length).toBeGreaterThan(0)
  const [issue] = await issues()
  await observeShifts(owner.context())
  await delayCalls(owner.context())
  const announceAll = () => Promise.all([server, imitation, managed].map(({ credential }) => announce(program, credential)))
  await expectStable(
    owner,
    [
      '/servers',
      '/servers/new',
      `/servers/${server.public_id}`,
      `/servers/${imitation.public_id}`,
      `/servers/${server.public_id}?tab=listing`,
      `/servers/${server.public_id}?tab=announces`,
      `/servers/${server.public_id}?tab=connect`,
      `/servers/${server.public_id}?tab=activity`,
      `/servers/${server.public_id}?tab=danger`,
      `/management/${await idOf(other)}/servers/${managed.public_id}`,
      '/benefits',
      '/benefits/custom_banner',
      '/downloads',
      '/settings/profile',
      '/settings/preferences',
      '/settings/sessions',
      '/settings/api-keys',
      '/settings/webhooks',
      '/settings/webhooks/new',
      '/settings/managers',
      '/settings/transfers',
      '/settings/notifications',
      '/settings/activity',
      '/settings/delete-account',
      '/inbox',
      '/protection-issues',
      `/protection-issues/${issue?.id}`,
    ],
    announceAll,
  )
})

test("no route of an administrator's panel shifts when its data arrives late", async ({ page: admin, program, signInAs, username }) => {
  test.setTimeout(300_000)
  await startSession(admin, 'admin')
  const owner = await signInAs(username)
  await createVerifiedServer(admin, `Lighthouse ${username}`)
  const imitation = await createServerWithHistory(owner, program, { name: `Lighthouse ${username} Official` }, DAY_HISTORY)
  const ownerId = await idOf(owner)
  const issues = () => send<{ id: string }[]>(owner, `GET /api/users/${ownerId}/protection-issues`)
  await expect.poll(async () => (await issues()).length).toBeGreaterThan(0)
  const [issue] = await issues()
  await observeShifts(admin.context())
  await delayCalls(admin.context())
  await expectStable(admin, [
    '/servers',
    '/admin/servers',
    `/admin/servers/${imitation.public_id}`,
    '/admin/users',
    `/admin/users/${ownerId}`,
    `/admin/users/${ownerId}/servers`,
    `/admin/users/${ownerId}/benefits`,
    `/admin/users/${ownerId}/protection`,
    `/admin/users/${ownerId}/activity`,
    `/admin/users/${ownerId}/settings`,
    '/admin/protection-issues',
    `/admin/protection-issues/${issue?.id}/users/${ownerId}`,
    '/admin/audit',
    '/admin/statistics',
    '/admin/status',
  ])
})

test('the page of an issue does not shift when the reports arrive late', async ({ page: admin, program, signInAs, username }) => {
  await startSession(admin, 'admin')
  const owner = await signInAs(username)
  const { public_id: id, credential } = await createServer(owner, { name: `Reported ${username}` })
  await announce(program, credential)
  await expect.poll(() => isListed(program, id)).toBe(true)
  for (const reason of ['fake_players', 'impersonation', 'offensive', 'other']) {
    const reporter = await signInAs(`${username}_${reason}`)
    await send(reporter, `POST /api/public/servers/${id}/reports`, { reason, details: `It is ${reason}.` })
  }
  const issues = () => send<{ id: string }[]>(admin, `GET /api/admin/protection-issues?server_id=${id}&kind=PLAYER_REPORTS`)
  await expect.poll(async () => (await issues()).length).toBe(1)
  const path = `/admin/protection-issues/${(await issues())[0]?.id}/users/${await idOf(owner)}`
  await observeShifts(admin.context())
  await delayCalls(admin.context())
  for (const size of SIZES) {
    await admin.setViewportSize(size)
    await admin.goto('about:blank')
    await admin.goto(path)
    await expect(admin.getByText('It is offensive.')).toBeAttached()
    await admin.waitForTimeout(QUIET_MS)
    const shifts = await admin.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
    const total = shifts.reduce((sum, { value }) => sum + value, 0)
    expect.soft(total, `${size.width}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(MAX_SHIFT)
  }
})

test('the login page does not shift when its numbers arrive late, or refresh with a new server', async ({
  page,
  program,
  signInAs,
  username,
}) => {
  await observeShifts(page.context())
  await delayCalls(page.context())
  await expectStable(page, ['/login'])
  const owner = await signInAs(username)
  const { public_id, credential } = await createServer(owner, { name: `Late ${username}` })
  await page.clock.install()
  await page.goto('/login')
  await expect(page.getByText('Most players')).toBeVisible()
  await announce(program, credential, { playersCount: 100 })
  const top = page.getByRole('link', { name: `Late ${username}` })
  // The summary of the list is up to ten seconds old.
  await expect(async () => {
    await page.clock.runFor(12_000)
    await expect(top).toHaveAttribute('href', `/s/${public_id}`, { timeout: 1000 })
  }).toPass()
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
  expect(
    shifts.reduce((sum, { value }) => sum + value, 0),
    JSON.stringify(shifts),
  ).toBeLessThanOrEqual(MAX_SHIFT)
})

test('the reason why the session ended does not move the button of the login page', async ({ page }) => {
  await observeShifts(page.context())
  await delayCalls(page.context())
  await page.addInitScript(() => {
    if (location.pathname === '/login') sessionStorage.setItem('muster.farewell', 'Your session has ended.')
  })
  await page.setViewportSize({ width: 390, height: 844 })
  const shifts = await shiftsOf(page, '/login')
  await expect(page.getByText('Your session has ended.')).toBeVisible()
  // The names of languages may move sideways when their letters arrive.
  const places = shifts.flatMap(({ moved }) => moved).map((move) => move.split(' ').slice(-3))
  expect(places.filter(([from, , to]) => from !== to)).toEqual([])
})

test('the page of an account in deletion does not shift when the address for questions arrives late', async ({ page, username }) => {
  await startSession(page, username)
  await send(page, 'POST /api/auth/me/delete')
  await observeShifts(page.context())
  await delayCalls(page.context())
  await expectStable(page, ['/'])
})
