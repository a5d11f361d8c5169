/** The public pages for a visitor: search, live numbers, favourites, the keyboard, a phone, and no scripts at all. */
import type { Page } from '@playwright/test'
import type { PublicServerView, PublicSite, RenderedPublicPage } from '#contract/public-site.ts'
import type { Program } from '#tests/program.ts'
import {
  announce,
  createServer,
  expect,
  expectNoSidewaysScrolling,
  expectNoViolations,
  holdRequests,
  isListed,
  signInFromLoginPage,
  test,
} from '#tests/journeys/journey.ts'
import { send } from '#tests/journeys/users.ts'

/** Public pages show their theme by this attribute, as the panel does. */
const THEMES = ['dark', 'light'] as const
/** As often as a page refreshes itself (`REFRESH_MS` in web/public-site/enhance/live-page.ts). */
const REFRESH_MS = 10_000

const namesOn = async (page: Page) => await page.locator('.row-name bdi').allTextContents()
const starOf = (page: Page, name: string) => page.getByRole('button', { name: `Favourite: ${name}` })

/** Opens a page and waits for its script, which loads after the first paint. */
async function openEnhanced(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForLoadState('networkidle')
}

/** Until a row has this text. */
async function refreshUntil(page: Page, text: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(REFRESH_MS)
      return (await page.locator('.row').allTextContents()).join('\n')
    })
    .toContain(text)
}

/** Returns a function that reads how much has moved since the page opened. */
async function observeShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) (window as unknown as { shift: number }).shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async () => await page.evaluate(() => (window as unknown as { shift: number }).shift)
}

/** Servers have their week an hour later. Until then, the page is the one that the backend would render. */
async function showWeekOn(page: Page, { panelUrl: origin, listUrl }: Program, publicId: string): Promise<void> {
  const path = `/s/${publicId}`
  const stepMs = 3 * 3_600_000
  const from = Date.UTC(2026, 10, 20)
  const highest = Array.from({ length: 56 }, (_, step) => (step < 4 ? null : step))
  const view: PublicServerView = {
    ...VIEW,
    publicId,
    path,
    week: { from, stepMs, highest, peak: { players: 55, at: from + 55 * stepMs }, uptime: 1 },
  }
  const url = new URL('../../../dist/render/en/public-site.mjs', import.meta.url).href
  const { renderServer } = (await import(url)) as { renderServer: (view: PublicServerView, site: PublicSite) => RenderedPublicPage }
  const { body } = renderServer(view, { ...SITE, origin, listUrl })
  const html = await (await page.request.get(path)).text()
  const shown = html.replace(/(<body[^>]*>)[\s\S]*(?=<\/body>)/, (_, start: string) => start + body)
  await page.route(`**${path}`, (route) => route.fulfill({ contentType: 'text/html', body: shown }))
}

const SITE: Omit<PublicSite, 'origin' | 'listUrl'> = {
  acceptsReports: true,
  termsUrl: 'https://muster.example/terms',
  privacyUrl: undefined,
  imprintUrl: undefined,
}

const VIEW: Omit<PublicServerView, 'publicId' | 'path' | 'week'> = {
  name: 'Lantern',
  description: 'Bring a light.',
  iconUrl: null,
  isVerified: true,
  isPromoted: true,
  isPassworded: true,
  isOnline: true,
  players: 64,
  maxPlayers: 64,
  arePlayersConfirmed: false,
  language: 'en',
  region: 'eu-west',
  gameMode: 'Roleplay',
  version: '1.0.0',
  tags: ['night', 'fog'],
  growth: 7,
  bannerUrl: '',
  website: 'https://lantern.example',
  group: { id: 'a', name: 'Lights' },
  branch: 'release',
  address: '127.0.0.1:7788',
  connectUrl: undefined,
  queue: 2,
  usesVoiceChat: true,
  since: Date.UTC(2026, 10, 20),
  createdAt: Date.UTC(2026, 10, 1),
}

