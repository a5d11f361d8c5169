import { type ReactNode, useState } from 'react'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
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
