/** `protection try KIND [--days N] [--json]`: prints the result of a detector's dry run. */
import { parseArgs } from 'node:util'
import type { IssueKind } from '#contract/protection/protection.ts'
import { systemClock } from '#backend/platform/clock.ts'
import { DRY_RUN_KINDS, type DryRunResult, dryRunDetector } from '#backend/services/detection/dry-run.ts'
import { withDatabase } from './database.ts'

const MAX_DAYS = 7
const MAX_LISTED_SERVERS = 5
const MAX_LISTED_ITEMS = 3

export const PROTECTION_OPTIONS = {
  days: { type: 'string', default: String(MAX_DAYS) },
  json: { type: 'boolean', default: false },
} as const

export async function protection(args: readonly string[]): Promise<void> {
  const { kind, days, json } = readOptions(args)
  const result = await withDatabase(({ db }) => dryRunDetector(db, kind, days, systemClock.now()))
  process.stdout.write(json ? `${JSON.stringify(jsonOf(result), undefined, 2)}\n` : formatReport(result))
}

function readOptions(args: readonly string[]): { kind: IssueKind; days: number; json: boolean } {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: PROTECTION_OPTIONS })
  const [verb, name, ...more] = positionals
  if (verb !== 'try' || more.length > 0) throw new Error('Usage: npm run muster -- protection try KIND [--days N] [--json]')
  const kind = DRY_RUN_KINDS.find((candidate) => candidate === name)
  if (kind === undefined)
    throw new Error(`${name === undefined ? 'KIND is missing' : `Unknown KIND “${name}”`}. Use one of ${DRY_RUN_KINDS.join(', ')}.`)
  const days = Number(values.days)
  if (!(days > 0 && days <= MAX_DAYS)) throw new Error(`--days must be a number above 0 and up to ${MAX_DAYS}. Older data is not stored.`)
  return { kind, days, json: values.json }
}

/** Scripts read these keys, so they don't change. */
function jsonOf({ kind, days, rowsRead, limitations, affectedServers }: DryRunResult) {
  return { kind, days, looked: rowsRead, unseen: limitations, found: affectedServers }
}

function formatReport({ kind, days, rowsRead, limitations, affectedServers }: DryRunResult): string {
  const owners = new Set(affectedServers.map(({ server }) => server.ownerId)).size
  const lines = [
    `${kind}: read ${plural(rowsRead, 'row')} of the last ${plural(days, 'day')}.`,
    affectedServers.length === 0
      ? 'It would open no issues.'
      : `It would open issues for ${plural(affectedServers.length, 'server')} of ${plural(owners, 'owner')}.`,
    limitations,
  ]
  for (const { server, findings, first } of affectedServers.slice(0, MAX_LISTED_SERVERS)) {
    lines.push('', `${server.publicId}  ${server.name}  (owner ${server.ownerId}): ${first.severity}, ${plural(findings, 'finding')}`)
    lines.push(`  ${first.summary}`)
    for (const { at, observed, address } of first.items.slice(0, MAX_LISTED_ITEMS))
      lines.push(`  ${at}  ${observed}${address === null ? '' : ` From ${address}.`}`)
    const [from, to] = [first.series?.[0], first.series?.at(-1)]
    if (from !== undefined && to !== undefined)
      lines.push(`  ${from.at} to ${to.at}: ${first.series?.map((point) => point.players).join(' ') ?? ''} of ${to.slots}`)
  }
  if (affectedServers.length > MAX_LISTED_SERVERS)
    lines.push('', `… and ${affectedServers.length - MAX_LISTED_SERVERS} more. --json shows all.`)
  return `${lines.join('\n')}\n`
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
