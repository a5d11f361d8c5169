/** All servers: what their list is narrowed and sorted by, as its address has it. */
import { anyOf, defineList, type ListState, oneOf, textLike, textsLike, UUID } from '#web/lib/list-search.ts'

export const serversList = defineList({
  sorts: { created_at: 'desc', name: 'asc', players: 'desc' },
  filters: {
    status: anyOf(['online', 'offline', 'never_seen']),
    banned: oneOf(['true', 'false']),
    tags: textsLike(/^.{1,24}$/u),
    user_id: textLike(UUID),
    group_id: textLike(UUID),
  },
})

export type ServersState = ListState<keyof typeof serversList.sorts, typeof serversList.filters>
