import { m } from '#messages'
import { messageOf } from '#web/lib/http/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { BanFields, type CurrentBan, type BanReasons, type BanInput, useBanForm } from './ban-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { ErrorNote } from '#web/ui/note.tsx'

interface BanDialogProps {
  title: string
  explanation: string
  reasons: BanReasons
  hint: string
  confirm: string
  current: CurrentBan | undefined
  busy: boolean
  error: Error | null
  onBan: (input: BanInput) => Promise<unknown>
  onClose: () => void
}

export function BanDialog({ title, explanation, reasons, hint, confirm, current, busy, error, onBan, onClose }: BanDialogProps) {
  const form = useBanForm(current)
  const submit = useSingleFlight(async () => {
    const input = form.read()
    if (input) await onBan(input)
  })
  return (
    <Dialog title={title} role="alertdialog" ignoreBackdrop onDismiss={busy ? undefined : onClose}>
      <Form onSubmit={submit}>
        <p className="mt-2 mb-4 text-ink-2">{explanation}</p>
        <BanFields form={form} reasons={reasons} hint={hint} />
        {error && <ErrorNote className="mt-4">{messageOf(error)}</ErrorNote>}
        <DialogActions>
          <Button data-focus-first onClick={onClose} disabled={busy}>
            {m.common_cancel()}
          </Button>
          <Button type="submit" variant={current ? 'primary' : 'danger'} busy={busy}>
            {confirm}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
