import type { AdminUser } from '#contract/users-admin.ts'
import { Avatar } from '#web/features/session/avatar.tsx'
import { BackLink } from '#web/ui/back-link.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { TierName } from '#web/features/benefits/tier-name.tsx'

/** Whose benefits these are, with what tells him from anybody of a like name. */
export function PersonHeader({ user, isSelf }: { user: AdminUser; isSelf: boolean }) {
  return (
    <PageHeader
      above={<BackLink to="/benefits">Benefits</BackLink>}
      title={
        <span className="inline-flex items-center gap-3">
          <Avatar person={user.discord} />
          <span className="[overflow-wrap:anywhere]">
            <span className="sr-only">Benefits of </span>
            {user.discord.username}
          </span>
        </span>
      }
      beside={
        <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 text-13 text-ink-3">
          {user.active_tier === null ? 'No tier' : <TierName tier={user.active_tier} />}
          {isSelf && <span>This is you</span>}
          {user.banned && <span className="font-medium text-danger">Banned</span>}
        </span>
      }
      below={
        <span className="mt-1 flex flex-wrap gap-x-5 gap-y-1">
          <Id label="User id" value={user.id} />
          <Id label="Discord id" value={user.discord.discord_id} />
        </span>
      }
    />
  )
}

function Id({ label, value }: { label: string; value: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1">
      <span className="whitespace-nowrap text-ink-3">{label}</span>
      <span className="min-w-0 font-mono break-all max-sm:text-12">{value}</span>
      <CopyButton text={value} label={`Copy the ${label.charAt(0).toLowerCase()}${label.slice(1)}`} />
    </span>
  )
}
