/** Events by name. A listener that throws or rejects is reported on the console and stops nothing. */

type Listener<T> = (event: T) => unknown

export class Emitter<Events> {
  #listeners: Map<keyof Events, Set<Listener<never>>> | undefined

  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): this {
    this.#listeners ??= new Map()
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(listener))
    return this
  }

  off<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): this {
    this.#listeners?.get(name)?.delete(listener)
    return this
  }

  /** Returns whether there was a listener. Never throws. */
  protected emit<Name extends keyof Events>(name: Name, event: Events[Name]): boolean {
    const listeners = this.#listeners?.get(name)
    if (listeners === undefined || listeners.size === 0) return false
    for (const listener of [...listeners] as Listener<Events[Name]>[]) void call(listener, event)
    return true
  }
}

async function call<T>(listener: Listener<T>, event: T): Promise<void> {
  try {
    await listener(event)
  } catch (error) {
    console.error('A listener of @muster/announce failed:', error)
  }
}
