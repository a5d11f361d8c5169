/** The API key of the running call, so that the audit log can name it without a parameter in every rule. */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface ActingKey {
  readonly userId: string
  readonly name: string
}

const storage = new AsyncLocalStorage<ActingKey>()

/** Runs `act`, with everything that it awaits, as a call with this key. Undefined for a call without one. */
export function runWithKey<T>(key: ActingKey | undefined, act: () => T): T {
  return key === undefined ? act() : storage.run(key, act)
}

/** The name of the key with which this user acts now; null without a key. */
export function nameOfActingKey(userId: string | null): string | null {
  const key = storage.getStore()
  return key !== undefined && key.userId === userId ? key.name : null
}
