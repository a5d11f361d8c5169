/**
 * Takes pictures of 32 screens at 1440 px in dark and at 390 px in light, to compare before and after a change of the looks, and writes the
 * accessible names of tabs, table, palette, dialog and menu. The program runs with the data of `npm run demo`.
 * `npm run screens -- http://localhost:3000 FOLDER [part of a name,…]`
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { findBrowser, launchOptions } from '#tests/journeys/find-browser.ts'
import { signInCookie } from '#tests/test-user.ts'
import { type Screen, screensOf } from './list.ts'

const [base = 'http://localhost:3000', folder = 'screens', names = ''] = process.argv.slice(2)

const SIZES = [
  { name: '1440-dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark', isMobile: false },
  { name: '390-light', viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true },
] as const

const MAX_HEIGHT = 6000
/** For graphs and images. */
const SETTLED_MS = 1200
const AFTER_ACTION_MS = 700

mkdirSync(folder, { recursive: true })
const browser = await chromium.launch(launchOptions(await findBrowser()))
for (const { name: size, ...options } of SIZES) {
  const contexts = new Map<string | undefined, BrowserContext>()
  const contextOf = async (user: string | undefined) => {
    const known = contexts.get(user)
    if (known) return known
    const context = await browser.newContext({ ...options, hasTouch: options.isMobile, reducedMotion: 'reduce', locale: 'en-GB' })
    if (user !== undefined) {
      const [name = '', value = ''] = (await signInCookie(base, user)).split('=')
      await context.addCookies([{ name, value, url: base }])
    }
    contexts.set(user, context)
    return context
  }
  for (const screen of await screensOf(base)) {
    if (!names.split(',').some((part) => screen.name.includes(part))) continue
    const page = await (await contextOf(screen.user)).newPage()
    await shoot(page, screen, size).catch((error: unknown) => process.stderr.write(`${screen.name}, ${size}: ${String(error)}\n`))
    await page.close()
  }
  for (const context of contexts.values()) await context.close()
}
await browser.close()

async function shoot(page: Page, { name, path, act, names: selector }: Screen, size: string): Promise<void> {
  await page.goto(base + path)
  await page.locator('h1:visible').first().waitFor()
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(SETTLED_MS)
  if (act) {
    await act(page)
    await page.waitForTimeout(AFTER_ACTION_MS)
  }
  await page.screenshot({ path: join(folder, `${name}-${size}.png`) })
  if (selector !== undefined) writeFileSync(join(folder, `${name}-${size}.yml`), await page.locator(selector).first().ariaSnapshot())
  await shootWholePage(page, join(folder, `${name}-${size}-full.png`))
}

/** The panel scrolls its main area, so the window grows instead. */
async function shootWholePage(page: Page, path: string): Promise<void> {
  const extra = await page.evaluate(() => {
    const main = document.getElementById('main')
    return Math.max(main ? main.scrollHeight - main.clientHeight : 0, document.documentElement.scrollHeight - innerHeight)
  })
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  if (extra <= 0) return
  await page.setViewportSize({ width, height: Math.min(MAX_HEIGHT, height + extra) })
  await page.waitForTimeout(AFTER_ACTION_MS)
  await page.screenshot({ path })
}
