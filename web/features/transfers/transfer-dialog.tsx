import { useSuspenseQuery } from '@tanstack/react-query'
import { Check, Minus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { SETTINGS_KEYS, type SettingsKey } from '#contract/benefits.ts'
import type { Server } from '#contract/servers.ts'
import type { Me, PublicUser } from '#contract/users.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { FindUser } from '#web/features/users/find-user.tsx'
import { focusAfterRemoval } from '#web/lib/focus.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { TypedName } from '#web/ui/form/typed-name.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useSettingsUsedBy, useCreateTransfer } from './transfers.api.ts'

/** To whom, what that means, and only then the offer. Nothing moves before the other side accepts. */
export function TransferDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const { data: me } = useSuspenseQuery(meOptions)
  const [recipient, setRecipient] = useState<PublicUser>()
  const [typed, setTyped] = useState('')
  const offer = useCreateTransfer()
  const { name } = server
  const isRight = typed.trim() === name
  const send = useSingleFlight(async () => {
    if (!recipient || !isRight) return
    await offer.mutateAsync({ token_id: server.public_id, user_id: recipient.id })
    toastSuccess('Server offered', `${recipient.discord.username} can accept it now.`)
    onClose()
    // The button that led here makes room for the offer.
    focusAfterRemoval(() => document.getElementById('transfer'))
  })
  return (
    <Dialog title={`Hand over ${name}`} wide onDismiss={offer.isPending ? undefined : onClose}>
      <p className="mt-2 mb-4 text-pretty text-ink-2">
        You offer the server to one person. Until they accept, nothing changes, and you can take the offer back.
      </p>
      <FindUser
        me={me}
        selfMessage="That is you. The server is yours already."
        found={recipient}
        onFound={(found) => {
          setRecipient(found)
          offer.reset()
        }}
      />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        {recipient && (
          <>
            <Consequences server={server} me={me} person={recipient} />
            <div className="mt-5">
              <TypedName name={name} value={typed} onChange={setTyped} isRight={isRight} wrong={`That is not the server’s name: ${name}`} />
            </div>
          </>
        )}
        {offer.error && <ErrorNote className="mt-4">{messageOf(offer.error)}</ErrorNote>}
        <DialogActions>
          <Button onClick={onClose} disabled={offer.isPending}>
            Cancel
          </Button>
          {recipient && (
            <Button type="submit" look="primary" busy={offer.isPending} disabled={!isRight}>
              Offer the server
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Consequences({ server, me, person }: { server: Server; me: Me; person: PublicUser }) {
  const dress = useSettingsUsedBy(server.public_id)
  return (
    <>
      <div className="mt-5 grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Part title={`What ${person.discord.username} gets`} icon={<Check size={15} className="mt-0.5 shrink-0 text-ok" />}>
          {transferredItems(server)}
        </Part>
        <Part title="What is lost" icon={<Minus size={15} className="mt-0.5 shrink-0 text-danger" />}>
          {lost(server, me, dress)}
        </Part>
      </div>
      {server.live && (
        <p className="mt-4 text-13 text-pretty text-ink-2">
          The server is online now. When the offer is accepted it leaves the list, until it announces with a new credential.
        </p>
      )}
    </>
  )
}

function Part({ title, icon, children }: { title: string; icon: ReactNode; children: readonly string[] }) {
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
  const onlyWith = (what: string) => `${what}, as far as their own benefits allow it`
  return [
    `The server with its id ${server.public_id}, its name and its listing`,
    ...(server.vanity_url === null ? [] : [onlyWith(`The vanity id ${server.vanity_url}`)]),
    ...(server.icon_image_id === null ? [] : [onlyWith('Its icon')]),
    ...(server.promoted ? [onlyWith('Its promotion')] : []),
  ]
}

/** `a, b and c` */
const AND = new Intl.ListFormat('en-GB')

const DRESS = {
  CUSTOM_BANNER: 'banner',
  CUSTOM_JOIN_BACKGROUND: 'join background',
  CUSTOM_LAUNCHER: 'launcher',
} as const satisfies Record<SettingsKey, string>

/** Where it is not known what the owner has set for it, all that there is. */
function undressed(keys: readonly SettingsKey[] | undefined): string[] {
  if (keys?.length === 0) return []
  const names = AND.format((keys ?? SETTINGS_KEYS).map((key) => DRESS[key]))
  return [keys ? `Your ${names}: players no longer see ${keys.length === 1 ? 'it' : 'them'} here` : `Your ${names}, where they are for it`]
}

function lost(server: Server, me: Me, dress: readonly SettingsKey[] | undefined): string[] {
  const managers = me.gived_managements.length
  return [
    'Your access to it, all of it',
    ...(server.credential_hint === '' ? [] : ['The credential: it ends, and only the new owner can make another']),
    ...(server.bound_address === null ? [] : [`The bound address ${server.bound_address}`]),
    ...(server.status === 'never_seen' ? [] : ['Its announces: the new owner does not see from where you ran it']),
    ...(server.group === null ? [] : [`Its place in your group ${server.group.name}`]),
    ...undressed(dress),
    ...(managers === 0 ? [] : [managers === 1 ? 'Your manager’s access to it' : `The access of your ${managers} managers to it`]),
  ]
}