async function expectAccessibleInBothThemes(page: Page, where: string): Promise<void> {
  for (const theme of THEMES) {
    await page.evaluate((value) => {
      document.documentElement.dataset['theme'] = value
    }, theme)
    await expectNoViolations(page, `${where}, ${theme}`)
  }
}

test('a visitor searches, sees live numbers, keeps favourites and opens a server', async ({
  page,
  program,
  signInAs,
  browser,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/404 \(Not Found\) .*\/s\/unknown-server$|ERR_FAILED|400 \(Bad Request\)/)
  const owner = await signInAs(username)
  const names = [`Lantern ${username}`, `Harbour ${username}`] as const
  const [lantern, harbour] = names
  const servers = [
    await createServer(owner, { name: lantern, tags: ['night'], description: 'Bring a light.' }),
    await createServer(owner, { name: harbour, language: 'de' }),
  ] as const
  for (const { credential } of servers) await announce(program, credential)
  for (const { public_id: id } of servers) await expect.poll(() => isListed(program, id)).toBe(true)
  await page.clock.install()
  const shiftOf = await observeShift(page)

  await test.step('typing searches, and the address follows', async () => {
    await openEnhanced(page, '/browse')
    await page.getByRole('searchbox').pressSequentially(`lantern ${username}`)
    await page.clock.runFor(200)
    await expect.poll(() => namesOn(page)).toEqual([lantern])
    await expect(page).toHaveURL(`/browse?q=lantern+${username}`)
    await expect(page).toHaveTitle(`Game servers · “lantern ${username}” · Muster`)
    await page.reload()
    expect(await namesOn(page)).toEqual([lantern])
    await expect(page.getByRole('searchbox')).toHaveValue(`lantern ${username}`)
  })

  await test.step('numbers change and servers appear without a reload, and nothing moves', async () => {
    await page.goto(`/browse?q=${username}&sort=name`)
    await expect(page.locator('.row').first()).toContainText('37 / 128')
    await announce(program, servers[1].credential, { playersCount: 20 })
    await refreshUntil(page, '20 / 128')
    const { credential } = await createServer(owner, { name: `Zephyr ${username}` })
    await announce(program, credential, { playersCount: 9 })
    await refreshUntil(page, '9 / 128')
    expect(await shiftOf()).toBe(0)
  })

  await test.step('an open menu stays as it is during a refresh', async () => {
    const menu = page.locator('details[name=filter][open]')
    await page.locator('summary').filter({ hasText: 'Language' }).click()
    await menu.getByRole('link', { name: /German/ }).focus()
    await announce(program, servers[1].credential, { playersCount: 21 })
    await refreshUntil(page, '21 / 128')
    await expect(menu.getByRole('link', { name: /German/ })).toBeFocused()
    await page.keyboard.press('Escape')
  })

  await test.step('a failed search says so, and shows its servers once the connection is back', async () => {
    await page.route('**/browse?*', (route) => route.abort())
    await page.getByRole('searchbox').fill(`lantern ${username}`)
    await page.clock.runFor(200)
    const status = page.getByText('Couldn’t update this page.')
    await expect(status).toBeVisible()
    await page.unroute('**/browse?*')
    await page.clock.runFor(REFRESH_MS)
    await expect.poll(() => namesOn(page)).toEqual([lantern])
    await expect(status).toBeHidden()
  })

  await test.step('a rejected search shows the sentence of the backend', async () => {
    await page.getByRole('searchbox').fill('lan\u200Dtern')
    await page.clock.runFor(200)
    await expect(page.locator('[data-status]')).toContainText(/invisible|character/)
    await page.goto(`/browse?q=${username}`)
  })

  await test.step('a favourite stays after a reload, and Favourites shows only favourites', async () => {
    await starOf(page, harbour).click()
    await expect(starOf(page, harbour)).toHaveAttribute('aria-pressed', 'true')
    await page.reload()
    await expect(starOf(page, harbour)).toHaveAttribute('aria-pressed', 'true')
    await expect(starOf(page, lantern)).toHaveAttribute('aria-pressed', 'false')
    await page.getByRole('link', { name: /^Favourites/ }).click()
    await expect(page).toHaveURL(`/browse?ids=${servers[1].public_id}`)
    expect(await namesOn(page)).toEqual([harbour])
  })

  await test.step('the keyboard opens a filter, and Escape closes it', async () => {
    await openEnhanced(page, '/browse')
    const menu = page.locator('details[name=filter]').filter({ hasText: 'Language' })
    const summary = menu.locator('summary')
    await summary.focus()
    await page.keyboard.press('Enter')
    await expect(menu.getByRole('link', { name: /German/ })).toBeVisible()
    await expectAccessibleInBothThemes(page, '/browse with a menu')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await expect(menu).not.toHaveAttribute('open')
    await expect(summary).toBeFocused()
    await page.keyboard.press('Enter')
    await menu.getByRole('link', { name: /German/ }).press('Enter')
    await expect(page).toHaveURL('/browse?language=de')
    await page.getByRole('link', { name: 'Remove filter German' }).press('Enter')
    await expect(page).toHaveURL('/browse')
  })

  await test.step('the page of a server copies its address and is recently viewed', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`/browse?q=${username}`)
    await page.getByRole('link', { name: lantern }).click()
    await page.waitForLoadState('networkidle')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(lantern)
    await page.getByRole('button', { name: 'Connect' }).click()
    await expect(page.getByText('Address copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('127.0.0.1:7788')
    await expectAccessibleInBothThemes(page, 'the page of a server')
    await openEnhanced(page, '/browse')
    await page.getByRole('link', { name: 'Recently viewed' }).click()
    expect(await namesOn(page)).toEqual([lantern])
  })

  await test.step('the card on another site changes in place', async () => {
    await openEnhanced(page, `/s/${servers[0].public_id}/embed`)
    await expectAccessibleInBothThemes(page, 'the card')
    await page.getByRole('link').focus()
    await announce(program, servers[0].credential, { playersCount: 55 })
    await expect
      .poll(async () => {
        await page.clock.runFor(60_000)
        return await page.locator('main').innerText()
      })
      .toContain('55 of 128')
    await expect(page.getByRole('link')).toBeFocused()
  })

  await test.step('the narrowest phone', async () => {
    await page.setViewportSize({ width: 360, height: 800 })
    for (const path of ['/browse', `/s/${servers[0].public_id}`, '/s/unknown-server']) {
      await page.goto(path)
      await expectNoSidewaysScrolling(page, path)
    }
    await openEnhanced(page, `/s/${servers[0].public_id}`)
    await page.getByRole('button', { name: /^Copy/ }).last().click()
    await expect(page.getByText('Copied', { exact: true })).toBeVisible()
    await expectNoSidewaysScrolling(page, 'a copied code')
  })

  await test.step('without scripts the content is the same, and the form searches', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const plain = await context.newPage()
    await plain.goto('/browse?language=de')
    await plain.getByRole('searchbox').fill(username)
    await plain.getByRole('combobox').selectOption('name')
    await plain.getByRole('button', { name: 'Search' }).click()
    await expect(plain).toHaveURL(`/browse?language=de&q=${username}&sort=name`)
    expect(await namesOn(plain)).toEqual([harbour])
    await expect(plain.getByRole('link', { name: /^Favourites/ })).toBeHidden()
    await plain.getByRole('link', { name: harbour }).click()
    await expect(plain.getByText('127.0.0.1:7788')).toBeVisible()
    await expect(plain.getByRole('button', { name: 'Connect' })).toBeHidden()
    await context.close()
  })
})

