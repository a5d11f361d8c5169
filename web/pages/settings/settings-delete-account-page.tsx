import { useSuspenseQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { DeleteAccount } from '#web/features/account/delete-account.tsx'
import { ExportCard } from '#web/features/account/export-card.tsx'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { useTitle } from '#web/lib/use-title.ts'

export function SettingsDeleteAccountPage() {
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: list } = useSuspenseQuery(serverListOptions)
  useTitle(m.nav_delete_account())
  return (
    <div className="space-y-5">
      <ExportCard username={me.discord.username} />
      <DeleteAccount me={me} list={list} />
    </div>
  )
}
