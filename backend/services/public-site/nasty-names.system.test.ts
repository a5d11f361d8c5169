/** Nasty names in a browser, on the narrowest phone: shown exactly, with no error, dialog, report or sideways scrolling. */
import { type Browser, type Page, chromium } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { findBrowser, launchOptions } from '#tests/journeys/find-browser.ts'
import { announceFrom, fleetOwner } from '#tests/list/send.ts'
import { untilListed } from '#tests/public-pages.ts'
import { sampleOf } from '#tests/nasty-names.ts'
import { STORABLE_NAMES, storeNames } from '#tests/public-names.ts'

/** More than one page of the list at full size. */
const NAMES = sampleOf(STORABLE_NAMES)

let app: TestApp
let browser: Browser
const ids: string[] = []

beforeAll(async () => {
  browser = await chromium.launch(launchOptions(await findBrowser()))
  app = await startApp({}, { hasPages: true })
  const owner = await fleetOwner(app)
  const servers = []
  for (const _ of NAMES) servers.push(await buildServer(owner))
  ids.push(...servers.map((server) => server.public_id))
  await app.restart(async () => await storeNames(app, ids, NAMES))
  await Promise.all(servers.map((server) => announceFrom(app, server.credential, { maxPlayersCount: 64 })))
  await untilListed(app, NAMES)
})

afterAll(async () => await browser.close())

/** Opens a page that collects its errors. */
async function openPage(): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({ viewport: { width: 360, height: 800 }, baseURL: app.panelUrl })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    // The address of a badge names the default port of the list. Tests use a free one.
    if (message.type() === 'error' && !message.text().includes('ERR_UNSAFE_PORT')) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('dialog', (dialog) => {
    errors.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { page, errors }
}

const isTooWide = async (page: Page) => await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
/** As `document.title` has it. */
const collapse = (text: string) => text.replaceAll(/[\t\n\f\r ]+/g, ' ').trim()

test('the pages of the list', async () => {
  const { page, errors } = await openPage()
  const names: (string | null)[] = []
  for (let at = 1; names.length < NAMES.length; at += 1) {
    await page.goto(`/browse?page=${at}`)
    const shown = await page.locator('.row-name bdi').evaluateAll((all) => all.map((each) => each.textContent))
    expect(shown.length).toBeGreaterThan(0)
    names.push(...shown)
    expect([at, await isTooWide(page)]).toEqual([at, false])
  }
  expect(names.toSorted()).toEqual(NAMES.toSorted())
  expect(errors).toEqual([])
})

test.each(['', '/embed'])('the pages of the servers: /s/{id}%s', { timeout: 180_000 }, async (suffix) => {
  const { page, errors } = await openPage()
  for (const [index, id] of ids.entries()) {
    const name = NAMES[index] ?? ''
    await page.goto(`/s/${id}${suffix}`)
    const shown = await page.locator('main bdi').first().textContent()
    expect([shown, await page.title(), await isTooWide(page)]).toEqual([name, collapse(`${name} · Muster`), false])
  }
  expect(errors).toEqual([])
})
