import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ServerList } from '#contract/servers.ts'
import type { Me } from '#contract/users.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { call } from '#web/lib/call.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { hoursText } from '#web/lib/time.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { TypedName } from '#web/ui/form/typed-name.tsx'
import { ErrorNote } from '#web/ui/note.tsx'

interface DeleteAccountProps {
  me: Me
  list: ServerList
}

export function DeleteAccount({ me, list }: DeleteAccountProps) {
  const { data: about } = useQuery(aboutOptions)
  const when = about
    ? `Your account is erased ${hoursText(about.account_deletion_delay_hours)} after you confirm.`
    : 'Nothing is erased at once.'
  return (
    <Card
      title="Delete your account"
      className="border-danger"
      below={`${when} Until then you can sign in and cancel, and nothing else. Your servers stay on the list until the end.`}
    >
      <h3 className="mt-5 text-13 font-medium">What is erased</h3>
      <WhatIsErased me={me} list={list} />
      <DeleteForm username={me.discord.username} />
    </Card>
  )
}

function WhatIsErased({ me, list }: DeleteAccountProps) {
  const open = list.incoming_transfers.length + list.outgoing_transfers.length
  const managers = me.gived_managements.length
  const online = list.owned.filter(({ status }) => status === 'online').length
  return (
    <dl className="mt-2 divide-y divide-line rounded-6 border border-line">
      <Erased what="Your account">with its sessions, settings and benefits</Erased>
      <Erased what="server" count={list.owned.length}>
        with credential, listing and history{online > 0 && `; ${online} online right now`}
      </Erased>
      <Erased what="manager" count={managers}>
        who {managers === 1 ? 'loses' : 'lose'} their access to your servers
      </Erased>
      <Erased what="owner" count={me.recieved_managements.length}>
        whose servers you no longer manage
      </Erased>
      <Erased what="open transfer" count={open}>
        {open === 1 ? 'that ends' : 'that end'} without a new owner
      </Erased>
    </dl>
  )
}

function Erased({ what, count, children }: { what: string; count?: number; children: ReactNode }) {
  if (count === 0) return null
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 px-3 py-2 text-13">
      <dt className="font-medium tabular-nums">{count === undefined ? what : `${count} ${count === 1 ? what : `${what}s`}`}</dt>
      <dd className="text-ink-2">{children}</dd>
    </div>
  )
}

/** From then on `me` says when the account is erased, and the panel shows nothing else. */
function useRequestDeletion() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /api/auth/me/delete'),
    onSuccess: async (delete_at) => {
      await client.cancelQueries({ queryKey: meOptions.queryKey })
      client.setQueryData(meOptions.queryKey, (me) => me && { ...me, delete_at })
    },
  })
}

function DeleteForm({ username }: { username: string }) {
  const [typed, setTyped] = useState('')
  const request = useRequestDeletion()
  const ready = typed.trim().toLowerCase() === username.toLowerCase()
  const send = useSingleFlight(async () => {
    if (ready) await request.mutateAsync()
  })
  return (
    <Form onSubmit={send} className="mt-5">
      <TypedName
        message={m.ui_typed_your_name}
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
    </Form>
  )
}
