import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { BanFields, type BanInput, type BanReasons, type CurrentBan, useBanForm } from './ban-form.tsx'

interface BanDialogProps {
  title: string
  explanation: string
  reasons: BanReasons
  hint: string
  confirm: string
  current: CurrentBan | undefined
  onBan: (input: BanInput) => Promise<unknown>
  onClose: () => void
}

export function BanDialog({ explanation, reasons, hint, current, onBan, ...dialog }: BanDialogProps) {
  const form = useBanForm(current, onBan)
  return (
    <FormDialog form={form} role="alertdialog" ignoreBackdrop danger={current === undefined} {...dialog}>
      <p className="mt-2 mb-4 text-ink-2">{explanation}</p>
      <BanFields form={form} reasons={reasons} hint={hint} />
    </FormDialog>
  )
}
