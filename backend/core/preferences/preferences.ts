/** A user's preferences: theme, time zone, language, and which events notify them. Without a stored row, the defaults apply. */
import { sql } from 'kysely'
import { PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { type Preferences, type PreferencesChange, THEMES } from '#contract/users/preferences.ts'
import { PUBLIC_EVENT_TYPES } from '#contract/events/public-events.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { bySelf, diff, recordEvent } from '#backend/core/events/events.ts'
import { lockActor } from '#backend/core/users/users.ts'

const DEFAULTS: PreferencesRow = { language: null, time_zone: null, theme: 'system', notifications: {} }

export async function getPreferences(db: Db, userId: string): Promise<Preferences> {
  return present((await findPreferences(db, userId)) ?? DEFAULTS)
}

/** Changes only the fields that are given, and returns all. Does nothing if they stay the same. */
export function changePreferences(db: Db, userId: string, change: PreferencesChange): Promise<Preferences> {
  return transaction(db, async (trx) => {
    // Locks the user, because the row may not exist yet.
    await lockActor(trx, userId, 'update')
    const { notifications: stored, ...fields } = (await findPreferences(trx, userId)) ?? DEFAULTS
    const { notifications: switched = {}, ...changed } = withoutUndefined(change)
    const next = { ...fields, ...changed, notifications: { ...stored, ...withoutUndefined(switched) } }
    const changes = differences({ ...fields, notifications: stored }, next)
    if (changes === undefined) return present(next)
    const columns = { ...next, notifications: JSON.stringify(next.notifications) }
    await trx
      .insertInto('preferences')
      .values({ user_id: userId, ...columns })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...columns, updated_at: sql<Date>`now()` }))
      .execute()
    await recordEvent(trx, { action: 'PREFERENCES_CHANGED', ...bySelf(userId), ...changes })
    return present(next)
  })
}

/** The changed fields. Of the notifications, only those that were switched. */
function differences({ notifications: stored, ...fields }: PreferencesRow, { notifications, ...next }: PreferencesRow) {
  const changed = diff(fields, next)
  const switched = diff(withDefaults(stored), withDefaults(notifications))
  if (changed === undefined && switched === undefined) return undefined
  const side = (name: 'before' | 'after') => ({ ...changed?.[name], ...(switched && { notifications: switched[name] }) })
  return { before: side('before'), after: side('after') }
}

/** Every type notifies unless it is switched off. */
const withDefaults = (notifications: PreferencesRow['notifications']) =>
  Object.fromEntries(PUBLIC_EVENT_TYPES.map((type) => [type, notifications[type] ?? true])) as Preferences['notifications']

/** A value that this version does not know, stored by a newer node, counts as the default. */
function present({ language, time_zone, theme, notifications }: PreferencesRow): Preferences {
  return {
    language: PANEL_LANGUAGES.find((code) => code === language) ?? null,
    time_zone,
    theme: THEMES.find((each) => each === theme) ?? 'system',
    notifications: withDefaults(notifications),
  }
}

/** Leaves out fields that were not given. */
function withoutUndefined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

type PreferencesRow = NonNullable<Awaited<ReturnType<typeof findPreferences>>>

function findPreferences(db: Db, userId: string) {
  return db
    .selectFrom('preferences')
    .select(['language', 'time_zone', 'theme', 'notifications'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}
