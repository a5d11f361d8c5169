/** The bus over a shared PostgreSQL: messages are notifications, and the table `nodes` says who lives (docs/decisions/0026). */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Deps } from '#backend/platform/deps.ts'
import { type Bus, type Gap, type Handler, type Topic, type Topics, localBus } from './bus.ts'
import { type Done, type Message, type OwnTopic, pack, read, write } from './message.ts'
import { Outbox } from './outbox.ts'
import { PostgresLink } from './postgres-link.ts'

/** Messages of so many milliseconds go in one statement. */
const GATHER_MS = 3
/** A node that isn't done by then is not waited for. */
const DONE_WITHIN_MS = 1500
const GAP_AGAIN_MS = 1000
const LAST_SENDS = 20
/** Of no use after a delay or a start. */
const ONLY_NOW: ReadonlySet<string> = new Set<Topic>(['heartbeat', 'rejected', 'rateLimit'])

interface Asked {
  readonly waitingFor: Set<string>
  readonly end: () => void
}

type AnyHandler = (said: unknown, from: string) => void | Promise<void>

/** @param shared the database that other nodes may be on; undefined where there can be none. @param node the id of this node. */
export function createBus(deps: Pick<Deps, 'clock' | 'log'>, shared: ClientConfig | undefined, node: string = randomUUID()): Bus {
  return shared === undefined ? localBus(node) : new PostgresBus(node, deps, shared)
}

class PostgresBus implements Bus {
  readonly isSingleNode = false
  readonly node: string
  readonly #log: Deps['log']
  readonly #link: PostgresLink
  readonly #outbox = new Outbox()
  readonly #handlers = new Map<string, AnyHandler[]>()
  readonly #gapHandlers: ((why: Gap) => Promise<void>)[] = []
  readonly #asked = new Map<number, Asked>()
  #number = 0
  #sending: Promise<void> | undefined
  #isCatchingUp = false
  /** What is to be caught up with next. */
  #gap: Gap | undefined
  #isClosed = false

