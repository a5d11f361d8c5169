/**
 * Whether it may be our own way out that is closed. Where one game server after the other that answered before falls silent, and none
 * answers in between, it is more likely us than all of them; nobody must leave the list for that.
 */
const ENOUGH_ADDRESSES = 5

export class OwnWay {
  readonly #silent = new Set<string>()

  answered(): void {
    this.#silent.clear()
  }

  /** @param address what is counted as one address, of a server that answered before. */
  fellSilent(address: string): void {
    this.#silent.add(address)
  }

  get isDoubtful(): boolean {
    return this.#silent.size >= ENOUGH_ADDRESSES
  }
}
