/** How many bytes the list takes on the wire, with the simulator's names: rows, columns, and what a reader gets who is five seconds behind. */
import { setTimeout as sleep } from 'node:timers/promises'
import { read } from './lib/read.ts'
import { ANNOUNCE_SECONDS, type Run } from './lib/stage.ts'
import { kilo, percent, printTable, size, times } from './lib/table.ts'
import { Versions, deltaSince, sincePath } from './lib/versions.ts'

const SERVERS = 10_000
const AIM_OF_COLUMNS = 0.7
const AIM_OF_DELTA = 0.02
const BEHIND_MS = 5000
/** The load begins before the version that is asked from, and ends after the answer. */
const AROUND_MS = { before: 1200, after: 800 }
const CHANGING = 0.3
/** How far from that the changes may be, in part and in number, before a delta of so many says nothing. */
const TOLERANCE = { part: 0.2, number: 4 }
const ENCODINGS = ['gzip', 'br'] as const

/** At 10,000 servers, or the largest size below that is played. */
export async function run({ sizes, stage, figures }: Run): Promise<void> {
  const servers = Math.min(SERVERS, sizes.at(-1) ?? SERVERS)
  const { ours, announces } = await stage.pair(servers)
  console.log(`BYTES of ${servers} servers; three of ten announces change something, ${Math.round(servers / ANNOUNCE_SECONDS)} a second.`)
  const versions = await Versions.follow(ours.port)
  const beforeMs = AROUND_MS.before + BEHIND_MS
  const [deltas] = await Promise.all([
    sleep(beforeMs).then(() => deltasOf(ours.port, versions)),
    stage.load.run(ours, beforeMs + AROUND_MS.after, announces(16, servers / ANNOUNCE_SECONDS)),
  ])
  await versions?.stop()
  if (deltas !== undefined) checkChanges(deltas.changes, (servers / ANNOUNCE_SECONDS) * (BEHIND_MS / 1000) * CHANGING)
  const rows = [['', 'bytes', 'a server', '/ full', '']]
  const add = (name: string, bytes: number | undefined, full: number | undefined, verdict = '') =>
    rows.push(
      bytes === undefined || full === undefined
        ? [name, 'not answered']
        : [name, kilo(bytes), `${(bytes / servers).toFixed(1)} B`, `${(bytes / full).toFixed(4)}`, verdict],
    )
  for (const encoding of ENCODINGS) {
    const full = await bytesOf(ours.port, '/servers', encoding)
    const columns = await bytesOf(ours.port, '/servers?format=columns', encoding)
    const delta = deltas?.[encoding]
    add(`full, ${encoding}`, full, full)
    const ofColumns = part(columns, full)
    const name = `bytes, ${size(servers)}`
    add(`columns, ${encoding}`, columns, full, figures.atMost(`${name}: columns / rows, ${encoding}`, ofColumns, AIM_OF_COLUMNS, times))
    const ofDelta = part(delta, full)
    const verdict = figures.atMost(`${name}: 5 s delta / full, ${encoding}`, ofDelta, AIM_OF_DELTA, (value) => percent(value * 100))
    add(`delta, 5 s behind, ${encoding}`, delta, full, verdict)
  }
  printTable(rows)
}

const part = (bytes: number | undefined, of: number | undefined) => (bytes === undefined || of === undefined ? undefined : bytes / of)

/** undefined where it is not answered. */
async function bytesOf(port: number, path: string, encoding: string): Promise<number | undefined> {
  const { status, body } = await read(port, path, { 'accept-encoding': encoding })
  return status === 200 ? body.length : undefined
}

function checkChanges(found: number, sent: number): void {
  if (Math.abs(found - sent) <= Math.max(TOLERANCE.number, sent * TOLERANCE.part)) return
  throw new Error(`The delta has ${found} changes; about ${Math.round(sent)} were sent.`)
}

interface Deltas extends Partial<Record<(typeof ENCODINGS)[number], number>> {
  readonly changes: number
}

async function deltasOf(port: number, versions: Versions | undefined): Promise<Deltas | undefined> {
  const version = versions?.newest(BEHIND_MS)
  if (version === undefined) return undefined
  const changes = (await deltaSince(port, version)).changed.length
  const [gzip, br] = await Promise.all(ENCODINGS.map((encoding) => bytesOf(port, sincePath(version), encoding)))
  return { changes, ...(gzip !== undefined && { gzip }), ...(br !== undefined && { br }) }
}
