/** Browser storage that never throws. If it is blocked, it is always empty. */
function safeStorage(storage: () => Storage) {
  const attempt = <T>(access: () => T, fallback: T): T => {
    try {
      return access()
    } catch {
      return fallback
    }
  }
  return {
    read: (key: string) => attempt(() => storage().getItem(key), null),
    /** Null removes the entry. */
    write: (key: string, text: string | null) =>
      attempt(() => (text === null ? storage().removeItem(key) : storage().setItem(key, text)), undefined),
    keys: (): string[] => attempt(() => Object.keys(storage()), []),
  }
}

export const tabStorage = safeStorage(() => sessionStorage)
export const browserStorage = safeStorage(() => localStorage)
