import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { ErrorNote } from './note.tsx'
import { TypedName } from './form/typed-name.tsx'

interface ConfirmDialogProps {
  title: string
  /** What will happen, named. */
  children: ReactNode
  confirm: string
  /** What the way out is called, where "Cancel" could be taken for the act itself. */
  cancel?: string
  danger?: boolean
  /** Where the act can't be undone: the name that has to be typed first, and what is said of another one. */
  typed?: { name: string; wrong: string }
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
  const ready = typed === undefined || text.trim() === typed.name
  return (
    <Dialog title={title} role="alertdialog" onDismiss={busy ? undefined : onClose}>
      <div className="mt-2 space-y-3 text-ink-2">{children}</div>
      {typed !== undefined && (
        <div className="mt-4">
          <TypedName name={typed.name} value={text} onChange={setText} isRight={ready} wrong={typed.wrong} />
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