test('a phone shows whole names, and filters in a sheet, with and without scripts', async ({
  page,
  program,
  signInAs,
  browser,
  username,
}) => {
  const owner = await signInAs(username)
  const name = `Nordlicht ${username} Roleplay Deutschland, seriös & freundlich`.slice(0, 64)
  const server = await createServer(owner, { name, language: 'de', tags: ['roleplay', 'voice', 'whitelist'] })
  const other = await createServer(owner, { name: `Harbour ${username}` })
  await send(await signInAs('admin'), `PATCH /api/admin/tokens/${server.public_id}`, { verified: true })
  for (const { credential } of [server, other]) await announce(program, credential, { passworded: true })
  for (const { public_id: id } of [server, other]) await expect.poll(() => isListed(program, id)).toBe(true)
  const address = `/browse?q=${username}`

  await test.step('a font that comes late moves nothing', async () => {
    const shiftOf = await observeShift(page)
    const release = await holdRequests(page, '**/*.woff2', 'GET')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/s/${server.public_id}`, { waitUntil: 'domcontentloaded' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const loaded = page.waitForResponse('**/inter-latin-*.woff2')
    release()
    await (await loaded).finished()
    await page.evaluate(async () => {
      await document.fonts.ready
      await new Promise(requestAnimationFrame)
    })
    expect(await shiftOf()).toBe(0)
    await page.unroute('**/*.woff2')
  })

  const row = page.locator(`#server-${server.public_id}`)
  const sheet = page.locator('#filters')

  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await openEnhanced(page, address)
    const nameBox = (await row.locator('.row-name bdi').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    expect((await page.locator('.row').first().boundingBox())?.y).toBeLessThan(300)
    expect(nameBox.width).toBeGreaterThan(150)
    expect(await row.locator('.row-name bdi').evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
    for (const mark of [
      row.getByRole('img', { name: 'Verified' }),
      row.getByRole('img', { name: 'Password required' }),
      row.getByText('37 / 128'),
    ])
      expect((await mark.boundingBox())?.y).toBeGreaterThan(nameBox.y + nameBox.height - 1)
    await expectNoSidewaysScrolling(page, `${address} at ${width}`)
  }

  await test.step('the sheet stays open while the visitor chooses, counts the servers, and Back undoes a choice', async () => {
    await page.getByRole('button', { name: 'Filters' }).click()
    await expect(sheet.getByRole('button', { name: 'Show 2 servers' })).toBeVisible()
    await expectAccessibleInBothThemes(page, 'the sheet of the filters')
    await sheet.locator('summary', { hasText: 'Language' }).click()
    await sheet.getByRole('link', { name: /German/ }).click()
    await expect(sheet.getByRole('button', { name: 'Show 1 server' })).toBeVisible()
    await expect(page).toHaveURL(`/browse?q=${username}&language=de`)
    await page.goBack()
    await expect(sheet.getByRole('button', { name: 'Show 2 servers' })).toBeVisible()
    await page.goForward()
    await sheet.getByRole('button', { name: 'Show 1 server' }).click()
    await expect(sheet).toBeHidden()
    await expect(page.getByRole('button', { name: 'Filters 1' })).toBeVisible()
    expect(await namesOn(page)).toEqual([name])
  })

  await test.step('without scripts too', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 844 }, colorScheme: 'light' })
    const plain = await context.newPage()
    await plain.goto(address)
    expect(await plain.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light')
    await plain.getByRole('button', { name: 'Filters' }).click()
    await plain.locator('#filters summary', { hasText: 'Language' }).click()
    await plain.getByRole('link', { name: /German/ }).click()
    await expect(plain).toHaveURL(`/browse?q=${username}&language=de`)
    expect(await namesOn(plain)).toEqual([name])
    await expectNoSidewaysScrolling(plain, `${address} without scripts`)
    await plain.getByRole('button', { name: 'Language: English' }).click()
    await plain.getByRole('button', { name: 'Deutsch' }).click()
    await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Gameserver')
    await expect(plain).toHaveURL(`/browse?q=${username}&language=de`)
    await expect(plain.getByRole('group', { name: 'Design' })).toBeHidden()
    await context.close()
  })
})

