import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Connection, findConnection } from './connections.ts'

/** The chosen connection, from the search param `with` of the page. */
export function useConnection(): [connection: Connection, choose: (key: string) => void] {
  const { with: chosen } = useSearch({ strict: false })
  const navigate = useNavigate()
  const choose = (key: string) =>
    void navigate({
      to: '.',
      search: (previous: object) => ({ ...previous, with: key === findConnection(undefined).key ? undefined : key }),
      replace: true,
      resetScroll: false,
      // A page that shows a credential asks before it closes. It stays open here.
      ignoreBlocker: true,
    })
  return [findConnection(chosen), choose]
}
