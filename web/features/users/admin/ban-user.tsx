import { Ban, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { z } from 'zod'
import type { AdminUser, Ban as BanBody } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { exactTime, useTimeZone } from '#web/lib/time.ts'
import { BanDialog, type BanReasons } from '#web/ui/dialog/ban-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { MutationDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { ActionsMenu, MenuItem } from '#web/ui/menu.tsx'
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
