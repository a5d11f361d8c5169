/** The audit log: what it is narrowed by, as its address has it. */
import { anyOf, defineList, type ListState, textLike, textsLike, UUID } from '#web/lib/list-search.ts'

export const auditList = defineList({
  sorts: { at: 'desc' },
  filters: {
    actor_id: textLike(UUID),
    /** Of a user, or of a server. */
    target_id: textLike(/^(?:[0-9A-Za-z]{7}|[0-9A-Fa-f-]{36})$/),
    // Which there are knows the page, with their words.
    action: textsLike(/^[A-Z_]{3,40}$/),
    as: anyOf(['self', 'manager', 'administrator', 'system']),
  },
})

export type AuditState = ListState<keyof typeof auditList.sorts, typeof auditList.filters>
