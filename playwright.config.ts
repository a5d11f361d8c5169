/** The journeys: the real program, a real browser, nothing in between. */
import { defineConfig } from '@playwright/test'

// oxlint-disable-next-line import/no-default-export -- Playwright reads the default export
export default defineConfig({
  testDir: 'tests/journeys',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './tests/journeys/find-browser.ts',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // Two cores: one for the program, one for the browser.
  workers: 1,
  fullyParallel: false,
  // Some journeys promise a time (a ban within a second): a machine that was busy just then gets a second try, and the run says so.
  retries: 1,
  reporter: 'list',
  use: { viewport: { width: 1440, height: 900 }, trace: 'retain-on-failure', screenshot: 'only-on-failure' },
})
