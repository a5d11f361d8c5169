import { useSuspenseQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { SessionList } from '#web/features/sessions/session-list.tsx'
import { sessionsOptions } from '#web/features/sessions/sessions.api.ts'
import { useTitle } from '#web/lib/use-title.ts'

export function SettingsSessionsPage() {
  const { data: sessions } = useSuspenseQuery(sessionsOptions)
  useTitle(m.nav_sessions())
  return <SessionList sessions={sessions} />
}
