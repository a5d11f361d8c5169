/** Unsaved form input, stored in this tab. It survives the end of a session. */
import { tabStorage } from './storage.ts'

const PREFIX = 'muster.draft.'

export function readDraft(key: string): Record<string, unknown> | undefined {
  try {
    const draft: unknown = JSON.parse(tabStorage.read(PREFIX + key) ?? 'null')
    return typeof draft === 'object' && draft !== null ? (draft as Record<string, unknown>) : undefined
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

/** Navigates without the warning about unsaved changes: drafts keep them, or the user has logged out. */
export function leavePage(url: string): void {
  leaving = true
  location.assign(url)
}

export function isLeavingPage(): boolean {
  return leaving
}
