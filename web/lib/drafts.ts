/** What somebody typed and has not saved, kept in this tab for that person: a session that ends half-way costs no words. */

const PREFIX = 'muster.draft.'

/** What was kept, if it can be read. */
export function readDraft(key: string): Record<string, unknown> | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null')
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

export function keepDraft(key: string, values: Readonly<Record<string, unknown>>): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(values))
  } catch {
    // Without storage what was typed lasts as long as the page.
  }
}

export function dropDraft(key: string): void {
  try {
    sessionStorage.removeItem(PREFIX + key)
  } catch {
    // Then there is none.
  }
}

/** Who logs out on purpose leaves nothing behind. */
export function dropAllDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  } catch {
    // Then there are none.
  }
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
