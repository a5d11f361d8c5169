/** Signing and building the signed list, in this process: a tenth of the servers changes before each head, or a few. */
import { LISTED_EXAMPLE } from '#contract/api/examples.ts'
import { SignedList } from '#backend/masterlist/signed/signed-list.ts'
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import { randomBase62 } from '#backend/platform/random-id.ts'
import { signingKeys } from '#tests/sdk/signed-keys.ts'
import { milli, percent, printTable, size } from './lib/table.ts'
import type { Run } from './lib/test-bed.ts'

const MAX_SIGN_MS = 1
const HEADS = 30
/** The first heads are slower: code is not compiled yet. */
const WARM_HEADS = 5
const TARGET_SIZE = 10_000
/** A head of more servers is shared for longer. */
const SERVERS_PER_SECOND = 10_000
const CHANGES: readonly (readonly [name: string, share: number])[] = [
  ['10 % change', 0.1],
  ['0.1 % change', 0.001],
]

interface Cost {
  readonly signMs: number
  readonly mainMs: number
  readonly cpuMs: number
  readonly newChunks: number
  readonly chunks: number
}

export async function run({ sizes, figures }: Run): Promise<void> {
  const rows = []
  for (const servers of sizes) {
    for (const [name, share] of CHANGES) {
      const costs = await measure(servers, share)
      const of = (figure: (cost: Cost) => number) => median(costs.map(figure))
      const signMs = of((cost) => cost.signMs)
      const isTarget = servers === TARGET_SIZE && share === CHANGES[0]?.[1]
      rows.push({
        servers: size(servers),
        '': name,
        'sign the head': `${signMs.toFixed(3)} ms`,
        target: isTarget ? figures.atMost(`signing a head, ${size(servers)}`, signMs, MAX_SIGN_MS, milli) : '',
        'main thread': milli(of((cost) => cost.mainMs)),
        'CPU, all threads': milli(of((cost) => cost.cpuMs)),
        'of a core': percent(of((cost) => cost.cpuMs) / 10 / Math.max(1, servers / SERVERS_PER_SECOND)),
        chunks: String(of((cost) => cost.chunks)),
        'new chunks': String(of((cost) => cost.newChunks)),
      })
    }
  }
  console.log(`SIGNED: a head with its chunks, medians of ${HEADS}. Rows are serialized before, because GET /servers needs that too.`)
  printTable(rows)
}

async function measure(servers: number, share: number): Promise<Cost[]> {
  const { notes, online } = signingKeys()
  let rows = Array.from({ length: servers }, (_, index) => rowOf(randomBase62(7), index))
  let now = 0
  const clock = { now: () => Date.now(), uptime: () => now }
  const snapshots = {
    current: () => ({ rows }) as unknown as ReturnType<ConstructorParameters<typeof SignedList>[0]['snapshots']['current']>,
  }
  const list = new SignedList({ key: online, keys: notes, mirrors: [], snapshots, clock })
  const costs: Cost[] = []
  let known = new Set<string>()
  for (let head = 0; head < HEADS + WARM_HEADS; head += 1) {
    rows = rows.map((row) => (Math.random() < share ? rowOf(row.fields.publicId, Math.floor(Math.random() * 1000)) : row))
    now += 60_000
    const before = process.cpuUsage()
    const { chunks } = await list.head()
    const { user, system } = process.cpuUsage(before)
    const newChunks = chunks.filter(({ sha256 }) => !known.has(sha256)).length
    known = new Set(chunks.map(({ sha256 }) => sha256))
    costs.push({ signMs: list.lastSignMs, mainMs: list.lastBuildMs, cpuMs: (user + system) / 1000, newChunks, chunks: chunks.length })
  }
  return costs.slice(WARM_HEADS)
}

/** With the text of a row, and no more. */
function rowOf(publicId: string, playersCount: number): PublishedRow {
  const json = JSON.stringify({
    ...LISTED_EXAMPLE,
    publicId,
    name: `Server ${publicId}`,
    playersCount,
    lastTimeUpdate: new Date().toISOString(),
  })
  return { fields: { publicId }, json, hasJson: true } as unknown as PublishedRow
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
