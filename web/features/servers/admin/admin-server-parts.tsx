import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban, ShieldCheck, Clock, BadgeCheck } from 'lucide-react'
import type { AdminServer } from '#contract/servers/servers-admin.ts'
import { m } from '#messages'
import { ConnectAddress, type ServerIdentityProps } from '#web/features/servers/server-header.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { messageOf } from '#web/lib/http/call.ts'
import { exactTime, useTimeZone } from '#web/lib/time.ts'
import { CopyButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { ActionsMenu, MenuItem } from '#web/ui/menu.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { Danger, DangerAction } from '#web/features/servers/danger.tsx'
import { Button } from '#web/ui/button.tsx'
import { ListingTab } from '#web/features/servers/listing/listing-tab.tsx'
import { useUpdateServer } from '#web/features/servers/server-mutations.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { ErrorNote } from '#web/ui/states.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { Switch } from '#web/ui/switch.tsx'

interface ServerActionsProps {
  server: AdminServer
  onOpenDialog: (dialog: 'ban' | 'lift') => void
}

/** What administrators see of a server. */
export function adminIdentityOf(server: AdminServer, onOpenDialog: ServerActionsProps['onOpenDialog']): ServerIdentityProps {
  return {
    server,
    actions: (
      <>
        <ConnectAddress server={server} />
        <ServerActions server={server} onOpenDialog={onOpenDialog} />
      </>
    ),
    ids: (
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-13 text-ink-2">
        <Owner owner={server.owner} />
        <Id label={m.servers_admin_public_id()} copyNoun={m.servers_admin_copy_public_id()} value={server.public_id} />
        {server.vanity_url !== null && (
          <Id label={m.servers_listing_vanity()} copyNoun={m.servers_admin_copy_vanity_id()} value={`@${server.vanity_url}`} />
        )}
        <Id label={m.servers_admin_owner_id()} copyNoun={m.servers_admin_copy_owner_id()} value={server.user_id} />
      </div>
    ),
  }
}

function ServerActions({ server, onOpenDialog }: ServerActionsProps) {
  return (
    <ActionsMenu name={server.name}>
      <MenuItem icon={<Ban size={15} />} danger={!server.banned} onSelect={() => onOpenDialog('ban')}>
        {server.banned ? m.common_ban_change_ask() : m.servers_admin_ban_ask()}
      </MenuItem>
      {server.banned && (
        <MenuItem icon={<ShieldCheck size={15} />} onSelect={() => onOpenDialog('lift')}>
          {m.common_ban_lift_ask()}
        </MenuItem>
      )}
    </ActionsMenu>
  )
}

function Owner({ owner }: Pick<AdminServer, 'owner'>) {
  const { data: me } = useSuspenseQuery(meOptions)
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <span className="shrink-0 text-ink-3">{m.servers_admin_owner()}</span>
      <Avatar user={owner.discord} size={20} />
      <Link
        to="/admin/users/$user_id"
        params={{ user_id: owner.id }}
        className="inline-flex min-h-6 min-w-0 items-center inline-link font-medium text-ink-1"
      >
        {owner.discord.username}
      </Link>
      {me.id === owner.id && <span className="shrink-0 text-ink-3">{m.servers_admin_owner_self()}</span>}
    </span>
  )
}

/** @param copyNoun completes "Copy the …" */
function Id({ label, copyNoun, value }: { label: string; copyNoun: string; value: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1">
      <span className="shrink-0 text-ink-3">{label}</span>
      <span className="min-w-0 font-mono break-all text-balance max-sm:text-12">{value}</span>
      <CopyButton text={value} label={m.ui_copy_what({ what: copyNoun })} />
    </span>
  )
}

