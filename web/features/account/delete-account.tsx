import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ServerList } from '#contract/servers.ts'
import type { Me } from '#contract/users.ts'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { hoursInWords } from '#web/lib/time.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { TypedName } from '#web/ui/form/typed-name.tsx'
import { useRequestDeletion } from './account.api.ts'

interface DeleteAccountProps {
  me: Me
  list: ServerList
}

/** What is erased, when, and the name to type before it begins. */
export function DeleteAccount({ me, list }: DeleteAccountProps) {
  const { data: about } = useQuery(aboutOptions)
  return (
    <section aria-labelledby="delete" className="card border-danger p-5">
      <h2 id="delete" className="font-medium">
        Delete your account
      </h2>
      <p className="mt-0.5 text-13 text-pretty text-ink-2">
        {about
          ? `Your account is erased ${hoursInWords(about.account_deletion_delay_hours)} after you confirm.`
          : 'Nothing is erased at once.'}{' '}
        Until then you can sign in and cancel, and nothing else. Your servers stay on the list until the end.
      </p>
      <h3 className="mt-5 text-13 font-medium">What is erased</h3>
      <WhatIsErased me={me} list={list} />
      <DeleteForm username={me.discord.username} />
    </section>
  )
}

function WhatIsErased({ me, list }: DeleteAccountProps) {
  const open = list.incoming_transfers.length + list.outgoing_transfers.length
  const online = list.owned.filter(({ status }) => status === 'online').length
  return (
    <dl className="mt-2 divide-y divide-line rounded-6 border border-line">
      <div className="flex flex-wrap items-baseline gap-x-2 px-3 py-2 text-13">
        <dt className="font-medium">Your account</dt>
        <dd className="text-ink-2">with its sessions, settings and benefits</dd>
      </div>
      <Erased count={list.owned.length} one="server" many="servers">
        with credential, listing and history{online > 0 && `; ${online} online right now`}
      </Erased>
      <Erased count={me.gived_managements.length} one="manager" many="managers">
        who {me.gived_managements.length === 1 ? 'loses' : 'lose'} their access to your servers
      </Erased>
      <Erased count={me.recieved_managements.length} one="owner" many="owners">
        whose servers you no longer manage
      </Erased>
      <Erased count={open} one="open transfer" many="open transfers">
        {open === 1 ? 'that ends' : 'that end'} without a new owner
      </Erased>
    </dl>
  )
}

interface ErasedProps {
  count: number
  one: string
  many: string
  children: ReactNode
}

/** What there is none of is not worth a line. */
function Erased({ count, one, many, children }: ErasedProps) {
  if (count === 0) return null
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 px-3 py-2 text-13">
      <dt className="font-medium tabular-nums">{`${count} ${count === 1 ? one : many}`}</dt>
      <dd className="text-ink-2">{children}</dd>
    </div>
  )
}

function DeleteForm({ username }: { username: string }) {
  const [typed, setTyped] = useState('')
  const request = useRequestDeletion()
  const ready = typed.trim().toLowerCase() === username.toLowerCase()
  const send = useSingly(async () => {
    if (ready) await request.mutateAsync()
  })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      className="mt-5"
    >
      <TypedName
        ask="Type your name"
        name={username}
        value={typed}
        onChange={setTyped}
        isRight={ready}
        wrong={`That is not your name: ${username}`}
        className="sm:max-w-80"
      />
      {request.error && <ErrorNote className="mt-4">{messageOf(request.error)}</ErrorNote>}
      <Button type="submit" look="danger" className="mt-4 max-sm:w-full" disabled={!ready} busy={request.isPending}>
        Delete account
      </Button>
    </form>
  )
}
