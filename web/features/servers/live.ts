/**
 * The panel moves by itself: one stream of changes feeds the query cache. When it breaks it is opened anew, later and
 * later with some chance in it; meanwhile the list is read every 15 seconds, so that nothing stands still.
 */
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { ServerEvent } from '#contract/servers.ts'
import { announcesOptions, dropServer, keepServer, serverListOptions } from './servers.api.ts'

export type Connection = { state: 'open' } | { state: 'lost'; since: number; retryAt: number }

const ADDRESS = '/api/users/tokens/events'
const POLL_MS = 15_000
const OPEN: Connection = { state: 'open' }

let connection: Connection = OPEN
const listeners = new Set<() => void>()

function setConnection(next: Connection): void {
  connection = next
  for (const each of listeners) each()
}

/** Whether changes arrive by themselves; an offline browser has lost them by definition. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => connection,
  )
}

/** 1, 2, 4 ... 30 seconds, each between half and the whole of it. */
export function backOff(attempt: number, chance = Math.random()): number {
  return Math.min(30_000, 1000 * 2 ** attempt) * (0.5 + chance / 2)
}

/** Keeps the stream open for as long as the component lives. */
export function useLiveServers(client: QueryClient): void {
  useEffect(() => follow(client), [client])
}

function follow(client: QueryClient): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = 0
  let lostAt = 0
  const readAll = () =>
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'servers' || queryKey[0] === 'server' })
  const open = () => {
    clearTimeout(timer)
    source = new EventSource(ADDRESS)
    source.addEventListener('open', () => {
      if (lostAt !== 0) readAll()
      attempt = 0
      lostAt = 0
      setConnection(OPEN)
    })
    source.addEventListener('server', (event: MessageEvent<string>) => take(client, JSON.parse(event.data) as ServerEvent))
    source.addEventListener('error', retryLater)
  }
  const retryLater = () => {
    source?.close()
    lostAt ||= Date.now()
    const wait = backOff(attempt++)
    setConnection({ state: 'lost', since: lostAt, retryAt: Date.now() + wait })
    clearTimeout(timer)
    timer = setTimeout(open, wait)
  }
  const poll = setInterval(() => {
    if (lostAt !== 0) void client.invalidateQueries({ queryKey: serverListOptions.queryKey })
  }, POLL_MS)
  const online = () => {
    attempt = 0
    if (lostAt !== 0) open()
  }
  addEventListener('online', online)
  addEventListener('offline', retryLater)
  open()
  return () => {
    removeEventListener('online', online)
    removeEventListener('offline', retryLater)
    clearTimeout(timer)
    clearInterval(poll)
    source?.close()
  }
}

function take(client: QueryClient, { public_id, server }: ServerEvent): void {
  if (server === null) dropServer(client, public_id)
  else keepServer(client, server)
  void client.invalidateQueries({ queryKey: announcesOptions(public_id).queryKey })
}
