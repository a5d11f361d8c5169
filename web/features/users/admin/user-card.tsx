import { Link } from '@tanstack/react-router'
import { Shield } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AdminUser } from '#contract/users/users-admin.ts'
import { isDiscordId } from '#contract/users/users.ts'
import { m } from '#messages'
import { Avatar } from '#web/features/session/avatar.tsx'
import { accountIdLabel } from '#web/features/session/identity-labels.ts'
import { isAdmin } from '#web/features/session/session.api.ts'
import { LimitMeters, limitUsage } from '#web/features/users/limits.tsx'
import { TierName } from '#web/features/users/tier-name.tsx'
import { formatList } from '#web/lib/lists.ts'
import { Breadcrumbs } from '#web/ui/breadcrumbs.tsx'
import { CopyButton } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { BanActions, UserStatusNotes } from './user-status.tsx'

export function UserCard({ user, isSelf }: { user: AdminUser; isSelf: boolean }) {
  const { username, discord_id } = user.discord
  return (
    <>
      <PageHeader
        above={<Breadcrumbs ancestors={[{ to: '/admin/users', label: m.nav_users() }]} current={username} />}
        title={
          <span className="flex items-center gap-4 [overflow-wrap:anywhere]">
            <Avatar user={user.discord} size={48} />
            {username}
          </span>
        }
        beside={<Marks user={user} isSelf={isSelf} />}
        action={<BanActions inMenu user={user} isSelf={isSelf} />}
        below={
          <>
            <Id label={accountIdLabel(discord_id)} copyNoun={accountIdLabel(discord_id)} value={discord_id} />
            <Id label={m.users_user_id()} copyNoun={m.users_copy_user_id()} value={user.id} />
            <div className="flex min-w-0 items-baseline gap-x-1.5">
              <span className="min-w-17 shrink-0 text-ink-3">{m.users_ways()}</span>
              <span className="min-w-0 [overflow-wrap:anywhere]">{waysText(user.identities)}</span>
            </div>
          </>
        }
      />
      <section aria-label={m.users_card({ user: username })} className="card mb-6 overflow-hidden">
        <dl className="grid grid-cols-3 gap-x-5 gap-y-4 p-5 sm:grid-cols-6">
          <LimitMeters user={user} used={limitUsage(user)} />
          <Fact label={m.users_member_since()}>
            <TimeAgo at={user.created_at} />
          </Fact>
          <Fact label={m.users_last_sign_in()}>
            <TimeAgo at={user.signed_in_at} />
          </Fact>
          <Fact label={m.common_open_issues()}>
            <OpenIssues user={user} />
          </Fact>
        </dl>
        <UserStatusNotes user={user} />
      </section>
    </>
  )
}

function Marks({ user, isSelf }: { user: AdminUser; isSelf: boolean }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 text-13 text-ink-3">
      {user.active_tier === null ? m.tiers_none() : <TierName tier={user.active_tier} />}
      {user.is_tier_forced && <span>{m.users_tier_override()}</span>}
      {isAdmin(user) && (
        <span className="inline-flex items-center gap-1 font-medium text-ink-1">
          <Shield size={14} className="text-(--hue-red)" aria-hidden="true" />
          {m.users_administrator()}
        </span>
      )}
      {isSelf && <span>{m.users_card_self()}</span>}
    </span>
  )
}

/** `Discord and Keycloak (alice)`. Discord's name is the title of the page. */
function waysText(identities: AdminUser['identities']): string {
  return formatList(
    identities.map(({ id, provider, label, name }) => {
      if (provider === null) return m.users_way_gone({ provider: label })
      return isDiscordId(id) ? label : m.users_way({ provider: label, name })
    }),
  )
}

/** @param copyNoun completes "Copy the …" */
function Id({ label, copyNoun, value }: { label: string; copyNoun: string; value: string }) {
  return (
    <div className="flex min-w-0 items-center gap-x-1.5">
      <span className="min-w-17 shrink-0 text-ink-3">{label}</span>
      <span className="min-w-0 font-mono break-all text-balance max-sm:w-[19ch] max-sm:text-12">{value}</span>
      <CopyButton text={value} label={m.ui_copy_what({ what: copyNoun })} />
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-12 text-ink-3">{label}</dt>
      <dd className="mt-0.5 text-13 text-ink-1">{children}</dd>
    </div>
  )
}

function OpenIssues({ user }: { user: AdminUser }) {
  if (user.open_issues === 0) return <span className="text-ink-2">{m.common_none()}</span>
  return (
    <Link
      to={`/admin/users/${user.id}/protection` as string}
      className="rounded-6 font-medium text-warn underline underline-offset-2 tabular-nums"
    >
      <span aria-hidden="true">{user.open_issues}</span>
      <span className="sr-only">{m.nav_open({ count: user.open_issues })}</span>
    </Link>
  )
}
