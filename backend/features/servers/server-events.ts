/** The live view: whatever changes about a user's servers goes to his open panels as it happens. */
import * as live from '#contract/live.ts'
import type { Deps } from '#backend/deps.ts'
import { AppError } from '#backend/errors.ts'
import type { MasterList } from '#backend/features/masterlist/master-list.ts'
import type { Bind } from '#backend/http/bind.ts'
import type { EventStream } from '#backend/http/event-stream.ts'
import { getServer } from './servers.ts'
import { presentServer } from './servers.present.ts'

/** Tabs of one person; each holds a connection. */
const MOST_STREAMS_OF_ONE_USER = 12

export function bindServerEvents(bind: Bind, { db, log }: Deps, list: MasterList): void {
  const streams = new Map<string, Set<EventStream>>()

  const tell = async (ownerId: string, publicId: string) => {
    const watching = streams.get(ownerId)
    if (watching === undefined) return
    const event = { public_id: publicId, server: await read(ownerId, publicId) }
    for (const stream of watching) stream.send('server', live.ServerEvent.parse(event))
  }

  const read = async (ownerId: string, publicId: string) => {
    try {
      return await presentServer(db, list, await getServer(db, ownerId, publicId))
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not-found') return null
      throw error
    }
  }

  list.onChange(({ publicId, ownerId }) => {
    tell(ownerId, publicId).catch((error: unknown) => log.warn({ err: error }, 'A change could not be told to open panels.'))
  })

  bind.events(live.events, ({ caller }, stream) => {
    const own = streams.get(caller.userId) ?? new Set()
    streams.set(caller.userId, own)
    own.add(stream)
    stream.onClose(() => {
      own.delete(stream)
      if (own.size === 0) streams.delete(caller.userId)
    })
    // The oldest gives way: a person who reloads often must not be locked out.
    if (own.size > MOST_STREAMS_OF_ONE_USER) own.values().next().value?.close()
  })
}
