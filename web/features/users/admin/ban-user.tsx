/** Banning one person, from wherever it is done. */
import { Ban, ShieldCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import type { AdminUser, Ban as BanBody } from '#contract/users-admin.ts'
import { call } from '#web/lib/call.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { exactTime } from '#web/lib/time.ts'
import { useFocusAfterUnban } from '#web/lib/use-focus-after-unban.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { ActionsMenu } from '#web/ui/actions-menu.tsx'
import { BanDialog } from '#web/ui/ban-dialog.tsx'
import type { BanReasons } from '#web/ui/ban-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useUserMutation } from './user-mutation.ts'

export const USER_BAN_REASONS: BanReasons = [
  ['Spam', 'Servers were created to fill the list.'],
  ['False player counts', 'The servers announce player counts that are not true, again after we wrote about it.'],
  ['Imitates others', 'The servers pretend to be those of others.'],
  ['Evades a ban', 'This account goes around the ban of another one.'],
]

export const banUser = (id: string, ban: z.input<typeof BanBody>): Promise<AdminUser> =>
  call('PATCH /api/admin/users/{id}/ban', { params: { id }, body: ban })

interface BanProps {
  user: Pick<AdminUser, 'id' | 'discord' | 'banned' | 'ban_reason' | 'banned_until'>
  isSelf: boolean
}

export function BanCard({ user, isSelf }: { user: AdminUser; isSelf: boolean }) {
  const title = useRef<HTMLHeadingElement>(null)
  useFocusAfterUnban(user.banned, () => title.current)
  return (
    <Card title="Ban" titleRef={title} below={textOf(user)}>
      <BanButtons user={user} isSelf={isSelf} />
    </Card>
  )
}

function textOf({ banned, banned_until: until, discord }: AdminUser): string {
  if (!banned) return `A banned account can only read why, and log out. Everything of ${discord.username} stays, off the list.`
  return until === undefined
    ? `${discord.username} is banned until somebody lifts it.`
    : `${discord.username} is banned. It ends by itself on ${exactTime(until)}.`
}

export function BanButtons(props: BanProps) {
  const { ask, dialog } = useBanDialogs(props)
  const { banned } = props.user
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {/* The first button stays through both acts, and the focus with it. */}
        <Button look={banned ? 'secondary' : 'danger'} icon={<Ban size={15} aria-hidden="true" />} onClick={() => ask('ban')}>
          {banned ? 'Change ban…' : 'Ban…'}
        </Button>
        {banned && (
          <Button icon={<ShieldCheck size={15} aria-hidden="true" />} onClick={() => ask('lift')}>
            Lift ban…
          </Button>
        )}
      </div>
      {dialog}
    </>
  )
}

export function UserActions(props: BanProps) {
  const { ask, dialog } = useBanDialogs(props)
  const { banned, discord } = props.user
  return (
    <>
      <ActionsMenu about={discord.username}>
        <MenuItem icon={<Ban size={15} />} danger={!banned} onSelect={() => ask('ban')}>
          {banned ? 'Change ban…' : 'Ban…'}
        </MenuItem>
        {banned && (
          <MenuItem icon={<ShieldCheck size={15} />} onSelect={() => ask('lift')}>
            Lift ban…
          </MenuItem>
        )}
      </ActionsMenu>
      {dialog}
    </>
  )
}

const DIALOGS = { ban: BanUserDialog, lift: LiftBanDialog }

function useBanDialogs(props: BanProps) {
  const [asked, ask] = useState<keyof typeof DIALOGS>()
  const Asked = asked && DIALOGS[asked]
  return { ask, dialog: Asked && <Asked {...props} onClose={() => ask(undefined)} /> }
}

interface DialogProps extends BanProps {
  onClose: () => void
}

function BanUserDialog({ user, isSelf, onClose }: DialogProps) {
  // As they were when it was asked for: the answer comes before the dialog goes.
  const [{ banned, ban_reason: reason, banned_until: until, discord }] = useState(user)
  const { username } = discord
  const ban = useUserMutation((body: z.input<typeof BanBody>) => banUser(user.id, body))
  return (
    <BanDialog
      title={banned ? `Change the ban of ${username}` : `Ban ${isSelf ? 'yourself' : username}?`}
      explains={
        banned
          ? `${username} sees the reason and the end.`
          : isSelf
            ? 'Your servers leave the list at once, and you can do nothing more here. Only another administrator can lift it.'
            : `All servers of ${username} leave the list at once, offers of servers end, and ${username} can do nothing more here than read the reason and the end.`
      }
      reasons={USER_BAN_REASONS}
      hint={`${username} reads it.`}
      confirm={banned ? 'Change ban' : 'Ban'}
      current={banned ? { reason, until } : undefined}
      busy={ban.isPending}
      error={ban.error}
      onBan={async (typed) => {
        await ban.mutateAsync({ banned: true, banReason: typed.reason, banned_until: typed.banned_until })
        toastSuccess(banned ? 'Ban changed' : 'User banned', username)
        onClose()
      }}
      onClose={onClose}
    />
  )
}

function LiftBanDialog({ user, onClose }: DialogProps) {
  const { username } = user.discord
  const lift = useUserMutation(() => banUser(user.id, { banned: false }))
  const confirm = useSingleFlight(async () => {
    await lift.mutateAsync()
    toastSuccess('Ban lifted', username)
    onClose()
  })
  return (
    <ConfirmDialog
      title={`Lift the ban of ${username}?`}
      confirm="Lift ban"
      busy={lift.isPending}
      error={lift.error ? messageOf(lift.error) : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{username} can use everything again at once, and the servers are back on the list with their next announce.</p>
    </ConfirmDialog>
  )
}
