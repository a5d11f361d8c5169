import { useState } from 'react'
import type { Server } from '#contract/servers.ts'
import type { Me, PublicUser } from '#contract/users.ts'
import { useOffer } from './transfers.api.ts'
import { FindPerson } from '#web/features/users/find-person.tsx'
import { focusOnceGone } from '#web/lib/focus.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { HandOverConfirm } from './hand-over-confirm.tsx'

interface HandOverDialogProps {
  server: Server
  me: Me
  onClose: () => void
}

/** To whom, what that means, and only then the offer. Nothing moves before the other one accepts. */
export function HandOverDialog({ server, me, onClose }: HandOverDialogProps) {
  const [person, setPerson] = useState<PublicUser>()
  const [typed, setTyped] = useState('')
  const offer = useOffer()
  const ready = person !== undefined && typed.trim() === server.name
  const send = useSingly(async () => {
    if (!ready) return
    await offer.mutateAsync({ token_id: server.public_id, user_id: person.id })
    toastSuccess('Server offered', `${person.discord.username} can accept it now.`)
    onClose()
    // The button that led here makes room for the offer.
    focusOnceGone(() => document.getElementById('hand-over'))
  })
  return (
    <Dialog title={`Hand over ${server.name}`} wide onDismiss={offer.isPending ? undefined : onClose}>
      <p className="mt-2 mb-4 text-pretty text-ink-2">
        You offer the server to one person. Until they accept, nothing changes, and you can take the offer back.
      </p>
      <FindPerson
        me={me}
        notOneself="That is you. The server is yours already."
        found={person}
        onFound={(found) => {
          setPerson(found)
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
        {person && <HandOverConfirm server={server} me={me} person={person} typed={typed} isRight={ready} onTyped={setTyped} />}
        {offer.error && <ErrorNote className="mt-4">{messageOf(offer.error)}</ErrorNote>}
        <DialogActions>
          <Button onClick={onClose} disabled={offer.isPending}>
            Cancel
          </Button>
          {person && (
            <Button type="submit" look="primary" busy={offer.isPending} disabled={!ready}>
              Offer the server
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}
