import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import type { ServerList } from '#contract/servers/servers.ts'
import { type Me, isDiscordId } from '#contract/users/users.ts'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { Avatar } from '#web/features/session/avatar.tsx'
import { accountIdLabel } from '#web/features/session/identity-labels.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { TierName } from '#web/features/users/tier-name.tsx'
import { saveFile } from '#web/lib/csv.ts'
import { call, messageOf } from '#web/lib/http/call.ts'
import { formatTime, hoursText, useTimeZone } from '#web/lib/time.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { counted } from '#web/ui/count-text.ts'
import { Form, FormNotes, useForm } from '#web/ui/form/form.tsx'
import { TypedName } from '#web/ui/form/typed-name.tsx'
import { ErrorNote } from '#web/ui/states.tsx'
import { CopiedFact, Fact, Facts } from '#web/ui/table/side-panel.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'

/** Who the account is. Read-only: Discord, or another provider, is the source. */
export function ProfileCard({ me }: { me: Me }) {
  const { username, discord_id } = me.discord
  useTimeZone()
  return (
    <Card
      title={
        <span className="flex items-center gap-4 text-20 [overflow-wrap:anywhere]">
          <Avatar user={me.discord} size={48} />
          {username}
        </span>
      }
      description={me.active_tier === null ? m.tiers_none() : <TierName tier={me.active_tier} />}
    >
      <Facts>
        <CopiedFact label={accountIdLabel(discord_id)} text={discord_id} copyNoun={accountIdLabel(discord_id)} />
        <CopiedFact label={m.users_user_id()} text={me.id} copyNoun={m.users_copy_user_id()} />
        <Fact label={m.users_member_since()}>
          {formatTime(me.created_at, 'longDate')}{' '}
          <span className="text-ink-3">
            <TimeAgo at={me.created_at} />
          </span>
        </Fact>
      </Facts>
      <p className="mt-4 text-13 text-pretty text-ink-2">
        {isDiscordId(discord_id) ? m.account_profile_source() : m.account_profile_source_other()}
      </p>
    </Card>
  )
}

interface DeleteAccountProps {
  me: Me
  list: ServerList
}

export function DeleteAccount({ me, list }: DeleteAccountProps) {
  const { data: about } = useQuery(aboutOptions)
  return (
    <Card
      title={m.account_delete_title()}
      className="border-danger"
      description={
        about ? m.account_delete_hint({ delay: hoursText(about.account_deletion_delay_hours) }) : m.account_delete_hint_delay_unknown()
      }
    >
      <h3 className="mt-5 text-13 font-medium">{m.account_erased()}</h3>
      <ErasedData me={me} list={list} />
      <DeleteForm username={me.discord.username} />
    </Card>
  )
}

function ErasedData({ me, list }: DeleteAccountProps) {
  const transfers = list.incoming_transfers.length + list.outgoing_transfers.length
  const managers = me.gived_managements.length
  const owners = me.recieved_managements.length
  const servers = list.owned.length
  const online = list.owned.filter(({ status }) => status === 'online').length
  return (
    <dl className="mt-2 divide-y divide-line rounded-6 border border-line">
      <ErasedRow label={m.account_erased_account()}>{m.account_erased_account_hint()}</ErasedRow>
      {servers > 0 && (
        <ErasedRow label={m.count_servers(counted(servers))}>
          {online > 0 ? m.account_erased_servers_online({ count: online }) : m.account_erased_servers()}
        </ErasedRow>
      )}
      {managers > 0 && <ErasedRow label={m.count_managers(counted(managers))}>{m.account_erased_managers()}</ErasedRow>}
      {owners > 0 && <ErasedRow label={m.account_erased_owners(counted(owners))}>{m.account_erased_owners_hint()}</ErasedRow>}
      {transfers > 0 && <ErasedRow label={m.account_erased_transfers(counted(transfers))}>{m.account_erased_transfers_hint()}</ErasedRow>}
    </dl>
  )
}

function ErasedRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 px-3 py-2 text-13">
      <dt className="font-medium tabular-nums">{label}</dt>
      <dd className="text-ink-2">{children}</dd>
    </div>
  )
}

function DeleteForm({ username }: { username: string }) {
  const client = useQueryClient()
  // With the new `delete_at`, the panel shows the pending deletion.
  const request = useMutation({
    mutationFn: () => call('POST /api/auth/me/delete'),
    onSuccess: () => client.invalidateQueries({ queryKey: meOptions.queryKey }),
  })
  const form = useForm({
    schema: z.object({ name: z.string() }),
    initial: { name: '' },
    submit: async () => {
      if (isConfirmed) await request.mutateAsync()
    },
  })
  const { name } = form.values
  const isConfirmed = name.trim().toLowerCase() === username.toLowerCase()
  return (
    <Form form={form} className="mt-5">
      <TypedName
        message={m.ui_typed_your_name}
        name={username}
        value={name}
        onChange={(text) => form.change({ name: text })}
        isMatch={isConfirmed}
        error={m.account_delete_name_wrong({ name: username })}
        className="sm:max-w-80"
      />
      <FormNotes form={form} className="mt-4" />
      <Button type="submit" variant="danger" className="mt-4 max-sm:w-full" disabled={!isConfirmed} busy={form.isBusy}>
        {m.nav_delete_account()}
      </Button>
    </Form>
  )
}

export function ExportCard({ username }: { username: string }) {
  const fetchExport = useMutation({ mutationFn: async () => JSON.stringify(await call('GET /api/auth/me/export'), null, 2), gcTime: 0 })
  const download = useSingleFlight(async () => saveFile(await fetchExport.mutateAsync(), `muster-${username}.json`, 'application/json'))
  return (
    <Card
      id="export"
      title={m.account_export_title()}
      description={m.account_export_hint({ brand: brand.name })}
      aside={
        <Button className="shrink-0" icon={<Download size={15} aria-hidden="true" />} busy={fetchExport.isPending} onClick={download}>
          {m.account_export_download()}
        </Button>
      }
    >
      {fetchExport.error && <ErrorNote>{messageOf(fetchExport.error)}</ErrorNote>}
    </Card>
  )
}
