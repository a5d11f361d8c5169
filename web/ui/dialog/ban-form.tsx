/** The form for every ban: `useBanForm()` holds its values, `<BanFields>` renders it. */
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { m } from '#messages'
import { serverTime } from '#web/lib/server-clock.ts'
import { DAY_MS, localMinute, timeOfLocalMinute } from '#web/lib/time.ts'
import { SelectField, TextField } from '#web/ui/form/fields.tsx'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import type { Form } from '#web/ui/form/form-options.ts'
import { useForm } from '#web/ui/form/form.tsx'

const MAX_REASON_LENGTH = 500

/** In days; `at` is a date that the user enters. */
const DURATIONS = [
  { key: '', label: m.ui_ban_end_never() },
  { key: '1', label: m.ui_ban_end_day() },
  { key: '7', label: m.ui_ban_end_week() },
  { key: '30', label: m.ui_ban_end_30_days() },
  { key: '90', label: m.ui_ban_end_90_days() },
  { key: 'at', label: m.ui_ban_end_at() },
] as const

/** Suggested reasons. */
export type BanReasons = readonly (readonly [name: string, text: string])[]

interface CurrentBan {
  reason: string | null | undefined
  until: string | null | undefined
}

/** An empty reason means none. A null end means never. */
export const BanSchema = z
  .object({
    reason: z
      .string()
      .trim()
      .refine((text) => Array.from(text).length <= MAX_REASON_LENGTH, { error: () => m.ui_ban_reason_long({ max: MAX_REASON_LENGTH }) }),
    duration: z.string(),
    /** In the user's time zone, to the minute, as in a datetime-local field. */
    banned_until: z.string(),
  })
  .transform(({ reason, duration, banned_until: date }, context) => {
    const now = serverTime(Date.now())
    const isDate = duration === 'at'
    const end = isDate ? timeOfLocalMinute(date) : now + Number(duration) * DAY_MS
    const message = Number.isNaN(end) ? m.ui_ban_end_missing() : isDate && end <= now ? m.ui_ban_end_in_past() : undefined
    if (message !== undefined) context.issues.push({ code: 'custom', path: ['banned_until'], message, input: date })
    return { reason, banned_until: message !== undefined || duration === '' ? null : new Date(end).toISOString() }
  })
export type BanInput = z.output<typeof BanSchema>
type BanForm = Form<z.input<typeof BanSchema>>

export function useBanForm(current: CurrentBan | undefined, submit: (input: BanInput) => Promise<unknown>): BanForm {
  const until = current?.until ?? null
  const [tomorrow] = useState(() => Date.now() + DAY_MS)
  return useForm({
    schema: BanSchema,
    initial: {
      reason: current?.reason ?? '',
      duration: until === null ? '' : 'at',
      banned_until: localMinute(until === null ? tomorrow : Date.parse(until)),
    },
    submit,
  })
}

interface BanFieldsProps {
  form: BanForm
  reasons: BanReasons
  /** Who can read the reason. */
  hint: string
  /** Between the reason and the end. */
  children?: ReactNode
  hasEnd?: boolean
}

export function BanFields({ form, reasons, hint, children, hasEnd = true }: BanFieldsProps) {
  return (
    <div className="space-y-4 text-ink-1">
      <div>
        <TextField form={form} name="reason" label={m.common_reason()} optional hint={hint} rows={3} max={MAX_REASON_LENGTH} />
        <ul aria-label={m.ui_ban_suggestions()} className="mt-2 flex flex-wrap gap-1.5">
          {reasons.map(([name, reason]) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => form.change({ reason })}
                className="min-h-7 rounded-full border border-line px-2.5 text-12 text-ink-2 hover:border-line-strong hover:text-ink-1 pointer-coarse:min-h-11"
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      </div>
      {children}
      {hasEnd && (
        <SelectField form={form} name="duration" label={m.ui_ban_ends()}>
          {DURATIONS.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </SelectField>
      )}
      {hasEnd && form.values.duration === 'at' && (
        <TextField form={form} name="banned_until" label={m.ui_ban_end_date()} type="datetime-local" />
      )}
    </div>
  )
}

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
