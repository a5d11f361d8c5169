/** The browser's storage. Where it is forbidden, nothing is found in it and nothing outlasts the page. */
function guarded(storage: () => Storage) {
  const attempt = <T>(act: () => T, otherwise: T): T => {
    try {
      return act()
    } catch {
      return otherwise
    }
  }
  return {
    read: (key: string) => attempt(() => storage().getItem(key), null),
    /** Null removes what is there. */
    write: (key: string, text: string | null) =>
      attempt(() => (text === null ? storage().removeItem(key) : storage().setItem(key, text)), undefined),
    keys: (): string[] => attempt(() => Object.keys(storage()), []),
  }
}

export const tabStorage = guarded(() => sessionStorage)
export const browserStorage = guarded(() => localStorage)
