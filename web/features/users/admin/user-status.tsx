import { Ban, CalendarClock, type LucideIcon, ShieldCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import type { AdminUser, Ban as BanBody } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { DAY_MS, exactTime, formatTime, relativeTime, useNow, useTimeZone } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { BanDialog, type BanReasons } from '#web/ui/dialog/ban-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { MutationDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { ActionsMenu, MenuItem } from '#web/ui/menu.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { NoneCell } from '#web/ui/table/list-table.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useUserMutation } from './user-mutation.ts'

export const USER_BAN_REASONS: BanReasons = [
  [m.users_ban_reason_spam(), m.users_ban_reason_spam_text()],
  [m.common_ban_reason_players(), m.users_ban_reason_players_text()],
  [m.users_ban_reason_impersonation(), m.users_ban_reason_impersonation_text()],
  [m.users_ban_reason_evasion(), m.users_ban_reason_evasion_text()],
]

export const banUser = (id: string, ban: z.input<typeof BanBody>): Promise<AdminUser> =>
  call('PATCH /api/admin/users/{id}/ban', { params: { id }, body: ban })

interface BanProps {
  user: Pick<AdminUser, 'id' | 'discord' | 'banned' | 'ban_reason' | 'banned_until'>
  isSelf: boolean
}

export function BanCard({ user, isSelf }: { user: AdminUser; isSelf: boolean }) {
  useTimeZone()
  return (
    <Card title={m.common_ban()} description={banText(user)}>
      <BanActions user={user} isSelf={isSelf} />
    </Card>
  )
}

function banText({ banned, banned_until: until, discord: { username: user } }: AdminUser): string {
  if (!banned) return m.users_ban_hint()
  return until === undefined ? m.users_ban_forever({ user }) : m.users_ban_until({ user, end: exactTime(until) })
}

/** Buttons, or the items of a menu. */
export function BanActions({ inMenu = false, ...props }: BanProps & { inMenu?: boolean }) {
  const [open, setOpen] = useState<'ban' | 'lift'>()
  const { banned, discord } = props.user
  const onClose = () => setOpen(undefined)
  const actions = [
    // One element for both actions, so it keeps the focus.
    { name: 'ban', icon: <Ban size={15} aria-hidden="true" />, text: banned ? m.common_ban_change_ask() : m.users_ban_ask() },
    ...(banned ? [{ name: 'lift', icon: <ShieldCheck size={15} aria-hidden="true" />, text: m.common_ban_lift_ask() } as const] : []),
  ] as const
  return (
    <>
      {inMenu ? (
        <ActionsMenu name={discord.username}>
          {actions.map(({ name, icon, text }) => (
            <MenuItem key={name} icon={icon} danger={!banned} onSelect={() => setOpen(name)}>
              {text}
            </MenuItem>
          ))}
        </ActionsMenu>
      ) : (
        <div className="flex flex-wrap gap-2">
          {actions.map(({ name, icon, text }) => (
            <Button key={name} icon={icon} variant={banned ? 'secondary' : 'danger'} onClick={() => setOpen(name)}>
              {text}
            </Button>
          ))}
        </div>
      )}
      {open === 'ban' && <BanUserDialog {...props} onClose={onClose} />}
      {open === 'lift' && <LiftBanDialog {...props} onClose={onClose} />}
    </>
  )
}

interface DialogProps extends BanProps {
  onClose: () => void
}

function BanUserDialog({ user, isSelf, onClose }: DialogProps) {
  // A snapshot, because the response changes the user before the dialog closes.
  const [{ banned, ban_reason: reason, banned_until: until, discord }] = useState(user)
  const { username } = discord
  const ban = useUserMutation((body: z.input<typeof BanBody>) => banUser(user.id, body))
  const newTitle = isSelf ? m.users_ban_self_title() : m.common_ban_title({ name: username })
  const newHint = isSelf ? m.users_ban_self_explained() : m.users_ban_explained({ user: username })
  return (
    <BanDialog
      title={banned ? m.common_ban_change_title({ name: username }) : newTitle}
      explanation={banned ? m.common_ban_change_explained({ user: username }) : newHint}
      reasons={USER_BAN_REASONS}
      hint={m.users_ban_reason_hint({ user: username })}
      confirm={banned ? m.common_ban_change() : m.users_ban_confirm()}
      current={banned ? { reason, until } : undefined}
      onBan={async (input) => {
        await ban.mutateAsync({ banned: true, banReason: input.reason, banned_until: input.banned_until })
        toastSuccess(banned ? m.common_ban_changed() : m.users_ban_done(), username)
        onClose()
      }}
      onClose={onClose}
    />
  )
}

function LiftBanDialog({ user, onClose }: DialogProps) {
  const { username } = user.discord
  const lift = useUserMutation(() => banUser(user.id, { banned: false }))
  return (
    <MutationDialog
      title={m.common_ban_lift_title({ name: username })}
      confirm={m.common_ban_lift()}
      mutation={lift}
      onConfirm={async () => {
        await lift.mutateAsync()
        toastSuccess(m.common_ban_lifted(), username)
        onClose()
      }}
      onClose={onClose}
    >
      <p>{m.users_ban_lift_explained({ user: username })}</p>
    </MutationDialog>
  )
}

type AccountStatus = Pick<AdminUser, 'banned' | 'banned_until' | 'ban_reason' | 'delete_at'>

/** A pill for a ban and one for a pending deletion. */
export function UserStatus({ user }: { user: AccountStatus }) {
  const now = useNow()
  const { banned, banned_until: until, ban_reason: reason, delete_at: deleteAt } = user
  if (!banned && deleteAt === null) return <NoneCell />
  return (
    <span className="relative inline-flex flex-wrap gap-1">
      {banned && (
        <Pill tone="danger" icon={Ban} data-tip={banTip(until, reason)}>
          {m.common_banned()}
          {until !== undefined && <span className="font-normal">{shortBanEnd(until, now)}</span>}
        </Pill>
      )}
      {deleteAt !== null && (
        <Pill tone="warn" icon={CalendarClock} data-tip={m.users_deletion_tip({ time: exactTime(deleteAt) })}>
          {m.users_deletion_pending()}
        </Pill>
      )}
    </span>
  )
}

/** `ends in 3 hr.`, `until Dec 31` */
function shortBanEnd(until: string, now: number): string {
  const left = Date.parse(until) - now
  if (left < 2 * DAY_MS) return m.users_ban_ends({ time: relativeTime(until, now) })
  return m.users_ban_until_short({ date: formatTime(until, left < 300 * DAY_MS ? 'day' : 'date') })
}

function banTip(until: string | undefined, reason: string | undefined): string {
  const end = until === undefined ? m.users_ban_tip_forever() : m.users_ban_tip_until({ time: exactTime(until) })
  return reason ? m.users_ban_tip_reason({ end, reason }) : end
}

/** The ban and the pending deletion, with their details. */
export function UserStatusNotes({ user }: { user: AccountStatus & Pick<AdminUser, 'banned_at'> }) {
  const { banned, ban_reason: reason, delete_at: deleteAt } = user
  useTimeZone()
  return (
    <>
      {banned && (
        <StatusNote icon={Ban} className="tint-danger">
          <BanSentence user={user} />
          <p className="mt-0.5 break-words whitespace-pre-line text-ink-2">{reason || m.common_ban_no_reason()}</p>
        </StatusNote>
      )}
      {deleteAt !== null && (
        <StatusNote icon={CalendarClock} className="tint-warn">
          <RichText message={m.users_deletion_note} inputs={{ time: exactTime(deleteAt) }} tags={{ b: strong('text-warn') }} />
        </StatusNote>
      )}
    </>
  )
}

const strong = (colour: string) => (text: string) => <strong className={`font-medium ${colour}`}>{text}</strong>

function BanSentence({ user: { banned_at: since, banned_until: until } }: { user: Pick<AdminUser, 'banned_at' | 'banned_until'> }) {
  const b = strong('text-danger')
  const time = until === undefined ? '' : exactTime(until)
  if (since === null) {
    if (until === undefined) return <RichText message={m.common_ban_note} tags={{ b }} />
    return <RichText message={m.common_ban_note_until} inputs={{ time }} tags={{ b }} />
  }
  const tags = { b, since: () => <TimeAgo at={since} /> }
  if (until === undefined) return <RichText message={m.users_ban_note_since} tags={tags} />
  return <RichText message={m.users_ban_note_since_until} inputs={{ time }} tags={tags} />
}

function StatusNote({ icon: Icon, className, children }: { icon: LucideIcon; className: string; children: ReactNode }) {
  return (
    <div className={cx('flex gap-2.5 px-5 py-3 text-13', className)}>
      <Icon size={16} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
