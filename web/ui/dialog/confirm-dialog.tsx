import { useBlocker } from '@tanstack/react-router'
import { cloneElement, type ComponentProps, type ReactElement, type ReactNode, useState } from 'react'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/call.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { ErrorNote } from '#web/ui/states.tsx'
import { TypedName } from '#web/ui/form/typed-name.tsx'

interface ConfirmDialogProps {
  title: string
  children: ReactNode
  confirm: string
  /** The label of the cancel button, where “Cancel” would be unclear. */
  cancel?: string
  danger?: boolean
  /** The name to type before an action that can't be undone. */
  typedName?: { name: string; error: string }
  busy?: boolean
  error?: string | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Cancel has the initial focus, so Enter alone never confirms. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirm, cancel, danger, typedName, busy = false, error, onConfirm, onClose } = props
  const [text, setText] = useState('')
  const ready = typedName === undefined || text.trim() === typedName.name
  return (
    <Dialog title={title} role="alertdialog" onDismiss={busy ? undefined : onClose}>
      <div className="mt-2 space-y-3 text-ink-2">{children}</div>
      {typedName !== undefined && (
        <div className="mt-4">
          <TypedName name={typedName.name} value={text} onChange={setText} isMatch={ready} error={typedName.error} />
        </div>
      )}
      {error !== undefined && <ErrorNote className="mt-4">{error}</ErrorNote>}
      <DialogActions>
        <Button data-focus-first onClick={onClose} disabled={busy}>
          {cancel ?? m.common_cancel()}
        </Button>
        <Button variant={danger ? 'danger' : 'primary'} busy={busy} disabled={!ready} onClick={onConfirm}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface MutationDialogProps extends Omit<ComponentProps<typeof ConfirmDialog>, 'busy' | 'error' | 'onConfirm'> {
  mutation: { isPending: boolean; error: Error | null }
  /** Runs the mutation, then closes the dialog. Never runs concurrently. */
  onConfirm: () => Promise<unknown>
}

/** Confirms a mutation and stays open while it runs. Shows its error. */
export function MutationDialog({ mutation: { isPending, error }, onConfirm, ...rest }: MutationDialogProps) {
  return <ConfirmDialog {...rest} busy={isPending} error={error ? messageOf(error) : undefined} onConfirm={useSingleFlight(onConfirm)} />
}

interface ConfirmButtonProps extends Omit<ComponentProps<typeof MutationDialog>, 'onClose'> {
  /** The button. */
  trigger: ReactElement<{ onClick?: () => void }>
  mutation: ComponentProps<typeof MutationDialog>['mutation'] & { reset: () => void }
}

/** A button that asks before it runs a mutation. */
export function ConfirmButton({ trigger, mutation, onConfirm, ...dialog }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    mutation.reset()
  }
  return (
    <>
      {cloneElement(trigger, { onClick: () => setOpen(true) })}
      {isOpen && <MutationDialog {...dialog} mutation={mutation} onConfirm={() => onConfirm().then(close)} onClose={close} />}
    </>
  )
}

/** Asks before the user leaves a page that shows a secret once. */
export function LeaveGuard({ title, hint, stay }: { title: string; hint: string; stay: string }) {
  const blocker = useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true, withResolver: true })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog title={title} confirm={m.ui_unsaved_leave()} cancel={stay} danger onConfirm={blocker.proceed} onClose={blocker.reset}>
      <p>{hint}</p>
    </ConfirmDialog>
  )
}
