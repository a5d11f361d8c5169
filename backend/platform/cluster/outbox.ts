/** A bounded queue of messages to send, in order. */

/** Beyond this, only owners' changes stay, or nothing. For other nodes, reloading everything is cheaper than receiving more. */
const MAX_CHARACTERS = 2_000_000
const MAX_PER_STATEMENT = 100

interface OutboxMessage {
  readonly payload: string
  /** A change by an owner, such as a reissue: it must arrive at once. */
  readonly isOwnersChange: boolean
}

export class Outbox {
  #messages: OutboxMessage[] = []
  #characters = 0
  #hasDropped = false

  get isEmpty(): boolean {
    return this.#messages.length === 0 && !this.#hasDropped
  }

  /** Whether messages were dropped since the last call, so that other nodes must catch up. */
  takeHasDropped(): boolean {
    const hasDropped = this.#hasDropped
    this.#hasDropped = false
    return hasDropped
  }

  add(message: OutboxMessage): void {
    this.#messages.push(message)
    this.#characters += message.payload.length
    if (this.#characters > MAX_CHARACTERS) this.#keep(this.#messages.filter(({ isOwnersChange }) => isOwnersChange))
    if (this.#characters > MAX_CHARACTERS) this.#keep([])
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

  #keep(kept: OutboxMessage[]): void {
    this.#messages = kept
    this.#characters = lengthOf(kept)
    this.#hasDropped = true
  }
}

const lengthOf = (messages: readonly OutboxMessage[]) => messages.reduce((sum, { payload }) => sum + payload.length, 0)
