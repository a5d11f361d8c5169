/**
 * What a ban is asked for with, of a person and of a server alike: `const ban = useBanForm(standing?)`, `<BanFields form={ban} .../>` in
 * a dialog, and `ban.read()` when it is confirmed, which is undefined (and the form says why) where something is filled in wrong.
 */
import { useState } from 'react'
import { Field } from '#web/ui/field.tsx'
import { type ChosenEnd, endOf, endToBegin, localMinute, SPANS } from './ban-end.ts'

const LONGEST_REASON = 500
const DAY_MS = 86_400_000

/** What is often the reason, to begin with. */
const REASONS = {
  server: [
    ['Misleading name', 'The name pretends to be another server. Give it a name of its own and write to us.'],
    ['False player counts', 'The player counts that the server announces are not true.'],
    ['Offensive listing', 'The name, the description or the pictures break the rules of the list.'],
    ['Harms players', 'Joining the server harms players or what they own.'],
  ],
  person: [
    ['Spam', 'Servers were created to fill the list.'],
    ['False player counts', 'The servers announce player counts that are not true, again after we wrote about it.'],
    ['Imitates others', 'The servers pretend to be those of others.'],
    ['Evades a ban', 'This account goes around the ban of another one.'],
  ],
} as const

export interface BanForm {
  readonly reason: string
  readonly end: ChosenEnd
  /** What is wrong with the end. */
  readonly problem: string | undefined
  readonly tooLong: string | undefined
  readonly setReason: (reason: string) => void
  readonly setEnd: (end: ChosenEnd) => void
  /** The reason, empty for none, and the end, null for never. */
  readonly read: () => { reason: string; banned_until: string | null } | undefined
}

/** The state of the form; where a ban stands, it begins with what that says. */
export function useBanForm(standing?: { reason: string | null | undefined; until: string | null | undefined }): BanForm {
  const [reason, setReason] = useState(standing?.reason ?? '')
  const [end, setEnd] = useState(() => endToBegin(standing?.until ?? null))
  const [problem, setProblem] = useState<string>()
  const tooLong = Array.from(reason).length > LONGEST_REASON ? `The reason can be at most ${LONGEST_REASON} characters long.` : undefined
  return {
    reason,
    end,
    problem,
    tooLong,
    setReason,
    setEnd: (next) => {
      setProblem(undefined)
      setEnd(next)
    },
    read: () => {
      const ends = endOf(end, Date.now())
      setProblem('problem' in ends ? ends.problem : undefined)
      return 'problem' in ends || tooLong !== undefined ? undefined : { reason: reason.trim(), banned_until: ends.until }
    },
  }
}

interface BanFieldsProps {
  form: BanForm
  of: keyof typeof REASONS
  /** Who reads the reason: "Its owner reads it." */
  hint: string
}

/** The reason, with some to choose from, and the end. */
export function BanFields({ form, of, hint }: BanFieldsProps) {
  const { reason, tooLong, setReason } = form
  return (
    <div className="space-y-4 text-ink-1">
      <div>
        <Field label="Reason" optional hint={hint} error={tooLong} aside={`${Array.from(reason).length} / ${LONGEST_REASON}`}>
          {(control) => (
            <textarea
              {...control}
              rows={3}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              className="field-input resize-y"
            />
          )}
        </Field>
        <Reasons of={of} onChoose={setReason} />
      </div>
      <EndFields form={form} />
    </div>
  )
}

function Reasons({ of, onChoose }: { of: keyof typeof REASONS; onChoose: (reason: string) => void }) {
  return (
    <ul aria-label="To begin with" className="mt-2 flex flex-wrap gap-1.5">
      {REASONS[of].map(([name, text]) => (
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

function EndFields({ form: { end, problem, setEnd } }: { form: BanForm }) {
  return (
    <>
      <Field label="Ends">
        {(control) => (
          <select
            {...control}
            value={end.key}
            onChange={({ target: { value } }) => setEnd({ key: value, at: end.at || localMinute(Date.now() + DAY_MS) })}
            className="field-input"
          >
            {SPANS.map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
            <option value="at">At a time…</option>
          </select>
        )}
      </Field>
      {end.key === 'at' && (
        <Field label="Day and time" error={problem}>
          {(control) => (
            <input
              {...control}
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
