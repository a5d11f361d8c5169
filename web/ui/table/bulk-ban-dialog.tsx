import { useRef } from 'react'
import { BanFields, type BanReasons, type TypedBan, useBanForm } from '#web/ui/ban-form.tsx'
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.tsx'

interface BulkBanDialogProps<R> extends Omit<BulkDialogProps<R>, 'danger' | 'act' | 'check'> {
  reasons: BanReasons
  hint: string
  /** Without a reason, a ban in force keeps its own. */
  ban: (row: R, typed: Partial<TypedBan>) => Promise<unknown>
}

export function BulkBanDialog<R>({ reasons, hint, ban, children, ...rest }: BulkBanDialogProps<R>) {
  const form = useBanForm()
  const typed = useRef<Partial<TypedBan>>({})
  const check = () => {
    // A repeat uses what was asked for, even if its end has passed.
    if (typed.current.banned_until !== undefined) return true
    const read = form.read()
    if (read) typed.current = read.reason === '' ? { banned_until: read.banned_until } : read
    return read !== undefined
  }
  return (
    <BulkDialog {...rest} danger check={check} act={(row) => ban(row, typed.current)}>
      {children}
      <BanFields form={form} reasons={reasons} hint={hint} />
    </BulkDialog>
  )
}
