import { useNavigate, useSearch } from '@tanstack/react-router'
import { browserStorage } from '#web/lib/storage.ts'
import { type Connection, findConnection } from './connections.ts'

const KEY = 'muster.connection'

/** The chosen connection, from the search param `with` of the page. Without one, the last choice in this browser. */
export function useConnection(): [connection: Connection, choose: (key: string) => void] {
  const { with: chosen } = useSearch({ strict: false })
  const navigate = useNavigate()
  const choose = (key: string) => {
    browserStorage.write(KEY, key)
    void navigate({
      to: '.',
      search: (previous: object) => ({ ...previous, with: key }),
      replace: true,
      resetScroll: false,
      // A page that shows a credential asks before it closes. It stays open here.
      ignoreBlocker: true,
    })
  }
  return [findConnection(chosen ?? browserStorage.read(KEY)), choose]
}
