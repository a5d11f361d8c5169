/** A program with the operator's name, logo, colour and legal links. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { discard, type Program, startProgram, temporaryFolder, untilReady } from '#tests/program.ts'
import { announce, createServer, expect, expectAccessible, isListed, signIn, test as base } from '#tests/journeys/journey.ts'
import { openEnhanced, expectAccessibleInBothThemes, observeShift } from '#tests/journeys/public/public-page.ts'
import { SVG_LOGO } from '#tests/logos.ts'

/** As long as names can be. */
const NAME = 'Hafenliste der Norddeutschen Spielstädte'
const LINKS = { Terms: 'https://kiez.example/terms', Privacy: 'https://kiez.example/privacy', Imprint: 'https://kiez.example/imprint' }
const PHONE = { width: 360, height: 780 }
const DESKTOP = { width: 1440, height: 900 }

const test = base.extend<object, { program: Program }>({
  program: [
    async ({ browserName: _browser }, provide) => {
      const folder = temporaryFolder()
      const logo = join(folder, 'logo.svg')
      writeFileSync(logo, SVG_LOGO)
      const { Terms: TERMS_URL, Privacy: PRIVACY_URL, Imprint: IMPRINT_URL } = LINKS
      const brand = { BRAND_NAME: NAME, BRAND_LOGO: logo, BRAND_ACCENT: '#0d6b4f' }
      const program = await untilReady(await startProgram(folder, { ...brand, TERMS_URL, PRIVACY_URL, IMPRINT_URL }))
      await provide(program)
      discard(folder, program)
    },
    { scope: 'worker' },
  ],
})

const loadedLogo = (page: Page) =>
  expect
    .poll(() =>
      page
        .locator('img[src="/brand/logo"]')
        .first()
        .evaluate((image) => (image as HTMLImageElement).naturalWidth > 0),
    )
    .toBe(true)

async function expectLinks(page: Page): Promise<void> {
  for (const [name, url] of Object.entries(LINKS)) await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('href', url)
}

const fitsWindow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
const fillOf = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).evaluate((button) => getComputedStyle(button).backgroundColor)

test('the login has the name, logo, colour and links, and nothing moves', async ({ page }) => {
  const shift = await observeShift(page)
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size)
    await page.goto('/login')
    await expect(page).toHaveTitle(`Sign in · ${NAME}`)
    await expect(page.getByRole('heading', { name: NAME, level: 1 })).toBeVisible()
    await loadedLogo(page)
    await expectLinks(page)
    expect(await fitsWindow(page)).toBe(true)
    await expectAccessibleInBothThemes(page, `login, ${size.width} px`)
    expect(await shift()).toBeLessThan(0.02)
  }
  // The colour as it is in light, and a lighter one in dark.
  expect(await fillOf(page, 'Sign in')).toBe('rgb(13, 107, 79)')
  await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'))
  await expect.poll(() => fillOf(page, 'Sign in')).not.toBe('rgb(13, 107, 79)')
})

test('the panel has them in its rail and titles', async ({ page, username }) => {
  await signIn(page, username)
  await expect(page).toHaveTitle(`Servers · ${NAME}`)
  await expect(page.getByRole('link', { name: `${NAME}, your servers` })).toBeVisible()
  await loadedLogo(page)
  await expectAccessible(page, 'servers')
})

test('the public pages have them, and their links', async ({ page, program, username }) => {
  await signIn(page, username)
  const { public_id: id, credential } = await createServer(page, { name: `Lantern ${username}` })
  await announce(program, credential)
  await expect.poll(() => isListed(program, id)).toBe(true)
  for (const path of ['/browse', `/s/${id}`]) {
    for (const size of [DESKTOP, PHONE]) {
      await page.setViewportSize(size)
      await openEnhanced(page, path)
      await expect(page).toHaveTitle(new RegExp(`${NAME}$`))
      await loadedLogo(page)
      await expectLinks(page)
      expect(await fitsWindow(page)).toBe(true)
      await expectAccessibleInBothThemes(page, `${path}, ${size.width} px`)
    }
  }
})
