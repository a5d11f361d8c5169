/** The public page of a server: its graph, its footer, and reports. */
import type { Page } from '@playwright/test'
import { DEFAULT_BRAND } from '#contract/public-site/brand.ts'
import type { PublicServerView, PublicSite, RenderPublicPage } from '#contract/public-site/public-site.ts'
import type { Program } from '#tests/program.ts'
import { announce, createServer, expect, isListed, signInFromLoginPage, test } from '#tests/journeys/journey.ts'
import { openEnhanced, expectAccessibleInBothThemes } from './public-page.ts'

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
  const url = new URL('../../../dist/render/render.js', import.meta.url).href
  const { renderPublicPage } = (await import(url)) as { renderPublicPage: RenderPublicPage }
  const html = await (await page.request.get(path)).text()
  const addressOf = (pattern: RegExp) => pattern.exec(html)?.[1] ?? ''
  const assets = {
    script: addressOf(/<script type="module" src="([^"]+)"/),
    styles: [addressOf(/<link rel="stylesheet" href="([^"]+)"/)],
    font: addressOf(/<link rel="preload" href="([^"]+)" as="font"/),
  }
  const body = renderPublicPage({ kind: 'page', view }, { language: 'en', site: { ...SITE, origin, listUrl }, assets })
  await page.route(`**${path}`, (route) => route.fulfill({ contentType: 'text/html', body }))
}

const SITE: Omit<PublicSite, 'origin' | 'listUrl'> = {
  brand: DEFAULT_BRAND,
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
