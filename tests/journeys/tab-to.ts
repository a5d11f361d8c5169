/** Moves the keyboard focus with Tab. */
import type { Locator, Page } from '@playwright/test'

/** Presses Tab until the control has the focus. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${String(wanted)}.`)
}
