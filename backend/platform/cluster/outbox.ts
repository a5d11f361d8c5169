/** A bounded queue of messages to send, in order. */

/** Beyond this the least important messages are dropped. For other nodes, reloading everything is cheaper than receiving more. */
const MAX_CHARACTERS = 2_000_000
const MAX_PER_STATEMENT = 100

/** The lowest priority is dropped first. Priority 0 is useless when late; changes by owners, such as a reissue, must arrive. Other topics: 1. */
const PRIORITIES: Readonly<Record<string, number>> = { heartbeat: 0, rateLimit: 0, rejected: 0, refresh: 2 }
const priorityOf = ({ topic }: OutboxMessage) => PRIORITIES[topic] ?? 1

export interface OutboxMessage {
  readonly topic: string
  readonly payload: string
}

export class Outbox {
  #messages: OutboxMessage[] = []
  #characters = 0
  #hasDropped = false

  get isEmpty(): boolean {
    return this.#messages.length === 0 && !this.#hasDropped
  }

  /** Whether messages that other nodes must catch up on were dropped since the last call. */
  takeHasDropped(): boolean {
    const hasDropped = this.#hasDropped
    this.#hasDropped = false
    return hasDropped
  }

  add(message: OutboxMessage): void {
    this.#messages.push(message)
    this.#characters += message.payload.length
    for (let priority = 0; this.#characters > MAX_CHARACTERS; priority += 1) this.#drop(priority)
  }

  takeBatch(): OutboxMessage[] {
    const batch = this.#messages.splice(0, MAX_PER_STATEMENT)
    this.#characters -= lengthOf(batch)
    return batch
  }

  /** Puts unsent messages back at the front. */
  putBack(batch: readonly OutboxMessage[]): void {
    this.#messages.unshift(...batch)
    this.#characters += lengthOf(batch)
  }

  #drop(priority: number): void {
    const kept = this.#messages.filter((message) => priorityOf(message) > priority)
    if (kept.length < this.#messages.length && priority > 0) this.#hasDropped = true
    this.#messages = kept
    this.#characters = lengthOf(kept)
  }
}

const lengthOf = (messages: readonly OutboxMessage[]) => messages.reduce((sum, { payload }) => sum + payload.length, 0)
