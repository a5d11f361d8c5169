import { useState } from 'react'
import { focusAfterRemoval } from '#web/lib/focus.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { MutationDialog } from '#web/ui/mutation-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import type { ShownServer } from './access.ts'
import { CredentialPanel } from './credential-panel.tsx'
import { type Grace, useDeleteServer, useReissueCredential, useResetAddress } from './server-mutations.ts'

interface DialogProps {
  server: ShownServer
  onClose: () => void
}

const CHOICES = [
  {
    grace: undefined,
    title: 'End the old one now',
    text: 'For a leaked credential. The server leaves the list until it announces with the new one.',
  },
  { grace: 3600, title: 'Both work for 1 hour', text: 'Time to put the new one in place. The server stays on the list.' },
  { grace: 86_400, title: 'Both work for 24 hours', text: 'For a change during the next restart. The server stays on the list.' },
] as const

export function ReissueDialog({ server, onClose }: DialogProps) {
  const [grace, setGrace] = useState<Grace | undefined>(3600)
  const reissue = useReissueCredential(server)
  // After a hand-over there is none that could end.
  const isFirst = server.credential_hint === ''
  // A second one would kill the credential that the first one is about to show.
  const send = useSingleFlight(() => reissue.mutateAsync(isFirst ? undefined : grace))
  const saved = () => {
    onClose()
    // What asked for a first one is gone now that there is one.
    focusAfterRemoval(() => document.getElementById('credential') ?? document.querySelector<HTMLElement>('h1[tabindex]'))
  }
  if (reissue.data) {
    return (
      // Only its own button closes it: neither Escape nor a stray click loses what is shown once.
      <Dialog key="credential" title={`The new credential of ${reissue.data.name}`} wide>
        <div className="mt-4">
          <CredentialPanel server={reissue.data} />
        </div>
        <DialogActions>
          <Button look="primary" onClick={saved}>
            I have saved it
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <Dialog
      title={isFirst ? `Make a credential for ${server.name}` : `Reissue the credential of ${server.name}`}
      onDismiss={reissue.isPending ? undefined : onClose}
    >
      {isFirst ? (
        <p className="mt-2 text-ink-2">It is shown once. The server announces itself with it and goes on the list.</p>
      ) : (
        <GraceChoice grace={grace} onChange={setGrace} />
      )}
      {reissue.error && <ErrorNote className="mt-4">{messageOf(reissue.error)}</ErrorNote>}
      <DialogActions>
        <Button data-focus-first onClick={onClose} disabled={reissue.isPending}>
          Cancel
        </Button>
        <Button look={grace === undefined && !isFirst ? 'danger' : 'primary'} busy={reissue.isPending} onClick={send}>
          {isFirst ? 'Make credential' : 'Reissue credential'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function GraceChoice({ grace, onChange }: { grace: Grace | undefined; onChange: (grace: Grace | undefined) => void }) {
  return (
    <fieldset className="mt-4 space-y-2">
      <legend className="mb-2 text-ink-2">What happens to the one in use?</legend>
      {CHOICES.map((choice) => (
        // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its text is two levels down
        <label
          key={choice.title}
          className="flex cursor-pointer gap-3 rounded-6 border border-line p-3 has-checked:border-accent has-checked:bg-surface-2 has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="grace"
            checked={grace === choice.grace}
            onChange={() => onChange(choice.grace)}
            className="mt-1 size-4 shrink-0 accent-(--accent) outline-none"
          />
          <span>
            <span className="block font-medium">{choice.title}</span>
            <span className="block text-13 text-ink-2">{choice.text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

export function ResetAddressDialog({ server, onClose }: DialogProps) {
  const reset = useResetAddress(server)
  return (
    <MutationDialog
      title={`Reset the bound address of ${server.name}?`}
      confirm="Reset address"
      mutation={reset}
      onConfirm={async () => {
        await reset.mutateAsync()
        toastSuccess('Address reset', 'The next announce binds the server to where it comes from.')
        onClose()
      }}
      onClose={onClose}
    >
      <p>
        The server is bound to <span className="font-mono break-all text-ink-1">{server.bound_address}</span>. After the reset the next
        announce with its credential binds it anew, from wherever that comes.
      </p>
    </MutationDialog>
  )
}

export function DeleteDialog({ server, onDeleted, onClose }: DialogProps & { onDeleted: () => void }) {
  const remove = useDeleteServer(server)
  return (
    <MutationDialog
      title={`Delete ${server.name}?`}
      confirm="Delete server"
      danger
      typed={{ name: server.name, wrong: `That is not the server’s name: ${server.name}` }}
      mutation={remove}
      onConfirm={async () => {
        await remove.mutateAsync()
        onDeleted()
      }}
      onClose={onClose}
    >
      <p>This can’t be undone:</p>
      <ul className="list-disc space-y-1 pl-5">
        <li>it leaves the public list at once{server.live ? `, with ${server.live.players} players on it` : ''};</li>
        <li>its credential stops working;</li>
        <li>
          its id <span className="font-mono">{server.public_id}</span> and its name are given up.
        </li>
      </ul>
    </MutationDialog>
  )
}
