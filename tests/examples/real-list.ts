/** The announcers against the real program: each enters its list, and leaves it on SIGTERM. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListedServer } from '#contract/masterlist.ts'
import { profilesFor } from '#backend/cli/simulate/profiles.ts'
import { registerFleet } from '#backend/cli/simulate/register.ts'
import { joinDatabase } from '#backend/platform/database/open.ts'
import { readEnv } from '#backend/platform/env.ts'
import { createLog } from '#backend/platform/log.ts'
import { AnnouncerProcess } from '#sdk/conform/announcer-process.ts'
import { discard, freePort, startProgram, temporaryFolder, untilReady } from '#tests/program.ts'
import type { Command } from './toolchains.ts'

/** Some languages take seconds to start, and here they all start at once. */
const LISTED_MS = 30_000
const LEFT_MS = 10_000
const POLL_MS = 100
/** Java's exit code after SIGTERM. A program on the SDK ends by the signal itself. */
const SIGTERM_CODE = 143

interface Visitor {
  readonly name: string
  readonly publicId: string
  readonly port: number
  readonly maxPlayers: number
  readonly process: AnnouncerProcess
}

/** What is wrong with each command, by its name; undefined for those without a fault. */
export async function visitRealList(commands: Readonly<Record<string, Command>>): Promise<Readonly<Record<string, string | undefined>>> {
  const folder = temporaryFolder()
  const program = await startProgram(folder)
  const visitors: Visitor[] = []
  try {
    await untilReady(program)
    visitors.push(...(await startVisitors(commands, folder, program.listUrl)))
    const listed = await readUntil(program.listUrl, (rows) => visitors.every((visitor) => isListed(rows, visitor)), LISTED_MS)
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
async function startVisitors(commands: Readonly<Record<string, Command>>, folder: string, listUrl: string): Promise<Visitor[]> {
  const names = Object.keys(commands)
  const database = await joinDatabase({ DATA_DIR: folder }, createLog('silent'))
  const registered = await registerFleet({ env: readEnv({}), db: database.db }, profilesFor(names.length, 1), () => undefined)
  await database.close()
  const visitors: Visitor[] = []
  for (const [index, name] of names.entries()) {
    const { publicId, credential } = registered[index] ?? { publicId: '', credential: '' }
    const [port, maxPlayers] = [await freePort(), 32 + index]
    const announcer = new AnnouncerProcess(commands[name] ?? [], {
      MUSTER_URL: listUrl,
      MUSTER_CREDENTIAL: credential,
      PORT: String(port),
      MAX_PLAYERS: String(maxPlayers),
      AGENT_PORT: '0',
    })
    visitors.push({ name, publicId, port, maxPlayers, process: announcer })
  }
  return visitors
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
