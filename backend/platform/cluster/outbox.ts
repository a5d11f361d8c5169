/** A bounded queue of messages to send, in order. */

/** Beyond this, all are dropped. For other nodes, reloading everything is cheaper than receiving more. */
const MAX_CHARACTERS = 2_000_000
const MAX_PER_STATEMENT = 100

export class Outbox {
  #messages: string[] = []
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

  add(message: string): void {
    this.#messages.push(message)
    this.#characters += message.length
    if (this.#characters <= MAX_CHARACTERS) return
    this.#messages = []
    this.#characters = 0
    this.#hasDropped = true
  }

  takeBatch(): string[] {
    const batch = this.#messages.splice(0, MAX_PER_STATEMENT)
    this.#characters -= lengthOf(batch)
    return batch
  }

  /** Puts unsent messages back at the front. */
  putBack(batch: readonly string[]): void {
    this.#messages.unshift(...batch)
    this.#characters += lengthOf(batch)
  }
}

const lengthOf = (messages: readonly string[]) => messages.reduce((sum, message) => sum + message.length, 0)
