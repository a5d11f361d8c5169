/**
 * What a backup costs while servers announce: all announce every 30 s, three of ten with a change, alone and while one backup follows the
 * other. Then the time to verify and to restore it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, connect, joinDatabase } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'
import { randomBase62 } from '#backend/platform/random-id.ts'
import { MUSTER, discard, temporaryFolder } from '#tests/program.ts'
import { ALL_CORES, pin } from './lib/cpu.ts'
import { interleave } from './lib/rounds.ts'
import { milli, percent, printTable, size, times } from './lib/table.ts'
import { ANNOUNCE_SECONDS, type Run } from './lib/test-bed.ts'

const ANNOUNCE_CONNECTIONS = 16
const MAX_P99_RATIO = 1.5
/** Every tenth server has a picture. */
const SERVERS_PER_IMAGE = 10
const IMAGE_BYTES = 20_000
/** A day of buckets of an hour. */
const BUCKETS_PER_SERVER = 24
/** Long enough for several collections of old garbage, which slow announces for seconds. */
const TURN_FACTOR = 90
/** As the daily backup (daily-backup.ts). */
const LOW_PRIORITY = 15

export async function run({ sizes, rounds, milliseconds, testBed, figures }: Run): Promise<void> {
  const servers = sizes.at(-1) ?? 0
  const { ours, bare, announces } = await testBed.start(servers)
  testBed.stopSide(bare)
  const backups = temporaryFolder()
  const restored = temporaryFolder()
  try {
    await addContent(ours.folder)
    const load = announces(ANNOUNCE_CONNECTIONS, servers / ANNOUNCE_SECONDS)
    const turn = () => testBed.load.run(ours, milliseconds * TURN_FACTOR, load)
    await testBed.load.run(ours, milliseconds * ANNOUNCE_SECONDS, load)
    const seconds: number[] = []
    const turnWithBackups = async () => {
      let isOver = false
      const cost = turn().finally(() => {
        isOver = true
      })
      const running = (async () => {
        while (!isOver) {
          const file = join(backups, `${seconds.length}.tar.zst`)
          seconds.push(await secondsOf(['backup', file], ours.folder))
          if (seconds.length > 1) rmSync(join(backups, `${seconds.length - 2}.tar.zst`))
        }
      })()
      await Promise.all([cost, running])
      return await cost
    }
    const result = await interleave(rounds, [turn, turnWithBackups])
    const file = join(backups, `${seconds.length - 1}.tar.zst`)
    const verifying = await secondsOf(['backup', '--verify', file], ours.folder)
    const restoring = await secondsOf(['restore', file], restored)
    const ratio = result.ratio(1, 0, ({ p99 }) => p99)
    console.log(
      `BACKUP, ${size(servers)} servers, ${servers / SERVERS_PER_IMAGE} images of ${IMAGE_BYTES / 1000} kB, ${(servers * BUCKETS_PER_SERVER) / 1e6} million rows of history: N/${ANNOUNCE_SECONDS} announces a second, open loop.`,
    )
    printTable([
      {
        servers: size(servers),
        'p99 without': milli(result.of(0, ({ p99 }) => p99)),
        'p99 with': milli(result.of(1, ({ p99 }) => p99)),
        ratio: times(ratio),
        target: figures.atMost(`backup, ${size(servers)}: p99 of announces / without`, ratio, MAX_P99_RATIO, times),
        backup: `${Math.max(...seconds).toFixed(0)} s`,
        size: `${(statSync(file).size / 1e6).toFixed(0)} MB`,
        verify: `${verifying.toFixed(0)} s`,
        restore: `${restoring.toFixed(0)} s`,
        statuses: result.statuses(1),
        others: percent(result.othersPercent),
      },
    ])
  } finally {
    testBed.stopSide(ours)
    discard(backups)
    discard(restored)
  }
}

/** Pictures and player history, as the program would have stored them. */
async function addContent(folder: string): Promise<void> {
  const log = createLog('warn')
  const database = await joinDatabase({ DATA_DIR: folder }, log)
  const db = connect(database.connection, log, 1, 0)
  try {
    await addImages(db, folder)
    await sql`
      insert into player_buckets (server_id, bucket_minutes, at, players, highest, online, sampled)
      select public_id, 60, date_trunc('hour', now()) - make_interval(hours => n), abs(hashtext(public_id)) % 900, 32, 60, 60
      from servers, generate_series(1, ${BUCKETS_PER_SERVER}::int) n`.execute(db)
  } finally {
    await db.destroy()
    await database.close()
  }
}

async function addImages(db: Db, folder: string): Promise<void> {
  const { rows } = await sql<{ public_id: string; owner_id: string }>`
    select public_id, owner_id from servers order by public_id limit (select count(*) / ${SERVERS_PER_IMAGE}::int from servers)`.execute(db)
  const files = rows.map(() => `${randomBase62(24)}.webp`)
  for (const file of files) {
    const path = join(folder, 'images', file.slice(0, 2))
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, file), randomBytes(IMAGE_BYTES))
  }
  await sql`
    insert into images (id, owner_id, purpose, file, width, height, mime, bytes)
    select gen_random_uuid(), ${rows[0]?.owner_id}::uuid, 'SERVER_ICON', file, 128, 128, 'image/webp', ${IMAGE_BYTES}::int
    from unnest(${files}::text[]) file`.execute(db)
}

/** Runs a command as the daily backup does. */
async function secondsOf(args: readonly string[], folder: string): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [MUSTER, ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  pin(child.pid, ALL_CORES)
  if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`"muster ${args.join(' ')}" ended with ${code}.`)
  return (performance.now() - began) / 1000
}
