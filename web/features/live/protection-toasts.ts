/** Announces what the list's checks found, and what administrators did about it. */
import type { ActivityEntry } from '#contract/activity.ts'
import type { Action } from '#contract/events.ts'
import type { Me } from '#contract/users.ts'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { call } from '#web/lib/call.ts'
import { toastInfo } from '#web/ui/toast.ts'

/** What happened longer ago is no news. */
const FRESH_MS = 120_000

const shownIds = new Set<string>()

export async function notifyProtectionChanges(me: Me | undefined): Promise<void> {
  const news = recentChanges(await call('GET /api/users/activity'), shownIds)
  const own = me && isAdmin(me) && news.some(({ as }) => as === 'administrator') ? await ownActionIds(me) : new Set<string>()
  for (const entry of news.toReversed()) {
    if (shownIds.has(entry.id)) continue
    shownIds.add(entry.id)
    if (own.has(entry.id)) continue
    const words = toastTextOf(entry)
    if (words) toastInfo(words.title, words.description, `issue ${entry.id}`)
  }
}

/** Ids of what the administrator did. Activity does not name who acted, the audit log does. */
async function ownActionIds({ id }: Me): Promise<ReadonlySet<string>> {
  const query = { actor_id: id, as: 'administrator' }
  const { data } = await call('GET /api/admin/audit', { query, whole: true })
  return new Set(data.map((row) => row.id))
}

/** What others did about issues a moment ago; newest first, as the backend answers. */
export function recentChanges(happened: readonly ActivityEntry[], known: ReadonlySet<string>): ActivityEntry[] {
  return happened.filter(
    (entry) =>
      (entry.as === 'administrator' || entry.as === 'system') &&
      entry.action in WORDS &&
      !known.has(entry.id) &&
      Date.now() - Date.parse(entry.at) < FRESH_MS,
  )
}

const WORDS: Partial<Record<Action, { byAdministrator?: string; bySystem?: string; more?: string }>> = {
  ISSUE_OPENED: { bySystem: 'Something was found about {server}', more: 'Its page shows the evidence and what to do.' },
  ISSUE_ACKNOWLEDGED: { byAdministrator: 'An administrator looks into what was found about {server}' },
  ISSUE_REPLIED: { byAdministrator: 'An administrator answered you about {server}', more: 'The answer stands on the page of the issue.' },
  ISSUE_CONSEQUENCE_CHANGED: {
    byAdministrator: 'An administrator changed what follows for {server}',
    bySystem: 'What follows for {server} has changed',
    more: 'The page of the issue says what is in force now.',
  },
  ISSUE_RESOLVED: {
    byAdministrator: 'An administrator resolved an issue of {server}',
    bySystem: 'An issue of {server} is resolved',
    more: 'Nothing follows from it any more.',
  },
  ISSUE_DISMISSED: { byAdministrator: 'An administrator dismissed an issue of {server}', more: 'Nothing follows from it any more.' },
  ISSUE_REOPENED: { byAdministrator: 'An administrator opened an issue of {server} again' },
}

/** Undefined for acts that are not announced. */
export function toastTextOf({ action, as, server }: ActivityEntry): { title: string; description?: string } | undefined {
  const { byAdministrator, bySystem, more } = WORDS[action] ?? {}
  const title = as === 'administrator' ? byAdministrator : bySystem
  if (title === undefined) return undefined
  return { title: title.replace('{server}', server?.name ?? 'a server'), ...(more !== undefined && { description: more }) }
}
