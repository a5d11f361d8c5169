import { defineConfig } from 'vitest/config'
import { LongFirst } from './tests/long-first.ts'

export default defineConfig({
  test: {
    include: ['backend/**/*.test.ts', 'contract/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'tests/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['tests/global-setup.ts'],
    setupFiles: ['tests/setup.ts'],
    // Real databases and listeners on two cores: the first query of a file may wait for another file's work.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    sequence: { sequencer: LongFirst },
    pool: 'forks',
    // A third of a run is waiting: three workers keep two cores busy.
    maxWorkers: 3,
  },
})
