import { Ban, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { z } from 'zod'
import type { AdminUser, Ban as BanBody } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { exactTime, useTimeZone } from '#web/lib/time.ts'
import { ActionsMenu } from '#web/ui/actions-menu.tsx'
import { BanDialog } from '#web/ui/dialog/ban-dialog.tsx'
import type { BanReasons } from '#web/ui/dialog/ban-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { MutationDialog } from '#web/ui/dialog/mutation-dialog.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
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
      <BanButtons user={user} isSelf={isSelf} />
    </Card>
  )
}

function banText({ banned, banned_until: until, discord: { username: user } }: AdminUser): string {
  if (!banned) return m.users_ban_hint()
  return until === undefined ? m.users_ban_forever({ user }) : m.users_ban_until({ user, end: exactTime(until) })
}

export function BanButtons(props: BanProps) {
  const { open, dialog } = useBanDialogs(props)
  const { banned } = props.user
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {/* One element for both actions, so it keeps the focus. */}
        <Button variant={banned ? 'secondary' : 'danger'} icon={<Ban size={15} aria-hidden="true" />} onClick={() => open('ban')}>
          {banned ? m.common_ban_change_ask() : m.users_ban_ask()}
        </Button>
        {banned && (
          <Button icon={<ShieldCheck size={15} aria-hidden="true" />} onClick={() => open('lift')}>
            {m.common_ban_lift_ask()}
          </Button>
        )}
      </div>
      {dialog}
    </>
  )
}

export function UserActions(props: BanProps) {
  const { open, dialog } = useBanDialogs(props)
  const { banned, discord } = props.user
  return (
    <>
      <ActionsMenu name={discord.username}>
        <MenuItem icon={<Ban size={15} />} danger={!banned} onSelect={() => open('ban')}>
          {banned ? m.common_ban_change_ask() : m.users_ban_ask()}
        </MenuItem>
        {banned && (
          <MenuItem icon={<ShieldCheck size={15} />} onSelect={() => open('lift')}>
            {m.common_ban_lift_ask()}
          </MenuItem>
        )}
      </ActionsMenu>
      {dialog}
    </>
  )
}

const DIALOGS = { ban: BanUserDialog, lift: LiftBanDialog }

function useBanDialogs(props: BanProps) {
  const [name, open] = useState<keyof typeof DIALOGS>()
  const Dialog = name && DIALOGS[name]
  return { open, dialog: Dialog && <Dialog {...props} onClose={() => open(undefined)} /> }
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