/** The page of a banned owner shows the reason of their ban. @param isCompact one line, for tabs other than the overview */
export function BanNote({ server, isCompact }: { server: AdminServer; isCompact: boolean }) {
  const { banned, ban_reason: reason, banned_until: until, listing, owner } = server
  useTimeZone()
  const b = (text: string) => <strong className="font-medium text-danger">{text}</strong>
  const isOwnerBanned = listing.reasons.some(({ code }) => code === 'OWNER_BANNED')
  if (!banned && !isOwnerBanned) return null
  return (
    <section
      aria-label={m.common_ban()}
      className={cx('mb-4 flex gap-2.5 tint-danger text-13', isCompact ? 'items-center rounded-6 px-3 py-2' : 'rounded-10 px-4 py-3')}
    >
      <Ban size={16} className={cx('shrink-0 text-danger', !isCompact && 'mt-0.5')} aria-hidden="true" />
      <div className={cx('min-w-0', isCompact && 'truncate *:inline')}>
        {banned ? (
          <>
            <p>
              {until === null ? (
                <RichText message={m.common_ban_note} tags={{ b }} />
              ) : (
                <RichText message={m.common_ban_note_until} inputs={{ time: exactTime(until) }} tags={{ b }} />
              )}
            </p>{' '}
            <p className={cx('text-ink-2', !isCompact && 'mt-0.5 break-words whitespace-pre-line')}>{reason || m.common_ban_no_reason()}</p>
          </>
        ) : (
          <p>
            <RichText message={m.servers_admin_owner_banned} inputs={{ owner: owner.discord.username }} tags={{ b }} />
          </p>
        )}
      </div>
    </section>
  )
}

export type AdminServerDialog = 'reset' | 'ban' | 'lift' | 'delete'

export function AdminServerDanger({ server, onOpenDialog }: { server: AdminServer; onOpenDialog: (dialog: AdminServerDialog) => void }) {
  const ban = (
    <Button variant="danger" icon={<Ban size={15} aria-hidden="true" />} onClick={() => onOpenDialog('ban')}>
      {m.servers_admin_ban_ask()}
    </Button>
  )
  const change = (
    <>
      <Button icon={<Clock size={15} aria-hidden="true" />} onClick={() => onOpenDialog('ban')}>
        {m.common_ban_change_ask()}
      </Button>
      <Button onClick={() => onOpenDialog('lift')}>{m.common_ban_lift_ask()}</Button>
    </>
  )
  return (
    <Danger onDelete={() => onOpenDialog('delete')}>
      <DangerAction
        id="danger-ban"
        title={server.banned ? m.common_ban() : m.servers_admin_ban_confirm()}
        action={server.banned ? change : ban}
      >
        {server.banned ? m.servers_admin_ban_active() : m.servers_admin_ban_hint()}
      </DangerAction>
    </Danger>
  )
}

export function AdminServerListing({ server }: { server: AdminServer }) {
  return (
    <div className="space-y-6">
      <VerifiedSwitch server={server} />
      <ListingTab key={server.public_id} server={server} />
    </div>
  )
}

function VerifiedSwitch({ server }: { server: AdminServer }) {
  const verify = useUpdateServer(server)
  const isVerified = verify.isPending ? verify.variables.body.verified : server.verified
  const toggle = useSingleFlight(async () => {
    const { verified } = await verify.mutateAsync({ body: { verified: !server.verified }, ifMatch: server.version })
    toastSuccess(verified ? m.servers_admin_verified_on() : m.servers_admin_verified_off(), server.name)
  })
  return (
    <section aria-label={m.servers_flag_verified()} className="card px-5 py-4">
      {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the switch is its control */}
      <label className="flex cursor-pointer items-start justify-between gap-4">
        <span className="flex min-w-0 gap-3">
          <BadgeCheck size={17} className={isVerified ? 'mt-0.5 shrink-0 text-ok' : 'mt-0.5 shrink-0 text-ink-3'} aria-hidden="true" />
          <span className="min-w-0">
            <span className="block font-medium">{m.servers_flag_verified()}</span>
            <span className="block text-13 text-pretty text-ink-2">{m.servers_admin_verified_hint()}</span>
          </span>
        </span>
        <Switch
          aria-label={m.servers_flag_verified()}
          className="mt-0.5"
          checked={isVerified}
          aria-busy={verify.isPending || undefined}
          onChange={toggle}
        />
      </label>
      {verify.error && <ErrorNote className="mt-3">{messageOf(verify.error)}</ErrorNote>}
    </section>
  )
}
