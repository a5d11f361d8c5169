/** The form for every ban: `useBanForm()` holds its state, `<BanFields>` renders it. */
import { type ReactNode, useRef, useState } from 'react'
import { m } from '#messages'
import { localMinute, timeOfLocalMinute } from '#web/lib/local-minute.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { Field } from '#web/ui/form/field.tsx'

const MAX_REASON_LENGTH = 500

const DURATIONS = [
  { key: '', label: m.ui_ban_end_never(), days: 0 },
  { key: '1', label: m.ui_ban_end_day(), days: 1 },
  { key: '7', label: m.ui_ban_end_week(), days: 7 },
  { key: '30', label: m.ui_ban_end_30_days(), days: 30 },
  { key: '90', label: m.ui_ban_end_90_days(), days: 90 },
] as const

const DAY_MS = 86_400_000

interface ChosenEnd {
  /** The key of a duration, or `at` for a date that the user enters. */
  readonly key: string
  /** In the user's time zone, to the minute, as in a datetime-local field. */
  readonly at: string
}

/** Suggested reasons. */
export type BanReasons = readonly (readonly [name: string, text: string])[]

/** An empty reason means none. A null end means never. */
export interface BanInput {
  reason: string
  banned_until: string | null
}

export interface CurrentBan {
  reason: string | null | undefined
  until: string | null | undefined
}

type BanForm = ReturnType<typeof useBanForm>

export function useBanForm(current?: CurrentBan) {
  const [reason, setReason] = useState(current?.reason ?? '')
  const [end, setEnd] = useState(() => initialEnd(current?.until ?? null))
  const [endError, setEndError] = useState<string>()
  const reasonField = useRef<HTMLTextAreaElement>(null)
  const endField = useRef<HTMLInputElement>(null)
  const reasonError = Array.from(reason).length > MAX_REASON_LENGTH ? m.ui_ban_reason_long({ max: MAX_REASON_LENGTH }) : undefined
  return {
    reason,
    end,
    endError,
    reasonError,
    setReason,
    setEnd: (next: ChosenEnd) => {
      setEndError(undefined)
      setEnd(next)
    },
    reasonField,
    endField,
    /** Undefined if a field is invalid; that field gets the focus. */
    read: (): BanInput | undefined => {
      const parsed = endOf(end, serverTime(Date.now()))
      setEndError('error' in parsed ? parsed.error : undefined)
      if (reasonError !== undefined) reasonField.current?.focus()
      else if ('error' in parsed) endField.current?.focus()
      return 'error' in parsed || reasonError !== undefined ? undefined : { reason: reason.trim(), banned_until: parsed.until }
    },
  }
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
  const { reason, reasonField, reasonError, setReason } = form
  return (
    <div className="space-y-4 text-ink-1">
      <div>
        <Field
          label={m.common_reason()}
          optional
          hint={hint}
          error={reasonError}
          aside={`${Array.from(reason).length} / ${MAX_REASON_LENGTH}`}
        >
          {(control) => (
            <textarea
              {...control}
              ref={reasonField}
              rows={3}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              className="field-input resize-y"
            />
          )}
        </Field>
        <Reasons reasons={reasons} onChoose={setReason} />
      </div>
      {children}
      {hasEnd && <EndFields form={form} />}
    </div>
  )
}

function Reasons({ reasons, onChoose }: { reasons: BanReasons; onChoose: (reason: string) => void }) {
  return (
    <ul aria-label={m.ui_ban_suggestions()} className="mt-2 flex flex-wrap gap-1.5">
      {reasons.map(([name, text]) => (
        <li key={name}>
          <button
            type="button"
            onClick={() => onChoose(text)}
            className="min-h-7 rounded-full border border-line px-2.5 text-12 text-ink-2 hover:border-line-strong hover:text-ink-1 pointer-coarse:min-h-11"
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}

function EndFields({ form: { end, endField, endError, setEnd } }: { form: BanForm }) {
  return (
    <>
      <Field label={m.ui_ban_ends()}>
        {(control) => (
          <select
            {...control}
            value={end.key}
            onChange={({ target: { value } }) => setEnd({ key: value, at: end.at || localMinute(Date.now() + DAY_MS) })}
            className="field-input"
          >
            {DURATIONS.map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
            <option value="at">{m.ui_ban_end_at()}</option>
          </select>
        )}
      </Field>
      {end.key === 'at' && (
        <Field label={m.ui_ban_end_date()} error={endError}>
          {(control) => (
            <input
              {...control}
              ref={endField}
              type="datetime-local"
              value={end.at}
              onChange={({ target: { value } }) => setEnd({ key: 'at', at: value })}
              className="field-input"
            />
          )}
        </Field>
      )}
    </>
  )
}

function initialEnd(until: string | null): ChosenEnd {
  return until === null ? { key: '', at: '' } : { key: 'at', at: localMinute(Date.parse(until)) }
}

function endOf({ key, at }: ChosenEnd, now: number): { until: string | null } | { error: string } {
  if (key !== 'at') {
    const days = DURATIONS.find((duration) => duration.key === key)?.days ?? 0
    return { until: days === 0 ? null : new Date(now + days * DAY_MS).toISOString() }
  }
  const time = timeOfLocalMinute(at)
  if (Number.isNaN(time)) return { error: m.ui_ban_end_missing() }
  if (time <= now) return { error: m.ui_ban_end_in_past() }
  return { until: new Date(time).toISOString() }
}
