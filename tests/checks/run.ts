/** `npm run check`: every `check:` script of package.json. The type check takes longest, so the others run beside it, one by one. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const LONGEST = 'check:types'
/** The output of a check with many findings, in bytes. */
const MAX_OUTPUT = 64 * 1024 * 1024

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { scripts: Record<string, string> }
const others = Object.keys(scripts).filter((name) => name.startsWith('check:') && name !== LONGEST)
const stopped = new AbortController()
process.once('SIGTERM', () => stopped.abort())

/** Prints the output of each check at its end. Resolves to whether all have passed. */
async function runChecks(names: readonly string[]): Promise<boolean> {
  let isGreen = true
  for (const name of names) isGreen = (await runCheck(name)) && isGreen
  return isGreen
}

function runCheck(name: string): Promise<boolean> {
  const start = performance.now()
  return new Promise((resolve) => {
    execFile('npm', ['run', '-s', name], { signal: stopped.signal, maxBuffer: MAX_OUTPUT }, (error, stdout, stderr) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      process.stdout.write(`${stdout}${stderr}${name} ${error === null ? 'passed' : 'failed'} in ${seconds} s\n`)
      resolve(error === null)
    })
  })
}

const results = await Promise.all([runChecks([LONGEST]), runChecks(others)])
if (results.includes(false)) process.exitCode = 1
