/** `protection try KIND [--days N] [--json]`: what a detector would find in what is stored. It writes nothing, and runs beside a running Muster. */
import { parseArgs } from 'node:util'
import type { IssueKind } from '#contract/protection.ts'
import { systemClock } from '#backend/platform/clock.ts'
import { DRY_RUN_KINDS, type DryRunResult, dryRunDetector } from '#backend/features/detection/dry-run.ts'
import { withDatabase } from './database.ts'

const MAX_DAYS = 7
const SHOWN = 5
const SHOWN_ITEMS = 3

export async function protection(args: readonly string[]): Promise<void> {
  const { kind, days, json } = readOptions(args)
  const trial = await withDatabase(({ db }) => dryRunDetector(db, kind, days, systemClock.now()))
  process.stdout.write(json ? `${JSON.stringify(trial, undefined, 2)}\n` : formatReport(trial))
}

function readOptions(args: readonly string[]): { kind: IssueKind; days: number; json: boolean } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { days: { type: 'string', default: String(MAX_DAYS) }, json: { type: 'boolean', default: false } },
  })
  const [verb, name, ...more] = positionals
  if (verb !== 'try' || more.length > 0) throw new Error('Usage: npm run muster -- protection try KIND [--days N] [--json]')
  const kind = DRY_RUN_KINDS.find((each) => each === name)
  if (kind === undefined)
    throw new Error(
      `${name === undefined ? 'Say which detector' : `There is no detector “${name}” that can be tried`}: ${DRY_RUN_KINDS.join(', ')}.`,
    )
  const days = Number(values.days)
  if (!(days > 0 && days <= MAX_DAYS)) throw new Error(`--days must be a number from above 0 to ${MAX_DAYS}: nothing older is stored.`)
  return { kind, days, json: values.json }
}

function formatReport({ kind, days, looked, unseen, found }: DryRunResult): string {
  const owners = new Set(found.map((one) => one.server.ownerId)).size
  const lines = [
    `${kind}, over the last ${plural(days, 'day')}: ${plural(looked, 'row')} looked at.`,
    found.length === 0 ? 'It would raise nothing.' : `It would raise ${plural(found.length, 'server')} of ${plural(owners, 'owner')}.`,
    unseen,
  ]
  for (const { server, findings, first } of found.slice(0, SHOWN)) {
    lines.push('', `${server.publicId}  ${server.name}  (owner ${server.ownerId}): ${first.severity}, found ${plural(findings, 'time')}`)
    lines.push(`  ${first.summary}`)
    for (const { at, observed, address } of first.items.slice(0, SHOWN_ITEMS))
      lines.push(`  ${at}  ${observed}${address === null ? '' : ` From ${address}.`}`)
    const [from, to] = [first.series?.[0], first.series?.at(-1)]
    if (from !== undefined && to !== undefined)
      lines.push(`  ${from.at} to ${to.at}: ${first.series?.map((point) => point.players).join(' ') ?? ''} of ${to.slots}`)
  }
  if (found.length > SHOWN) lines.push('', `… and ${found.length - SHOWN} more; --json shows all.`)
  return `${lines.join('\n')}\n`
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
