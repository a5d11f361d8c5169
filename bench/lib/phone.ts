/** Measures pages in a browser that is as slow as a phone on a mobile network. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, devices } from '@playwright/test'
import { findBrowser, launchOptions } from '#tests/journeys/find-browser.ts'

/** Lighthouse's slow 4G, with the delay of each request. */
const NETWORK = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 }
const CPU_SLOWDOWN = 4
/** After the heading, for later paints and shifts. */
const SETTLED_MS = 2000

/** Runs in each page, before its own scripts. */
const OBSERVE = `
  globalThis.figures = { paint: 0, blocking: 0, shift: 0 }
  const on = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  on('largest-contentful-paint', ({ startTime }) => (figures.paint = startTime))
  on('longtask', ({ duration }) => (figures.blocking += duration - 50))
  on('layout-shift', ({ value }) => (figures.shift += value))`

export interface PageRun {
  /** Of the JavaScript that was transferred. */
  readonly bytes: number
  /** The largest contentful paint in milliseconds. */
  readonly paint: number
  /** How much longer than 50 ms tasks took, in milliseconds. */
  readonly blocking: number
  /** The sum of layout shifts. */
  readonly shift: number
}

export interface Page {
  readonly name: string
  readonly url: string
  /** The session; signed out without it. */
  readonly cookie?: string
}

export async function startBrowser(): Promise<Browser> {
  return await chromium.launch(launchOptions(await findBrowser()))
}

export async function measure(browser: Browser, { url, cookie = '' }: Page): Promise<PageRun> {
  const context = await browser.newContext({ ...devices['Moto G4'], locale: 'en' })
  try {
    const pairs = cookie.split('; ').filter((pair) => pair !== '')
    await context.addCookies(pairs.map((pair) => ({ name: pair.split('=')[0] ?? '', value: pair.slice(pair.indexOf('=') + 1), url })))
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', NETWORK)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    const scripts: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    await page.addInitScript({ content: OBSERVE })
    await page.goto(url)
    await page.locator('h1').first().waitFor()
    await sleep(SETTLED_MS)
    const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)
    return { bytes, ...(await page.evaluate<Omit<PageRun, 'bytes'>>('figures')) }
  } finally {
    await context.close()
  }
}
