import { useRef } from 'react'
import { BanFields, type BanReasons, type BanInput, useBanForm } from '#web/ui/dialog/ban-form.tsx'
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.tsx'

interface BulkBanDialogProps<R> extends Omit<BulkDialogProps<R>, 'danger' | 'action' | 'validate'> {
  reasons: BanReasons
  hint: string
  /** Without a reason, an existing ban keeps its reason. */
  ban: (row: R, input: Partial<BanInput>) => Promise<unknown>
}

export function BulkBanDialog<R>({ reasons, hint, ban, children, ...rest }: BulkBanDialogProps<R>) {
  const form = useBanForm()
  const input = useRef<Partial<BanInput>>({})
  const validate = () => {
    // A retry reuses the input, even if its end has passed.
    if (input.current.banned_until !== undefined) return true
    const read = form.read()
    if (read) input.current = read.reason === '' ? { banned_until: read.banned_until } : read
    return read !== undefined
  }
  return (
    <BulkDialog {...rest} danger validate={validate} action={(row) => ban(row, input.current)}>
      {children}
      <BanFields form={form} reasons={reasons} hint={hint} />
    </BulkDialog>
  )
}
