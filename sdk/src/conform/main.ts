#!/usr/bin/env node
/** `muster-conform`: tests any announcer against a fake master list. */
import { accessSync, constants, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { jsonReport, junitReport, lineOfResult, summary, textOfResult, textOfRules } from './report.ts'
import { ABILITIES, type Ability } from './abilities.ts'
import { RULES } from './rules.ts'
import type { Result } from './run-scenario.ts'
import { runScenarios } from './run.ts'
import { SCENARIOS } from './scenarios/index.ts'

const MAX_JOBS = 64

const HELP = `Usage: muster-conform [options] [--] <command> [arguments]

Starts the command once for each scenario, as a game server with
MUSTER_URL, MUSTER_CREDENTIAL, PORT and MAX_PLAYERS in its environment,
and plays the master list that it announces to. Some scenarios also set
MUSTER_HOST, MUSTER_PROBE or MUSTER_FAMILIES, and probe the port.

Options
  --json           prints the report as JSON, with every failure
  --junit FILE     also writes the report as JUnit XML
  --verbose        prints every failure, not just one example per rule
  --without NAMES  skips what the announcer need not be able to do:
                   endpoint, families, tcp, signatures, udp
  --only NAMES     runs these scenarios, separated by commas
  --jobs N         runs N scenarios at once (default 16)
  --list           prints the scenarios, abilities and rules
  --help           prints this help

Exit codes
  0  every scenario passed
  1  a scenario failed
  2  wrong options, or the command does not exist

Rules, with their reasons: docs/announcing.md
`

interface Options {
  readonly json: boolean
  readonly verbose: boolean
  readonly junit: string | undefined
  readonly only: readonly string[]
  readonly without: readonly Ability[]
  readonly jobs: number
  readonly command: readonly string[]
}

class UsageError extends Error {}

/** Options end at the first argument that is none. */
function splitArguments(args: readonly string[]): { flags: Map<string, string>; command: string[] } {
  const command = [...args]
  const flags = new Map<string, string>()
  for (let option = command[0] ?? ''; option.startsWith('-'); option = command[0] ?? '') {
    command.shift()
    if (option === '--') break
    const hasValue = ['--junit', '--only', '--without', '--jobs'].includes(option)
    if (!hasValue && !['--json', '--verbose'].includes(option)) throw new UsageError(`Unknown option ${option}.`)
    const value = hasValue ? command.shift() : ''
    if (value === undefined) throw new UsageError(`${option} needs a value.`)
    flags.set(option, value)
  }
  return { flags, command }
}

function readOptions(args: readonly string[]): Options {
  const { flags, command } = splitArguments(args)
  const [program] = command
  if (program === undefined) throw new UsageError('The command of the announcer is missing.')
  if (!isProgram(program)) throw new UsageError(`${program} is not a program.`)
  const jobs = Number(flags.get('--jobs') ?? 16)
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > MAX_JOBS) throw new UsageError(`--jobs must be a whole number from 1 to ${MAX_JOBS}.`)
  const only = flags.get('--only')?.split(',') ?? []
  const unknown = only.find((name) => !SCENARIOS.some((scenario) => scenario.name === name))
  if (unknown !== undefined && RULES.some(({ id }) => id === unknown))
    throw new UsageError(`${unknown} is a rule. --only takes scenarios, such as --only reset,hidden. --list prints them.`)
  if (unknown !== undefined) throw new UsageError(`No scenario is named ${unknown}. --list prints them.`)
  const without = flags.get('--without')?.split(',') ?? []
  const missing = without.find((name) => !Object.hasOwn(ABILITIES, name))
  if (missing !== undefined) throw new UsageError(`--without takes ${Object.keys(ABILITIES).join(', ')}, and not ${missing}.`)
  return {
    json: flags.has('--json'),
    verbose: flags.has('--verbose'),
    junit: flags.get('--junit'),
    only,
    without: without as Ability[],
    jobs,
    command,
  }
}

function isProgram(name: string): boolean {
  const paths = /[\\/]/.test(name) ? [name] : (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name))
  return paths.some((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return process.platform === 'win32'
    }
  })
}

function listAll(): string {
  const scenarios = SCENARIOS.map(({ name, about }) => `  ${name.padEnd(32)} ${about}`)
  const abilities = Object.entries(ABILITIES).map(([name, about]) => `  ${name.padEnd(32)} ${about}`)
  const rules = RULES.map(({ id, must }) => `  ${id.padEnd(32)} ${must}`)
  return `${SCENARIOS.length} scenarios\n${scenarios.join('\n')}\n\n${abilities.length} abilities\n${abilities.join('\n')}\n\n${RULES.length} rules\n${rules.join('\n')}\n`
}

async function main(args: readonly string[]): Promise<number> {
  if (args[0] === '--help' || args[0] === '-h') return print(HELP)
  if (args[0] === '--list') return print(listAll())
  const { json, verbose, junit, only, without, jobs, command } = readOptions(args)
  const scenarios = SCENARIOS.filter(({ name }) => only.length === 0 || only.includes(name))
  if (!json) print(`${scenarios.length} scenarios against: ${command.join(' ')}\n`)
  const startedAt = performance.now()
  const onResult = (result: Result) => {
    if (!json) print(verbose ? textOfResult(result) : lineOfResult(result))
  }
  const results = await runScenarios(scenarios, command, { jobs, without, onResult })
  const run = { command, results, seconds: (performance.now() - startedAt) / 1000 }
  if (junit !== undefined) writeFileSync(junit, junitReport(run))
  if (!json && !verbose) print(textOfRules(results))
  print(json ? jsonReport(run) : `\n${summary(run)}`)
  return results.every(({ failures }) => failures.length === 0) ? 0 : 1
}

function print(text: string): 0 {
  process.stdout.write(text)
  return 0
}

// Ends the announcers too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
process.stdout.once('error', () => process.exit(2))

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof UsageError ? `${error.message} --help prints the options.` : String(error)}\n`)
    process.exitCode = 2
  },
)
