import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { BIN_DAYS } from '#contract/servers/bin-days.ts'
import { m } from '#messages'
import { call, messageOf } from '#web/lib/http/call.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { MutationDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog/dialog.tsx'
import { Option } from '#web/ui/form/option.tsx'
import { ErrorNote, WarnNote } from '#web/ui/states.tsx'
import { formatList } from '#web/lib/lists.ts'
import { RichText } from '#web/ui/rich-text.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { isAdminServer, type ShownServer } from './access.ts'
import { CredentialPanel } from './connect/connect-guide.tsx'
import { type Grace, useReissueCredential, useResetAddress } from './server-mutations.ts'

interface DialogProps {
  server: ShownServer
  onClose: () => void
}

const GRACE_CHOICES = [
  { grace: undefined, title: m.servers_reissue_now(), text: m.servers_reissue_now_hint() },
  { grace: 3600, title: m.servers_reissue_hour(), text: m.servers_reissue_hour_hint() },
  { grace: 86_400, title: m.servers_reissue_day(), text: m.servers_reissue_day_hint() },
] as const

export function ReissueDialog({ server, onClose }: DialogProps) {
  const [grace, setGrace] = useState<Grace | undefined>(3600)
  const reissue = useReissueCredential(server)
  // A transfer revokes the old credential.
  const hasNoCredential = server.credential_hint === ''
  // A second reissue would revoke the credential that the first one is about to show.
  const submit = useSingleFlight(() => reissue.mutateAsync(hasNoCredential ? undefined : grace))
  const askTitle = hasNoCredential
    ? m.servers_reissue_create_title({ server: server.name })
    : m.servers_reissue_title({ server: server.name })
  return (
    <Dialog
      title={reissue.data ? m.servers_reissue_done_title({ server: reissue.data.name }) : askTitle}
      wide={reissue.data !== undefined}
      // A credential closes only with its button, so that Escape or a stray press can’t lose it.
      onDismiss={reissue.data || reissue.isPending ? undefined : onClose}
    >
      {reissue.data ? (
        <>
          <div className="mt-4">
            <CredentialPanel server={reissue.data} />
          </div>
          <DialogActions>
            <Button variant="primary" onClick={onClose}>
              {m.servers_credential_saved()}
            </Button>
          </DialogActions>
        </>
      ) : (
        <>
          {hasNoCredential ? (
            <p className="mt-2 text-ink-2">{m.servers_reissue_create_hint()}</p>
          ) : (
            <GraceChoice grace={grace} onChange={setGrace} />
          )}
          {server.credential_grace_until !== null && <WarnNote className="mt-4">{m.servers_reissue_third()}</WarnNote>}
          {reissue.error && <ErrorNote className="mt-4">{messageOf(reissue.error)}</ErrorNote>}
          <DialogActions>
            <Button data-focus-first onClick={onClose} disabled={reissue.isPending}>
              {m.common_cancel()}
            </Button>
            <Button variant={grace === undefined && !hasNoCredential ? 'danger' : 'primary'} busy={reissue.isPending} onClick={submit}>
              {hasNoCredential ? m.servers_reissue_create_confirm() : m.servers_reissue_confirm()}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

function GraceChoice({ grace, onChange }: { grace: Grace | undefined; onChange: (grace: Grace | undefined) => void }) {
  return (
    <fieldset className="mt-4 space-y-2">
      <legend className="mb-2 text-ink-2">{m.servers_reissue_when()}</legend>
      {GRACE_CHOICES.map((choice) => (
        <Option
          key={choice.title}
          type="radio"
          name="grace"
          checked={grace === choice.grace}
          onChange={() => onChange(choice.grace)}
          title={<span className="font-medium">{choice.title}</span>}
          hint={choice.text}
          className="rounded-6 border border-line has-checked:border-accent has-checked:bg-surface-2"
        />
      ))}
    </fieldset>
  )
}

export function ResetAddressDialog({ server, onClose }: DialogProps) {
  const reset = useResetAddress(server)
  return (
    <MutationDialog
      title={m.servers_reset_title({ server: server.name })}
      confirm={m.servers_reset_confirm()}
      mutation={reset}
      onConfirm={async () => {
        await reset.mutateAsync()
        toastSuccess(m.servers_reset_done(), m.servers_reset_done_hint())
        onClose()
      }}
      onClose={onClose}
    >
      <p>
        <RichText
          message={m.servers_reset_hint}
          tags={{
            address: () => (
              <span className="font-mono break-all text-ink-1">{formatList(server.bound_addresses.map(({ address }) => address))}</span>
            ),
          }}
        />
      </p>
    </MutationDialog>
  )
}

export function DeleteDialog({ server, onDeleted, onClose }: DialogProps & { onDeleted: () => void }) {
  const params = { id: server.public_id }
  const remove = useMutation({
    mutationFn: () =>
      isAdminServer(server) ? call('DELETE /api/admin/tokens/{id}', { params }) : call('DELETE /api/users/tokens/{id}', { params }),
  })
  return (
    <MutationDialog
      title={m.servers_delete_title({ server: server.name })}
      confirm={m.servers_delete_confirm()}
      danger
      typedName={{ name: server.name, error: m.servers_delete_wrong_name({ server: server.name }) }}
      mutation={remove}
      onConfirm={async () => {
        await remove.mutateAsync()
        onDeleted()
      }}
      onClose={onClose}
    >
      <p>{isAdminServer(server) ? m.servers_delete_hint_admin({ count: BIN_DAYS }) : m.servers_delete_hint({ count: BIN_DAYS })}</p>
      <ul className="list-disc space-y-1 pl-5">
        <li>{server.live ? m.servers_delete_list_players({ count: server.live.players }) : m.servers_delete_list()}</li>
        <li>{m.servers_delete_credential()}</li>
        <li>
          <RichText message={m.servers_delete_id} tags={{ id: () => <span className="font-mono">{server.public_id}</span> }} />
        </li>
      </ul>
    </MutationDialog>
  )
}
