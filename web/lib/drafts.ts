/** What somebody typed and has not saved, kept in this tab for that person: a session that ends half-way costs no words. */
import { tabStorage } from './storage.ts'

const PREFIX = 'muster.draft.'

/** What was kept, if it can be read. */
export function readDraft(key: string): Record<string, unknown> | undefined {
  try {
    const kept: unknown = JSON.parse(tabStorage.read(PREFIX + key) ?? 'null')
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

export function keepDraft(key: string, values: Readonly<Record<string, unknown>>): void {
  tabStorage.write(PREFIX + key, JSON.stringify(values))
}

export function dropDraft(key: string): void {
  tabStorage.write(PREFIX + key, null)
}

/** For a user who logs out on purpose. */
export function dropAllDrafts(): void {
  for (const key of tabStorage.keys()) if (key.startsWith(PREFIX)) tabStorage.write(key, null)
}

let leaving = false

/** Goes to another page for good, without the question about unsaved changes: they are kept. */
export function leaveWithDrafts(url: string): void {
  leaving = true
  location.assign(url)
}

/** True while the page is being left that way. */
export function isLeavingWithDrafts(): boolean {
  return leaving
}
