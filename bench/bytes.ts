/** How many bytes the list takes on the wire, with the simulator's names: rows, columns, and what a reader gets who is five seconds behind. */
import { setTimeout as sleep } from 'node:timers/promises'
import { read } from './lib/read.ts'
import { ANNOUNCE_SECONDS, type Run } from './lib/stage.ts'
import { kilo, percent, printTable, size, times } from './lib/table.ts'
import { Versions, sincePath } from './lib/versions.ts'

const SERVERS = 10_000
const AIM_OF_COLUMNS = 0.7
const AIM_OF_DELTA = 0.02
const BEHIND_MS = 5000
const ENCODINGS = ['gzip', 'br'] as const

/** At 10,000 servers, or the largest size below that is played. */
export async function run({ sizes, stage, figures }: Run): Promise<void> {
  const servers = Math.min(SERVERS, sizes.at(-1) ?? SERVERS)
  const { ours, announces } = await stage.pair(servers)
  console.log(`BYTES of ${servers} servers; three of ten announces change something, ${Math.round(servers / ANNOUNCE_SECONDS)} a second.`)
  const versions = await Versions.follow(ours.port)
  const milliseconds = BEHIND_MS + 3500
  const [deltas] = await Promise.all([
    sleep(BEHIND_MS + 2000).then(() => deltasOf(ours.port, versions)),
    stage.load.run(ours, milliseconds, announces(16, servers / ANNOUNCE_SECONDS)),
  ])
  await versions?.stop()
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

async function deltasOf(
  port: number,
  versions: Versions | undefined,
): Promise<Partial<Record<(typeof ENCODINGS)[number], number>> | undefined> {
  const version = versions?.newest(BEHIND_MS)
  if (version === undefined) return undefined
  const [gzip, br] = await Promise.all(ENCODINGS.map((encoding) => bytesOf(port, sincePath(version), encoding)))
  return { ...(gzip !== undefined && { gzip }), ...(br !== undefined && { br }) }
}
