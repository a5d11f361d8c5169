/** The browser's storage. Where it is forbidden, nothing is found in it and nothing outlasts the page. */
interface Kept {
  read: (key: string) => string | null
  /** Null removes what is there. */
  write: (key: string, text: string | null) => void
  keys: () => string[]
}

function guarded(storage: () => Storage): Kept {
  const attempt = <T>(act: () => T, otherwise: T): T => {
    try {
      return act()
    } catch {
      return otherwise
    }
  }
  return {
    read: (key) => attempt(() => storage().getItem(key), null),
    write: (key, text) => attempt(() => (text === null ? storage().removeItem(key) : storage().setItem(key, text)), undefined),
    keys: () => attempt(() => Object.keys(storage()), []),
  }
}

/** For this tab. */
export const tabStorage = guarded(() => sessionStorage)
/** For this browser. */
export const browserStorage = guarded(() => localStorage)
