/** What a person typed and has not saved, kept in this tab: it survives a session that ends. */
import { tabStorage } from './storage.ts'

const PREFIX = 'muster.draft.'

export function readDraft(key: string): Record<string, unknown> | undefined {
  try {
    const kept: unknown = JSON.parse(tabStorage.read(PREFIX + key) ?? 'null')
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

export function writeDraft(key: string, values: Readonly<Record<string, unknown>>): void {
  tabStorage.write(PREFIX + key, JSON.stringify(values))
}

export function deleteDraft(key: string): void {
  tabStorage.write(PREFIX + key, null)
}

export function deleteAllDrafts(): void {
  for (const key of tabStorage.keys()) if (key.startsWith(PREFIX)) tabStorage.write(key, null)
}

let leaving = false

/** Leaves for another page without asking about unsaved changes: they are kept. */
export function leaveWithDrafts(url: string): void {
  leaving = true
  location.assign(url)
}

export function isLeavingWithDrafts(): boolean {
  return leaving
}
