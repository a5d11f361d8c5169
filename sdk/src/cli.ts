#!/usr/bin/env node
/** `announce agent` and `announce conform`, such as with `npx`. */

const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  agent: () => import('./agent/main.ts'),
  conform: () => import('./conform/main.ts'),
}

const run = commands[process.argv[2] ?? '']
if (run === undefined) {
  process.stderr.write('Usage: announce agent [options]\n       announce conform [options] <command> [arguments]\n')
  process.exitCode = 2
} else {
  process.argv.splice(2, 1)
  await run()
}