test('the page of a server reads its graph by pointer and keyboard, and the footer keeps the theme', async ({
  page,
  program,
  signInAs,
  username,
  allowBrowserError,
}) => {
  // The page that is shown instead is not from this machine, for the browser.
  allowBrowserError(/badge\.svg/)
  const server = await createServer(await signInAs(username), { name: `Lantern ${username}`, tags: ['night'] })
  await announce(program, server.credential)
  await expect.poll(() => isListed(program, server.public_id)).toBe(true)
  const path = `/s/${server.public_id}`
  await showWeekOn(page, program, server.public_id)
  await openEnhanced(page, path)
  const graph = page.locator('[data-graph]')
  const cursor = page.getByRole('slider', { name: 'Graph of players in the last 7 days' })

  await test.step('pointer and arrow keys', async () => {
    await expect(graph).toContainText(/^Highest: \d+/)
    await graph.hover({ position: { x: 200, y: 80 } })
    await expect(graph).toContainText(/\d:\d{2}.* · Highest: \d+/)
    await page.mouse.move(0, 0)
    await expect(graph).toContainText(/^Highest: \d+/)
    await cursor.focus()
    await page.keyboard.press('ArrowLeft')
    const before = await cursor.getAttribute('aria-valuetext')
    expect(before).toMatch(/Highest: \d+$/)
    await expect(graph).toContainText(before ?? '')
    await page.keyboard.press('ArrowLeft')
    await expect(cursor).not.toHaveAttribute('aria-valuetext', before ?? '')
    await page.keyboard.press('Escape')
    await expect(graph).toContainText(/^Highest: \d+/)
    await expectAccessibleInBothThemes(page, 'the graph')
  })

  await test.step('every target has at least 24 pixels', async () => {
    const small = await page.locator('a, button, summary, select, input, textarea').evaluateAll((elements) =>
      elements
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ element, box }) => box.width > 1 && (box.width < 24 || box.height < 24) && element.checkVisibility())
        .map(({ element }) => element.outerHTML.slice(0, 80)),
    )
    expect(small).toEqual([])
  })

  await test.step('the theme is the one of the panel, and stays', async () => {
    const theme = page.getByRole('group', { name: 'Theme' })
    await theme.getByRole('button', { name: 'Light' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
    await openEnhanced(page, '/browse')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
    await expect(theme.getByRole('button', { name: 'Light' })).toHaveAttribute('aria-pressed', 'true')
    expect(await page.evaluate(() => localStorage.getItem('muster.theme'))).toBe('light')
    await theme.getByRole('button', { name: 'System' }).click()
    expect(await page.evaluate(() => localStorage.getItem('muster.theme'))).toBeNull()
  })

  await test.step('/ focuses the search, and types into fields', async () => {
    const search = page.getByRole('searchbox')
    await page.keyboard.press('/')
    await expect(search).toBeFocused()
    await page.keyboard.press('/')
    await expect(search).toHaveValue('/')
  })
})

