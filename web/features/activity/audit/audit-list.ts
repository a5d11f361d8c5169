/** The audit log's sort order and filters, as they appear in its URL. */
import { ACTIONS, ACTOR_ROLES } from '#contract/events/events.ts'
import { anyOf, defineList, matching, UUID } from '#web/lib/url/list-search.ts'

export const auditList = defineList({
  sorts: { at: 'desc' },
  filters: {
    actor_id: matching(UUID),
    /** The ID of a user or a server. */
    target_id: matching(/^(?:[0-9A-Za-z]{7}|[0-9A-Fa-f-]{36})$/),
    action: anyOf(ACTIONS),
    as: anyOf(ACTOR_ROLES),
  },
})
