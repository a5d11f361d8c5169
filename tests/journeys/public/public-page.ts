/** Steps on the public pages. */
import type { Page } from '@playwright/test'
import { expectNoViolations } from '#tests/journeys/journey.ts'

/** Public pages show their theme by this attribute, as the panel does. */
export const THEMES = ['dark', 'light'] as const

/** Opens a page and waits for its script, which loads after the first paint. */
export async function openEnhanced(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForLoadState('networkidle')
}

/** Returns a function that reads how much has moved since the page opened. */
export async function observeShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) (window as unknown as { shift: number }).shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async () => await page.evaluate(() => (window as unknown as { shift: number }).shift)
}

export async function expectAccessibleInBothThemes(page: Page, where: string): Promise<void> {
  for (const theme of THEMES) {
    await page.evaluate((value) => {
      document.documentElement.dataset['theme'] = value
    }, theme)
    await expectNoViolations(page, `${where}, ${theme}`)
  }
}
