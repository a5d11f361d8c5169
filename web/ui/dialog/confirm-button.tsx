import { cloneElement, type ComponentProps, type ReactElement, useState } from 'react'
import { MutationDialog } from './mutation-dialog.tsx'

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
