import { cloneElement, type ComponentProps, type ReactElement, useState } from 'react'
import { messageOf } from '#web/lib/http/call.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

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