  constructor(node: string, deps: Pick<Deps, 'clock' | 'log'>, connection: ClientConfig) {
    this.node = node
    this.#log = deps.log
    this.#link = new PostgresLink(node, deps, connection, {
      heard: (payload) => this.#receive(payload),
      echo: () => this.#own('echo', {}),
      opened: (isFirst) => {
        this.#postOwn('hello', {})
        if (!isFirst) void this.#catchUp('disconnected')
      },
      missed: (why) => void this.#catchUp(why),
    })
  }

  get livePeers(): number {
    return this.#link.alive.size
  }

  get connectedPeers(): number {
    return this.#link.connectedPeers
  }

  get disconnectedSince(): number | undefined {
    return this.#link.disconnectedSince
  }

  get isSilent(): boolean {
    return this.#link.isSilent
  }

  get clockOffsetMs(): number {
    return this.#link.clockOffsetMs
  }

  on<T extends Topic>(topic: T, handler: Handler<T>): void {
    const handlers = this.#handlers.get(topic) ?? []
    handlers.push(handler as AnyHandler)
    this.#handlers.set(topic, handlers)
  }

  onGap(handler: (why: Gap) => Promise<void>): void {
    this.#gapHandlers.push(handler)
  }

  publish<T extends Topic>(topic: T, said: Topics[T]): void {
    if (ONLY_NOW.has(topic) && (this.livePeers === 0 || this.disconnectedSince !== undefined)) return
    this.#post(topic, said, false)
  }

  async publishAndWait<T extends Topic>(topic: T, said: Topics[T]): Promise<void> {
    const others = [...this.#link.alive]
    const numbers = this.#post(topic, said, others.length > 0)
    if (others.length === 0 || this.#isClosed) return
    await Promise.all(numbers.map((number) => this.#untilDone(number, topic, others)))
  }

  start(): Promise<void> {
    return this.#link.open()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { end } of this.#asked.values()) end()
    await this.#sending
    for (let sends = 0; sends < LAST_SENDS && !this.#outbox.isEmpty; sends += 1) if (!(await this.#sendSome())) break
    await this.#link.close(this.#own('bye', {}))
  }

  /** Returns the numbers of the messages it takes. */
  #post(topic: string, said: object, asks: boolean): number[] {
    const packed = pack({ node: this.node, topic, said, asks }, () => (this.#number += 1))
    if (packed === undefined) {
      this.#log.error({ topic }, 'Something too long for the other nodes was not said.')
      return []
    }
    for (const payload of packed.values()) this.#outbox.add({ topic, payload })
    this.#sendSoon()
    return [...packed.keys()]
  }

  #own(topic: OwnTopic, said: object): string {
    return write({ node: this.node, number: (this.#number += 1), topic, said, asks: false })
  }

  #postOwn(topic: OwnTopic, said: object): void {
    this.#outbox.add({ topic, payload: this.#own(topic, said) })
    this.#sendSoon()
  }

  #sendSoon(): void {
    if (!this.#isClosed) this.#sending ??= this.#sendAll()
  }

  async #sendAll(): Promise<void> {
    await sleep(GATHER_MS)
    while (!this.#isClosed && !this.#outbox.isEmpty && (await this.#sendSome()));
    this.#sending = undefined
    // Before the first connection there is nothing to wait for; later, `opened` sends again.
    if (!this.#outbox.isEmpty && this.disconnectedSince === undefined) this.#sendSoon()
  }

  /** What could not be sent waits until the connection is back: sent twice does no harm. */
  async #sendSome(): Promise<boolean> {
    const hasDropped = this.#outbox.takeDropped()
    const taken = this.#outbox.take()
    if (hasDropped) taken.unshift({ topic: 'gap', payload: this.#own('gap', {}) })
    const isSent = await this.#link.send(taken.map(({ payload }) => payload))
    if (!isSent) this.#outbox.putBack(taken)
    return isSent
  }

  #receive(payload: string): void {
    const message = read(payload)
    if (message === undefined || this.#isClosed) return
    const { node, topic, said } = message
    if (node === this.node) {
      this.#link.heardItself()
      return
    }
    if (topic === 'bye') {
      this.#link.leftBy(node)
      for (const number of this.#asked.keys()) this.#done(number, node)
      return
    }
    this.#link.heardOf(node, topic === 'gap')
    if (topic === 'done') {
      const { to, number } = said as Partial<Done>
      if (to === this.node && number !== undefined) this.#done(number, node)
    } else void this.#handle(message)
  }

  async #handle({ node, number, topic, said, asks }: Message): Promise<void> {
    try {
      await Promise.all((this.#handlers.get(topic) ?? []).map(async (handle) => handle(said, node)))
    } catch (error) {
      this.#log.info({ err: error, topic }, 'What another node said could not be followed just now.')
      return
    }
    if (asks && !this.#isClosed) this.#postOwn('done', { to: node, number } satisfies Done)
  }

  #untilDone(number: number, topic: string, others: readonly string[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waitingFor = new Set(others)
    const end = () => {
      clearTimeout(timer)
      this.#asked.delete(number)
      resolve()
    }
    const timer = setTimeout(() => {
      this.#log.info({ topic, nodes: [...waitingFor] }, 'Other nodes have not said in time that they did what they were told.')
      end()
    }, DONE_WITHIN_MS)
    this.#asked.set(number, { waitingFor, end })
    return promise
  }

  #done(number: number, node: string): void {
    const asked = this.#asked.get(number)
    asked?.waitingFor.delete(node)
    if (asked?.waitingFor.size === 0) asked.end()
  }

  /** One catch-up at a time; what is missed meanwhile needs another, and so does one that failed. */
  async #catchUp(why: Gap): Promise<void> {
    this.#noteGap(why)
    if (this.#isCatchingUp) return
    this.#isCatchingUp = true
    for (let gap = this.#takeGap(); gap !== undefined; gap = this.#takeGap()) {
      const caughtUp = await Promise.allSettled(this.#gapHandlers.map((handle) => handle(gap)))
      const failed = caughtUp.find((one) => one.status === 'rejected')
      if (failed === undefined || this.#isClosed) continue
      this.#log.info({ err: failed.reason as unknown }, 'What other nodes did could not be read anew yet; it is tried again.')
      this.#noteGap(gap)
      await sleep(GAP_AGAIN_MS, undefined, { ref: false })
    }
    this.#isCatchingUp = false
  }

  #noteGap(why: Gap): void {
    if (this.#gap !== 'disconnected') this.#gap = why
  }

  #takeGap(): Gap | undefined {
    const gap = this.#isClosed ? undefined : this.#gap
    this.#gap = undefined
    return gap
  }
}
