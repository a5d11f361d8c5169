/** `doctor`: checks a whole installation, and says what to do. `help.ts` describes the options and exit codes. */
import { parseArgs } from 'node:util'
import { type Env, readEnv } from '#backend/platform/env.ts'
import { RELEASE } from '#backend/platform/version.ts'
import { createBackupCheck } from './doctor/backup-check.ts'
import { type Check, type Result, type Status, failed, ok, runCheck } from './doctor/check.ts'
import { createDatabaseChecks } from './doctor/database-checks.ts'
import { createDiskCheck } from './doctor/disk-check.ts'
import { createOutboundChecks } from './doctor/outbound-checks.ts'
import { createPublicChecks } from './doctor/public-checks.ts'
import { createSignInChecks } from './doctor/sign-in-checks.ts'
import { createSigningCheck } from './doctor/signing-check.ts'

/** Stopping the embedded database takes at most ten seconds. */
const CLOSE_TIMEOUT_MS = 15_000
const STATUS_WIDTH = 'skipped'.length

export const DOCTOR_OPTIONS = { json: { type: 'boolean', default: false } } as const

export async function doctor(args: readonly string[]): Promise<void> {
  const { json } = parseArgs({ args: [...args], options: DOCTOR_OPTIONS }).values
  const results = await checkInstallation()
  const text = json ? JSON.stringify({ version: RELEASE, checks: results }, undefined, 2) : report(results)
  const exitCode = results.some(({ status }) => status === 'failed') ? 1 : 0
  // A check that ran into its time limit may still wait for something, which must not keep the process.
  process.stdout.write(`${text}\n`, () => process.exit(exitCode))
}

async function checkInstallation(): Promise<readonly Result[]> {
  const env = configuration()
  if (!('NODE_ENV' in env)) return [env]
  const database = createDatabaseChecks(env)
  const checksHere: readonly Check[] = [
    { id: 'configuration', title: 'Configuration', run: () => ok(`The environment is valid, for ${env.NODE_ENV}.`) },
    ...database.checks,
    createDiskCheck(env),
    createBackupCheck(env),
    createSigningCheck(env),
  ]
  const checksOutside: readonly Check[] = [
    ...createPublicChecks(env, database.isFolderInUse),
    ...createSignInChecks(env),
    ...createOutboundChecks(env),
  ]
  // Not at once: lookups of names that hang keep all threads for lookups busy, and then the database seems to be down.
  const results = [...(await Promise.all(checksHere.map(runCheck))), ...(await Promise.all(checksOutside.map(runCheck)))]
  await runCheck({ id: 'close', title: '', timeoutMs: CLOSE_TIMEOUT_MS, run: async () => (await database.close(), ok('')) })
  return results
}

/** The environment, or the result that lists its mistakes. */
function configuration(): Env | Result {
  try {
    return readEnv()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return {
      id: 'configuration',
      title: 'Configuration',
      ...failed(error.message, 'Correct .env or the environment, and run this command again.'),
    }
  }
}

function report(results: readonly Result[]): string {
  const width = Math.max(...results.map(({ title }) => title.length))
  const indent = ' '.repeat(STATUS_WIDTH + width + 4)
  const lines = results.flatMap(({ status, title, message, remedy }) => [
    `${status.padEnd(STATUS_WIDTH)}  ${title.padEnd(width)}  ${message.replaceAll('\n', `\n${indent}`)}`,
    ...(remedy === '' ? [] : [`${indent}→ ${remedy}`]),
  ])
  const count = (wanted: Status) => results.filter(({ status }) => status === wanted).length
  const warnings = count('warning') === 1 ? '1 warning' : `${count('warning')} warnings`
  return [...lines, '', `${count('ok')} ok, ${warnings}, ${count('failed')} failed, ${count('skipped')} skipped`].join('\n')
}
