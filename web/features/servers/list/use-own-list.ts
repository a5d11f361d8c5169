import { useState } from 'react'
import { browserStorage } from '#web/lib/storage.ts'
import { useList } from '#web/ui/table/use-list.ts'
import { serversList } from './list-state.ts'

const VIEW_KEY = 'muster.servers-view'

export type OwnList = ReturnType<typeof useOwnList>

/** Without a view in the URL, this browser's last choice counts. */
export function useOwnList() {
  const list = useList(serversList)
  const { search, status, view } = list.state
  const [savedView, saveView] = useState(() => browserStorage.read(VIEW_KEY))
  return {
    ...list,
    isFiltered: search.trim() !== '' || status !== undefined,
    isCompact: (view ?? savedView) === 'compact',
    setCompact: (isCompact: boolean) => {
      const next = isCompact ? 'compact' : null
      browserStorage.write(VIEW_KEY, next)
      saveView(next)
      list.change({ view: next ?? undefined }, true)
    },
  }
}
