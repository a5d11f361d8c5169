import { useRef } from 'react'
import { BanFields, type BanInput, type BanReasons, BanSchema, useBanForm } from '#web/ui/dialog/ban-form.tsx'
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.tsx'

interface BulkBanDialogProps<R> extends Omit<BulkDialogProps<R>, 'danger' | 'action' | 'validate'> {
  reasons: BanReasons
  hint: string
  /** Without a reason, an existing ban keeps its reason. */
  ban: (row: R, input: Partial<BanInput>) => Promise<unknown>
}

export function BulkBanDialog<R>({ reasons, hint, ban, children, ...rest }: BulkBanDialogProps<R>) {
  const form = useBanForm(undefined, async () => {})
  const fields = useRef<HTMLDivElement>(null)
  const input = useRef<Partial<BanInput>>(undefined)
  const validate = () => {
    // A retry reuses the input, even if its end has passed.
    if (input.current !== undefined) return true
    // Shows the mistakes.
    form.submit(fields.current)
    const { data } = BanSchema.safeParse(form.values)
    if (data !== undefined) input.current = data.reason === '' ? { banned_until: data.banned_until } : data
    return data !== undefined
  }
  return (
    <BulkDialog {...rest} danger validate={validate} action={(row) => ban(row, input.current ?? {})}>
      {children}
      <div ref={fields}>
        <BanFields form={form} reasons={reasons} hint={hint} />
      </div>
    </BulkDialog>
  )
}
