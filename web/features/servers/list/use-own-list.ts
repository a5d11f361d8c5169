import { useState } from 'react'
import { writeCookie } from '#web/lib/cookies.ts'
import { useList } from '#web/ui/table/use-list.ts'
import { DENSITY_COOKIE, serversList } from './list-state.ts'

export type OwnList = ReturnType<typeof useOwnList>

/** Without a density in the URL, this browser's last choice counts. */
export function useOwnList() {
  const list = useList(serversList)
  const { search, status, view } = list.state
  const [savedView, saveView] = useState(readView)
  return {
    ...list,
    isFiltered: search.trim() !== '' || status !== undefined,
    isCompact: (view ?? savedView) === 'compact',
    setCompact: (isCompact: boolean) => {
      writeCookie(DENSITY_COOKIE, isCompact ? 'compact' : null)
      saveView(isCompact ? 'compact' : 'comfortable')
      list.change({ view: isCompact ? 'compact' : undefined }, true)
    },
  }
}

function readView() {
  const isCompact = globalThis.document?.cookie.split('; ').includes(`${DENSITY_COOKIE}=compact`)
  return isCompact ? 'compact' : 'comfortable'
}
