/** CPU of building and compressing the columns in this process. Each build follows one second's worth of changes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { profilesFor } from '#backend/cli/simulate/profiles.ts'
import { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import { announced, fieldsOf } from '#backend/masterlist/registry/test-registry.ts'
import { compressColumns } from '#backend/masterlist/lists/snapshot.ts'
import { median } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Run } from './lib/test-bed.ts'
import { milli, printTable, size } from './lib/table.ts'

const SERVERS = 10_000
const MAX_BUILD_MS = 60
const BUILDS = { warmUp: 5, measured: 20 }
const CHANGING = 0.3
const ENCODINGS = ['gzip', 'br'] as const

/** Measures at 10,000 servers, or at the largest size of the run below that. */
export async function run({ sizes, figures }: Run): Promise<void> {
  const servers = Math.min(SERVERS, sizes.at(-1) ?? SERVERS)
  const rows = rowsOf(servers)
  const table = [['', 'CPU per build', '']]
  for (const encoding of ENCODINGS) {
    const costs: number[] = []
    for (let build = 0; build < BUILDS.warmUp + BUILDS.measured; build += 1) {
      change(rows, Math.round((servers / ANNOUNCE_SECONDS) * CHANGING), build)
      // The list is sorted by rank; memory is not.
      const inOrder = rows.toSorted((a, b) => a.rank - b.rank)
      const before = process.cpuUsage()
      await compressColumns(inOrder, [encoding])
      const { user, system } = process.cpuUsage(before)
      if (build >= BUILDS.warmUp) costs.push((user + system) / 1000)
      await sleep(20)
    }
    const cost = median(costs)
    table.push([encoding, milli(cost), figures.atMost(`columns, ${size(servers)}: CPU per build, ${encoding}`, cost, MAX_BUILD_MS, milli)])
  }
  console.log(`COLUMNS: ${servers} servers.`)
  printTable(table)
}

function rowsOf(servers: number): PublishedRow[] {
  return profilesFor(servers, 1).map(({ input, port, slots, version, branch, passworded, useVoiceChat, useEarlyAuth }, index) => {
    const { name, description = '', language = '', region = '', tags = [], game_mode: gameMode = '', website = '' } = input
    const fields = fieldsOf(`B${String(index).padStart(6, '0')}`, { name, description, language, region, tags, gameMode, website })
    const setup = { version, branch, passworded, useVoiceChat, useEarlyAuth }
    return rowAt({ fields, announced: { ...announced, port, maxPlayersCount: slots, ...setup } }, index)
  })
}

function rowAt({ fields, announced: live }: Pick<PublishedRow, 'fields' | 'announced'>, change: number): PublishedRow {
  const next = { ...live, playersCount: change % 100 }
  return new PublishedRow({ fields, announced: next, address: '127.0.0.1', online: true, changedAt: 1_800_000_000_000 + change }, next)
}

/** Changes the player count of some servers. */
function change(rows: PublishedRow[], count: number, build: number): void {
  for (let index = 0; index < count; index += 1) {
    const place = (index * 97 + build * 1009) % rows.length
    const row = rows[place]
    if (row !== undefined) rows[place] = rowAt(row, build * count + index)
  }
}
