/**
 * The panel moves by itself: one stream of changes feeds the query cache. When it breaks it is opened anew, later and
 * later with some chance in it; meanwhile everything shown is read every 15 seconds, so that nothing stands still. An
 * announce that changes nothing is no event, so what is shown is read every 30 seconds even while the stream works.
 */
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { AccountEvent, ManagedServerEvent, ServerEvent } from '#contract/live.ts'
import { readAccount } from './live-account.ts'
import { readAnew } from './read-anew.ts'
import { announcesOptions, dropManaged, dropServer, keepManaged, keepServer, serverListOptions } from '#web/features/servers/servers.api.ts'

type Connection = { state: 'open' } | { state: 'lost'; since: number; retryAt: number }

const ADDRESS = '/api/users/tokens/events'
const POLL_MS = 15_000
/** While the stream works, only every second time. Not a query's own interval, which each event would begin anew. */
const CALM = 2
const OPEN: Connection = { state: 'open' }

/** An announce that changes nothing is no event. */
const QUIET: readonly unknown[] = ['servers', 'server', 'managed']
/** What changes without the stream being there to say so. */
const ALL: readonly unknown[] = [...QUIET, 'me', 'activity', 'benefits', 'protection']

let connection: Connection = OPEN
const listeners = new Set<() => void>()

function setConnection(next: Connection): void {
  connection = next
  for (const each of listeners) each()
}

/** Whether what is shown keeps up with the backend: by the stream, or by reading where something on the way stops the stream. */
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
function backOff(attempt: number): number {
  return Math.min(30_000, 1000 * 2 ** attempt) * (0.5 + Math.random() / 2)
}

/** Keeps the stream open for as long as the component lives. */
export function useLiveServers(client: QueryClient): void {
  useEffect(() => follow(client), [client])
}

function follow(client: QueryClient): () => void {
  const link = new Link(client)
  addEventListener('online', link.hurry)
  addEventListener('offline', link.lose)
  const poll = setInterval(link.tick, POLL_MS)
  link.open()
  return () => {
    removeEventListener('online', link.hurry)
    removeEventListener('offline', link.lose)
    clearInterval(poll)
    link.close()
  }
}

/** The stream with its attempts, and the reading that stands in for it. */
class Link {
  readonly #client: QueryClient
  #source: EventSource | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #attempt = 0
  #ticks = 0
  #broken = false
  // While the stream is broken: when it is opened anew, as of when what is shown is right, and whether reading works all the same.
  #retryAt = 0
  #freshAt = 0
  #readable = false

  constructor(client: QueryClient) {
    this.#client = client
  }

  readonly open = () => {
    this.close()
    this.#source = new EventSource(ADDRESS)
    this.#source.addEventListener('open', this.#opened)
    this.#source.addEventListener('error', this.#retryLater)
    this.#on<ServerEvent>('server', take)
    this.#on<ManagedServerEvent>('managed_server', takeManaged)
    this.#on<AccountEvent>('account', (client, { changed }) => readAccount(client, changed))
  }

  #on<T>(name: string, act: (client: QueryClient, said: T) => void) {
    this.#source?.addEventListener(name, (event: MessageEvent<string>) => act(this.#client, JSON.parse(event.data) as T))
  }

  close() {
    clearTimeout(this.#timer)
    this.#source?.close()
  }

  readonly hurry = () => {
    this.#attempt = 0
    if (this.#broken) this.open()
  }

  readonly lose = () => {
    this.#readable = false
    this.#retryLater()
  }

  readonly tick = () => {
    this.#ticks += 1
    if (!this.#broken && this.#ticks % CALM !== 0) return
    const askedAt = Date.now()
    const shown = document.visibilityState === 'visible'
    void readAnew(this.#client, this.#broken ? ALL : QUIET, shown ? 'active' : 'none').then(() => shown && this.#judge(askedAt))
  }

  readonly #opened = () => {
    // Also the first time: what happened between the first read and now was told to nobody here. What failed then was asked as often as
    // it may be (product.md section 9); after an outage it is asked again.
    void readAnew(this.#client, ALL, 'active', this.#broken)
    this.#attempt = 0
    this.#broken = false
    setConnection(OPEN)
  }

  readonly #retryLater = () => {
    this.close()
    const wait = backOff(this.#attempt++)
    this.#retryAt = Date.now() + wait
    this.#timer = setTimeout(this.open, wait)
    if (!this.#broken) this.#breakOff(Date.now())
    if (!this.#readable) this.#sayLost()
  }

  #breakOff(at: number) {
    this.#broken = true
    this.#readable = false
    this.#freshAt = at
    void this.#client.refetchQueries({ queryKey: serverListOptions.queryKey }).then(() => this.#judge(at))
  }

  /** The list, which the navigation always shows, could be read since then or not. */
  #judge(askedAt: number) {
    if (!this.#broken) return
    const list = this.#client.getQueryState(serverListOptions.queryKey)
    this.#readable = list?.status === 'success' && list.dataUpdatedAt >= askedAt
    if (!this.#readable) return this.#sayLost()
    this.#freshAt = askedAt
    setConnection(OPEN)
  }

  #sayLost() {
    setConnection({ state: 'lost', since: this.#freshAt, retryAt: this.#retryAt })
  }
}

function take(client: QueryClient, { public_id, server }: ServerEvent): void {
  if (server === null) dropServer(client, public_id)
  else keepServer(client, server)
  void client.invalidateQueries({ queryKey: announcesOptions(public_id).queryKey })
}

function takeManaged(client: QueryClient, { owner_id, public_id, server }: ManagedServerEvent): void {
  if (server === null) dropManaged(client, owner_id, public_id)
  else keepManaged(client, server)
  void client.invalidateQueries({ queryKey: announcesOptions(public_id).queryKey })
}
