import { useSuspenseQuery } from '@tanstack/react-query'
import { Check, Minus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { type SettingsKey } from '#contract/benefits/benefits.ts'
import type { Server } from '#contract/servers/servers.ts'
import type { Me, PublicUser } from '#contract/users/users.ts'
import { m } from '#messages'
import { meOptions } from '#web/features/session/session.api.ts'
import { FindUser } from '#web/features/users/find-user.tsx'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { useForm } from '#web/ui/form/form.tsx'
import { TypedName } from '#web/ui/form/typed-name.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useCreateTransfer, useSettingsFor } from './transfers.api.ts'

/** Asks for the recipient first, then shows the consequences. */
export function TransferDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const { data: me } = useSuspenseQuery(meOptions)
  const [recipient, setRecipient] = useState<PublicUser>()
  const create = useCreateTransfer()
  const form = useForm({
    schema: z.object({ name: z.string() }),
    initial: { name: '' },
    submit: async () => {
      if (!recipient || !isMatch) return
      await create.mutateAsync({ token_id: server.public_id, user_id: recipient.id })
      toastSuccess(m.transfers_sent(), m.transfers_sent_hint({ user: recipient.discord.username }))
      onClose()
    },
  })
  const { name } = server
  const isMatch = form.values.name.trim() === name
  return (
    <FormDialog
      form={form}
      title={m.transfers_dialog_title({ server: name })}
      wide
      confirm={recipient && m.transfers_dialog_send()}
      disabled={!isMatch}
      onClose={onClose}
      before={
        <>
          <p className="mt-2 mb-4 text-pretty text-ink-2">{m.transfers_dialog_hint()}</p>
          <FindUser me={me} selfMessage={m.transfers_dialog_self()} found={recipient} onFound={setRecipient} />
        </>
      }
    >
      {recipient && (
        <>
          <Consequences server={server} me={me} recipient={recipient} />
          <div className="mt-5">
            <TypedName
              name={name}
              value={form.values.name}
              onChange={(text) => form.change({ name: text })}
              isMatch={isMatch}
              error={m.transfers_wrong_name({ server: name })}
            />
          </div>
        </>
      )}
    </FormDialog>
  )
}

function Consequences({ server, me, recipient }: { server: Server; me: Me; recipient: PublicUser }) {
  const settings = useSettingsFor(server.public_id)
  return (
    <>
      <div className="mt-5 grid grid-cols-1 gap-5 sm:grid-cols-2">
        <ItemList
          title={m.transfers_gets({ user: recipient.discord.username })}
          icon={<Check size={15} className="mt-0.5 shrink-0 text-ok" />}
        >
          {transferredItems(server)}
        </ItemList>
        <ItemList title={m.transfers_removed()} icon={<Minus size={15} className="mt-0.5 shrink-0 text-danger" />}>
          {removedItems(server, me, settings)}
        </ItemList>
      </div>
      {server.live && <p className="mt-4 text-13 text-pretty text-ink-2">{m.transfers_online()}</p>}
    </>
  )
}

function ItemList({ title, icon, children }: { title: string; icon: ReactNode; children: readonly string[] }) {
  return (
    <section>
      <h3 className="text-13 font-medium [overflow-wrap:anywhere]">{title}</h3>
      <ul className="mt-2 space-y-1.5 text-13 text-ink-2">
        {children.map((text) => (
          <li key={text} className="flex gap-2">
            <span aria-hidden="true">{icon}</span>
            <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function transferredItems(server: Server): string[] {
  return [
    m.transfers_gets_server({ id: server.public_id }),
    ...(server.vanity_url === null ? [] : [m.transfers_gets_vanity({ vanity: server.vanity_url })]),
    ...(server.icon_image_id === null ? [] : [m.transfers_gets_icon()]),
    ...(server.promoted ? [m.transfers_gets_promotion()] : []),
  ]
}

/** @param settings undefined if they could not be loaded. */
function removedItems(server: Server, me: Me, settings: readonly SettingsKey[] | undefined): string[] {
  const managers = me.gived_managements.length
  return [
    m.transfers_removed_access(),
    ...(server.credential_hint === '' ? [] : [m.transfers_removed_credential()]),
    ...server.bound_addresses.map(({ address }) => m.transfers_removed_address({ address })),
    ...(server.status === 'never_seen' ? [] : [m.transfers_removed_announces()]),
    ...(server.group === null ? [] : [m.transfers_removed_group({ group: server.group.name })]),
    ...(settings
      ? settings.map((key) => m.transfers_removed_settings({ benefit: BENEFITS[key].name() }))
      : [m.transfers_removed_settings_unknown()]),
    ...(managers === 0 ? [] : [m.transfers_removed_managers({ count: managers })]),
  ]
}
