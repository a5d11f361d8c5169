/** `npm start`: runs `muster serve` with the flags and variables of runtime-options.ts. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ENVIRONMENT, NODE_FLAGS } from './runtime-options.ts'

const ARGUMENTS = [...NODE_FLAGS, join(import.meta.dirname, 'muster.ts'), 'serve', ...process.argv.slice(2)]
const VARIABLES = { ...process.env, ...ENVIRONMENT }

// The program replaces this process, so it receives every signal itself. Windows has no such call.
if (process.platform === 'win32') runAsChild()
else process.execve?.(process.execPath, [process.execPath, ...ARGUMENTS], VARIABLES)

function runAsChild(): void {
  const child = spawn(process.execPath, ARGUMENTS, { env: VARIABLES, stdio: 'inherit' })
  // The console sends Ctrl+C and Ctrl+Break to the child as well: wait until it has stopped.
  for (const signal of ['SIGINT', 'SIGBREAK'] as const) process.on(signal, () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