test('a visitor reports a server: the form survives signing in, and says what happened', async ({
  page,
  program,
  signInAs,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/40[39] /)
  const server = await createServer(await signInAs(username), { name: `Lantern ${username}` })
  await announce(program, server.credential)
  await expect.poll(() => isListed(program, server.public_id)).toBe(true)
  await openEnhanced(page, `/s/${server.public_id}`)
  const reason = page.getByRole('combobox', { name: 'Reason' })
  const details = page.getByLabel('What happened? (optional)')
  const send = page.getByRole('button', { name: 'Send report' })
  const signInLink = page.getByRole('link', { name: 'Sign in to report' })

  await page.locator('summary', { hasText: 'Report this server' }).press('Enter')
  await reason.selectOption('Its player count is fake')
  await details.fill('Nobody is there.')
  await send.press('Enter')
  await expect(signInLink).toBeVisible()
  await expect(send).toBeFocused()
  await expectAccessibleInBothThemes(page, 'the report form')
  await signInLink.click()
  await signInFromLoginPage(page, `${username}_player`)
  await expect(page).toHaveURL(`/s/${server.public_id}`)
  await expect(details).toHaveValue('Nobody is there.')
  await send.click()
  await expect(page.getByText('Thank you. Your report was sent.')).toBeVisible()
  await expect(signInLink).toBeHidden()

  await reason.selectOption('Something else')
  await send.click()
  await expect(page.getByText('You reported this server on')).toBeVisible()
  await expect(signInLink).toBeHidden()
})
