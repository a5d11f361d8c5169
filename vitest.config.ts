import { defineConfig } from 'vitest/config'
import { LongestFirstSequencer } from './tests/run/test-order.ts'
import { compileMessages } from './web/build/messages.ts'

// Vitest can run without `npm test`, so it compiles what the tests import.
await compileMessages()

/** Kills, outages, several nodes, races, long runs (`npm run test:system`). */
const SYSTEM = ['**/*.system.test.ts', 'tests/{cluster,races,model}/*.test.ts']
/** From an earlier commit to this one (`npm run test:upgrade -- COMMIT`). It installs that commit. */
const UPGRADE = 'tests/upgrade/*.test.ts'
const FURTHER_FIELD = 'tests/api/server-fields.test.ts'
/** Node loads the TypeScript, as in production. Vite's loader takes a tenth more CPU time, but can replace modules and compiles JSX. */
const NATIVE = { viteModuleRunner: false, nodeLoader: false }
const IGNORED = ['**/node_modules/**', '**/.*/**']

export default defineConfig({
  test: {
    setupFiles: ['tests/setup.ts'],
    // Real databases and listeners on two busy cores. A test waits for a condition; these only end what hangs.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: LongestFirstSequencer },
    pool: 'forks',
    // Loading the program takes longer than most files. What a file starts is closed after it (tests/setup.ts).
    isolate: false,
    // Half of a run is waiting: five workers keep two cores busy.
    maxWorkers: 5,
    projects: [
      { extends: true, test: { name: 'pure', include: ['{contract,web,sdk}/**/*.test.{ts,tsx}'] } },
      {
        extends: true,
        test: {
          name: 'api',
          experimental: NATIVE,
          include: ['{backend,tests,bench}/**/*.test.ts'],
          exclude: [...SYSTEM, ...IGNORED, UPGRADE, FURTHER_FIELD],
          globalSetup: ['tests/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'api-isolated',
          include: [FURTHER_FIELD],
          // It replaces a module of the program, so it loads its own.
          isolate: true,
          // The default export of a CommonJS package is what Node makes of it.
          deps: { interopDefault: false },
          globalSetup: ['tests/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          experimental: NATIVE,
          include: SYSTEM,
          exclude: IGNORED,
          globalSetup: ['tests/global-setup.ts'],
          testTimeout: 180_000,
          // Outages end in real seconds, which a busy machine exceeds now and then. The run reports each as flaky.
          retry: 1,
        },
      },
      {
        extends: true,
        test: { name: 'upgrade', experimental: NATIVE, include: [UPGRADE], globalSetup: ['tests/global-setup.ts'] },
      },
    ],
  },
})
