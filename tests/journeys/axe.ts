/** Axe in a page of the panel. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

/** Minified, because each page parses it. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Waits until all transitions have ended. An inherited colour change can start another transition. */
export async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    // A scroll-driven animation never ends.
    const isByTime = ({ timeline }: Animation) => timeline === document.timeline
    const runningAnimations = () =>
      document.getAnimations().filter((each) => isByTime(each) && each.effect?.getTiming().iterations === 1 && each.playState === 'running')
    await nextFrame()
    for (let running = runningAnimations(); running.length > 0; running = runningAnimations()) {
      await Promise.allSettled(running.map((each) => each.finished))
      await nextFrame()
    }
  })
}

/**
 * All axe violations on the page. It runs in the page. Axe's Playwright package takes eight times as long, because it opens a
 * second page and transfers the passed checks too. No page has frames.
 */
export async function violationsOn(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  return await page.evaluate(async () => {
    // Whether the last click has left a tooltip open is chance, and an open one is outside of all landmarks.
    document.querySelector<HTMLElement>('[role="tooltip"]:popover-open')?.hidePopover()
    const { run } = (window as unknown as { axe: { run: typeof axe.run } }).axe
    // A toast is translucent while it fades in or out. It is checked in between.
    const exclude = ['[data-sonner-toast][data-removed="true"]', '[data-sonner-toast][data-mounted="false"]']
    const { violations } = await run({ exclude: exclude.map((selector) => [selector]) }, { resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
  })
}
