/** The journeys: the real program, a real browser, nothing in between. */
import { defineConfig } from '@playwright/test'

// oxlint-disable-next-line import/no-default-export -- Playwright reads the default export
export default defineConfig({
  testDir: 'tests/journeys',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './tests/journeys/find-browser.ts',
  timeout: 120_000,
  // Polling repeats every 15 s (`POLL_MS` in web/features/live/live-updates.ts) and is slow on a busy machine.
  expect: { timeout: 25_000 },
  // Each waits for half of its time: four keep two cores busy.
  workers: 4,
  fullyParallel: false,
  // A busy machine delays a journey now and then. The run reports each as flaky.
  retries: 1,
  reporter: 'list',
  // A trace costs as much as the journey: `TRACE=1 npm test -- journeys` where one fails that can't be seen in its screenshot.
  use: {
    viewport: { width: 1440, height: 900 },
    // Each frame of a transition is painted without a graphics card: a fifth of all CPU time. `layout-shift.spec.ts` has motion.
    contextOptions: { reducedMotion: 'reduce' },
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
})
