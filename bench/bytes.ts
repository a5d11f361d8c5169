/** Size of the list on the wire: rows, columns, and the delta for a reader that is five seconds behind. */
import { setTimeout as sleep } from 'node:timers/promises'
import { read } from './lib/read.ts'
import { ANNOUNCE_SECONDS, type Run } from './lib/test-bed.ts'
import { kilo, percent, printTable, size, times } from './lib/table.ts'
import { VersionHistory, deltaSince, sincePath } from './lib/versions.ts'

const SERVERS = 10_000
const MAX_COLUMNS_SHARE = 0.7
const MAX_DELTA_SHARE = 0.02
const BEHIND_MS = 5000
/** The load starts before the version that the delta begins at, and ends after the response. */
const LOAD_MARGIN_MS = { before: 1200, after: 800 }
const CHANGING = 0.3
/** How far the number of changes may be off, relative and absolute. */
const TOLERANCE = { shareOf: 0.2, number: 4 }
const ENCODINGS = ['gzip', 'br'] as const

/** Measures at 10,000 servers, or at the largest size of the run below that. */
export async function run({ sizes, testBed, figures }: Run): Promise<void> {
  const servers = Math.min(SERVERS, sizes.at(-1) ?? SERVERS)
  const { ours, announces } = await testBed.pair(servers)
  console.log(`BYTES of ${servers} servers; three of ten announces change something, ${Math.round(servers / ANNOUNCE_SECONDS)} a second.`)
  const versions = await VersionHistory.follow(ours.port)
  const beforeMs = LOAD_MARGIN_MS.before + BEHIND_MS
  const [deltas] = await Promise.all([
    sleep(beforeMs).then(() => deltasOf(ours.port, versions)),
    testBed.load.run(ours, beforeMs + LOAD_MARGIN_MS.after, announces(16, servers / ANNOUNCE_SECONDS)),
  ])
  await versions?.stop()
  if (deltas !== undefined) checkChanges(deltas.changes, (servers / ANNOUNCE_SECONDS) * (BEHIND_MS / 1000) * CHANGING)
  const rows = [['', 'bytes', 'per server', '/ full', '']]
  const add = (name: string, bytes: number | undefined, full: number | undefined, verdict = '') =>
    rows.push(
      bytes === undefined || full === undefined
        ? [name, 'unsupported']
        : [name, kilo(bytes), `${(bytes / servers).toFixed(1)} B`, `${(bytes / full).toFixed(4)}`, verdict],
    )
  for (const encoding of ENCODINGS) {
    const full = await bytesOf(ours.port, '/servers', encoding)
    const columns = await bytesOf(ours.port, '/servers?format=columns', encoding)
    const delta = deltas?.[encoding]
    add(`full, ${encoding}`, full, full)
    const ofColumns = shareOf(columns, full)
    const name = `bytes, ${size(servers)}`
    add(`columns, ${encoding}`, columns, full, figures.atMost(`${name}: columns / rows, ${encoding}`, ofColumns, MAX_COLUMNS_SHARE, times))
    const ofDelta = shareOf(delta, full)
    const verdict = figures.atMost(`${name}: 5 s delta / full, ${encoding}`, ofDelta, MAX_DELTA_SHARE, (value) => percent(value * 100))
    add(`delta, 5 s behind, ${encoding}`, delta, full, verdict)
  }
  printTable(rows)
}

const shareOf = (bytes: number | undefined, of: number | undefined) => (bytes === undefined || of === undefined ? undefined : bytes / of)

/** undefined if the server does not support the request. */
async function bytesOf(port: number, path: string, encoding: string): Promise<number | undefined> {
  const { status, body } = await read(port, path, { 'accept-encoding': encoding })
  return status === 200 ? body.length : undefined
}

function checkChanges(found: number, sent: number): void {
  if (Math.abs(found - sent) <= Math.max(TOLERANCE.number, sent * TOLERANCE.shareOf)) return
  throw new Error(`The delta has ${found} changes, but about ${Math.round(sent)} were sent.`)
}

interface Deltas extends Partial<Record<(typeof ENCODINGS)[number], number>> {
  readonly changes: number
}

async function deltasOf(port: number, versions: VersionHistory | undefined): Promise<Deltas | undefined> {
  const version = versions?.newest(BEHIND_MS)
  if (version === undefined) return undefined
  const changes = (await deltaSince(port, version)).changed.length
  const [gzip, br] = await Promise.all(ENCODINGS.map((encoding) => bytesOf(port, sincePath(version), encoding)))
  return { changes, ...(gzip !== undefined && { gzip }), ...(br !== undefined && { br }) }
}
