import { type ReactNode, useId, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { ErrorNote } from './note.tsx'

interface ConfirmDialogProps {
  title: string
  /** What will happen, named. */
  children: ReactNode
  confirm: string
  /** What the way out is called, where "Cancel" could be taken for the act itself. */
  cancel?: string
  danger?: boolean
  /** Where the act can't be undone: the text that has to be typed first. */
  typed?: string
  busy: boolean
  error?: string | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something happens. Cancel has the focus, and Enter alone never confirms. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  cancel = 'Cancel',
  danger = false,
  typed,
  busy,
  error,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [text, setText] = useState('')
  const inputId = useId()
  const ready = typed === undefined || text.trim() === typed
  return (
    <Dialog title={title} role="alertdialog" onDismiss={busy ? undefined : onClose}>
      <div className="mt-2 space-y-3 text-ink-2">{children}</div>
      {typed !== undefined && (
        <div className="mt-4">
          <label htmlFor={inputId} className="block text-13 text-ink-2">
            Type <strong className="font-semibold break-all text-ink-1 select-all">{typed}</strong> to confirm
          </label>
          <input
            id={inputId}
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            spellCheck={false}
            className="field-input mt-1.5"
          />
        </div>
      )}
      {error !== undefined && <ErrorNote className="mt-4">{error}</ErrorNote>}
      <DialogActions>
        <Button data-focus-first onClick={onClose} disabled={busy}>
          {cancel}
        </Button>
        <Button look={danger ? 'danger' : 'primary'} busy={busy} disabled={!ready} onClick={onConfirm}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
