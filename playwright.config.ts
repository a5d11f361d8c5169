/** The journeys: the real program, a real browser, nothing in between. */
import { defineConfig } from '@playwright/test'

// oxlint-disable-next-line import/no-default-export -- Playwright reads the default export
export default defineConfig({
  testDir: 'tests/journeys',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './tests/journeys/find-browser.ts',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // Two cores: one for the program, one for the browser. Two at once take twice as long each.
  workers: 1,
  fullyParallel: false,
  // Only those in `inRealTime` get a second try.
  retries: 0,
  reporter: 'list',
  use: { viewport: { width: 1440, height: 900 }, trace: 'retain-on-failure', screenshot: 'only-on-failure' },
})
