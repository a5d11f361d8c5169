import type { ComponentProps, ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog/dialog.tsx'
import type { Form as FormState } from './form-options.ts'
import { Form, FormNotes } from './form.tsx'

interface FormDialogProps<T extends FieldValues> extends Omit<ComponentProps<typeof Dialog>, 'onDismiss'> {
  form: FormState<T>
  /** Undefined while there is nothing to submit. */
  confirm: string | undefined
  danger?: boolean
  disabled?: boolean
  /** Above the form: another form, such as a search. */
  before?: ReactNode
  onClose: () => void
}

/** A form in a dialog, which stays open while it is sent. */
export function FormDialog<T extends FieldValues>(props: FormDialogProps<T>) {
  const { form, confirm, danger = false, disabled = false, before, onClose, children, ...dialog } = props
  return (
    <Dialog {...dialog} onDismiss={form.isBusy ? undefined : onClose}>
      {before}
      <Form form={form}>
        {children}
        <FormNotes form={form} className="mt-4" />
        <DialogActions>
          <Button data-focus-first={dialog.role === 'alertdialog' || undefined} onClick={onClose} disabled={form.isBusy}>
            {m.common_cancel()}
          </Button>
          {confirm !== undefined && (
            <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={form.isBusy} disabled={disabled}>
              {confirm}
            </Button>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  )
}
