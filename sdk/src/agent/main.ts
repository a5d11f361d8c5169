#!/usr/bin/env node
/** `muster-agent`: announces a game server written in any language. */
import { runAgent } from './agent.ts'
import { type AgentSettings, EXIT, HELP, UsageError, readSettings } from './settings.ts'
import { announceOnce, dryRun } from './single-calls.ts'

async function main(): Promise<number> {
  let settings: AgentSettings
  try {
    settings = readSettings(process.argv.slice(2), process.env)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n`)
    return EXIT.usage
  }
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  if (settings.mode === 'once') return announceOnce(settings, print)
  if (settings.mode === 'dry-run') return dryRun(settings, print)
  if (settings.mode === 'run') return runAgent(settings)
  print(HELP.trimEnd())
  return 0
}

process.exitCode = await main()
