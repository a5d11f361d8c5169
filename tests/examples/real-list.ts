/** The announcers against the real program: each enters its list, and leaves it on SIGTERM. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListedServer } from '#contract/masterlist/masterlist.ts'
import { profilesFor } from '#backend/cli/simulate/profiles.ts'
import { registerFleet } from '#backend/cli/simulate/register.ts'
import { askTcp } from '#backend/services/probing/ask-tcp.ts'
import { joinDatabase } from '#backend/platform/database/open.ts'
import { readEnv } from '#backend/platform/env.ts'
import { createLog } from '#backend/platform/log.ts'
import { AnnouncerProcess } from '#sdk/conform/announcer-process.ts'
import { discard, freePort, startProgram, temporaryFolder, untilReady } from '#tests/program.ts'
import type { Example } from './toolchains.ts'

/** Some languages take seconds to start, and here they all start at once. */
const LISTED_MS = 30_000
const PROBED_MS = 10_000
const LEFT_MS = 10_000
const POLL_MS = 100
/** Java's exit code after SIGTERM. A program on the SDK ends by the signal itself. */
const SIGTERM_CODE = 143

interface Visitor {
  readonly name: string
  readonly publicId: string
  readonly port: number
  readonly maxPlayers: number
  readonly key: Buffer
  readonly process: AnnouncerProcess
}

type Announcer = Pick<Example, 'run' | 'without'>

/** What is wrong with each command, by its name; undefined for those without a fault. */
export async function visitRealList(
  announcers: Readonly<Record<string, Announcer>>,
): Promise<Readonly<Record<string, string | undefined>>> {
  const folder = temporaryFolder()
  const program = await startProgram(folder)
  const visitors: Visitor[] = []
  try {
    await untilReady(program)
    visitors.push(...(await startVisitors(announcers, folder, program.listUrl)))
    const listed = await readUntil(program.listUrl, (rows) => visitors.every((visitor) => isListed(rows, visitor)), LISTED_MS)
    const probed = visitors.filter(({ name }) => announcers[name]?.without.includes('tcp') === false)
    const silent = await failedProbes(probed)
    for (const visitor of visitors) visitor.process.signal('SIGTERM')
    const hasLeft = (rows: readonly ListedServer[], { publicId }: Visitor) => rows.every((row) => row.publicId !== publicId)
    const left = await readUntil(
      program.listUrl,
      (rows) => visitors.every((visitor) => hasLeft(rows, visitor) && visitor.process.exit !== undefined),
      LEFT_MS,
    )
    const faultOf = (visitor: Visitor) => {
      const { exit, output } = visitor.process
      if (!isListed(listed, visitor)) return `not listed with port ${visitor.port} and ${visitor.maxPlayers} slots. Its output: ${output}`
      if (silent.includes(visitor)) return `does not answer the reachability check. Its output: ${output}`
      if (exit === undefined) return 'still running after SIGTERM'
      if (exit.code !== 0 && exit.code !== SIGTERM_CODE && exit.signal !== 'SIGTERM') return `ended with exit code ${exit.code}: ${output}`
      return hasLeft(left, visitor) ? undefined : 'still listed after SIGTERM'
    }
    return Object.fromEntries(visitors.map((visitor) => [visitor.name, faultOf(visitor)]))
  } finally {
    for (const visitor of visitors) visitor.process.kill()
    discard(folder, program)
  }
}

/** Starts each command with a server of its own, because a credential is bound to one game server. */
async function startVisitors(announcers: Readonly<Record<string, Announcer>>, folder: string, listUrl: string): Promise<Visitor[]> {
  const names = Object.keys(announcers)
  const database = await joinDatabase({ DATA_DIR: folder }, createLog('silent'))
  const registered = await registerFleet({ env: readEnv({}), db: database.db }, profilesFor(names.length, 1), () => undefined)
  await database.close()
  const visitors: Visitor[] = []
  for (const [index, name] of names.entries()) {
    const { publicId, credential } = registered[index] ?? { publicId: '', credential: '' }
    const [port, maxPlayers] = [await freePort(), 32 + index]
    const announcer = new AnnouncerProcess(announcers[name]?.run ?? [], {
      MUSTER_URL: listUrl,
      MUSTER_CREDENTIAL: credential,
      PORT: String(port),
      MAX_PLAYERS: String(maxPlayers),
      AGENT_PORT: '0',
    })
    const key = createHash('sha256').update(credential).digest()
    visitors.push({ name, publicId, port, maxPlayers, key, process: announcer })
  }
  return visitors
}

/** Those that do not answer the reachability check, though they had some seconds to open their port. */
async function failedProbes(visitors: readonly Visitor[]): Promise<Visitor[]> {
  const deadline = performance.now() + PROBED_MS
  let left = [...visitors]
  for (;;) {
    const answers = await Promise.all(
      left.map((visitor) =>
        askTcp({ ...visitor, address: '127.0.0.1', endpoint: `127.0.0.1:${visitor.port}` }, Date.now(), AbortSignal.timeout(PROBED_MS)),
      ),
    )
    left = left.filter((_visitor, index) => answers[index]?.result !== 'answered')
    if (left.length === 0 || performance.now() > deadline) return left
    await sleep(POLL_MS)
  }
}

const isListed = (rows: readonly ListedServer[], visitor: Visitor) =>
  rows.some(
    ({ publicId, port, maxPlayersCount, playersCount }) =>
      publicId === visitor.publicId && port === visitor.port && maxPlayersCount === visitor.maxPlayers && playersCount === 0,
  )

/** Reads the list until a condition holds, or the time is over. Returns what it read last. */
async function readUntil(
  listUrl: string,
  isDone: (rows: readonly ListedServer[]) => boolean,
  withinMs: number,
): Promise<readonly ListedServer[]> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const rows = (await (await fetch(`${listUrl}/servers`)).json()) as ListedServer[]
    if (isDone(rows) || performance.now() > deadline) return rows
    await sleep(POLL_MS)
  }
}
