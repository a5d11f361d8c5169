import { useId, useState } from 'react'
import type { Language } from '#contract/text/panel-languages.ts'
import type { Theme } from '#contract/users/preferences.ts'
import { m } from '#messages'
import { LANGUAGES } from '#web/lib/language-choice.ts'
import { browserTimeZone, formatTime, useNow } from '#web/lib/time.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/form/fields.tsx'
import { timeZoneGroups, timeZoneName } from './time-zones.ts'

const THEMES = [
  { theme: 'system', label: m.preferences_theme_system(), previews: ['dark', 'light'] },
  { theme: 'dark', label: m.preferences_theme_dark(), previews: ['dark', undefined] },
  { theme: 'light', label: m.preferences_theme_light(), previews: ['light', undefined] },
] as const

/** Radio buttons with a small picture of each theme. */
export function ThemeChoice({ value, onChange }: { value: Theme; onChange: (theme: Theme) => void }) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{m.preferences_theme()}</legend>
      <div className="grid grid-cols-3 gap-3">
        {THEMES.map(({ theme, label, previews: [first, second] }) => (
          <label
            key={theme}
            className="flex min-w-0 cursor-pointer flex-col gap-2 rounded-10 border border-line p-2 hover:border-line-strong has-checked:border-accent has-checked:bg-surface-2 has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <svg viewBox="0 0 96 60" aria-hidden="true" className="w-full rounded-6 border border-line">
              <MiniaturePage theme={first} />
              {second !== undefined && (
                <svg x="48" width="48" viewBox="48 0 48 60">
                  <MiniaturePage theme={second} />
                </svg>
              )}
            </svg>
            <span className="flex min-h-6 flex-wrap items-center gap-x-2 text-13 font-medium">
              <input
                type="radio"
                name={name}
                checked={theme === value}
                onChange={() => onChange(theme)}
                className="size-4 shrink-0 accent-(--accent) outline-none"
              />
              {label}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** A page of the panel in this theme. */
function MiniaturePage({ theme }: { theme: 'dark' | 'light' }) {
  return (
    <g data-theme={theme}>
      <rect width="96" height="60" fill="var(--surface-0)" />
      <rect width="22" height="60" fill="var(--surface-1)" />
      <rect x="22" width="0.7" height="60" fill="var(--line)" />
      <rect x="5" y="9" width="12" height="2.5" rx="1.25" fill="var(--text-1)" />
      <rect x="5" y="16" width="9" height="2.5" rx="1.25" fill="var(--text-3)" />
      <rect x="5" y="23" width="11" height="2.5" rx="1.25" fill="var(--text-3)" />
      <rect x="30" y="8" width="30" height="4" rx="2" fill="var(--text-1)" />
      <rect x="30.5" y="18.5" width="57" height="31" rx="3" fill="var(--surface-1)" stroke="var(--line)" strokeWidth="0.7" />
      <rect x="36" y="25" width="34" height="2.5" rx="1.25" fill="var(--text-2)" />
      <rect x="36" y="31" width="44" height="2.5" rx="1.25" fill="var(--text-3)" />
      <rect x="36" y="38" width="20" height="6" rx="2" fill="var(--accent)" />
    </g>
  )
}

interface LanguageFieldProps {
  readonly value: Language | null
  readonly busy: boolean
  readonly onChange: (language: Language | null) => void
}

/** Has a button: the page reloads, and arrow keys would change a select again and again. */
export function LanguageField({ value, busy, onChange }: LanguageFieldProps) {
  const [chosen, setChosen] = useState(value)
  return (
    <form
      className="flex flex-wrap gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onChange(chosen)
      }}
    >
      <select
        aria-label={m.preferences_language()}
        value={chosen ?? ''}
        disabled={busy}
        onChange={({ target }) => setChosen(LANGUAGES.find(({ code }) => code === target.value)?.code ?? null)}
        className="field-input sm:max-w-96"
      >
        <option value="">{m.preferences_language_browser()}</option>
        {LANGUAGES.map(({ code, name }) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
      <Button type="submit" busy={busy} disabled={chosen === value}>
        {m.preferences_language_use()}
      </Button>
    </form>
  )
}

/** A native select: typing finds a city, and phones show their own list. */
export function TimeZoneField({ value, onChange }: { value: string | null; onChange: (timeZone: string | null) => void }) {
  const groups = timeZoneGroups(Intl.supportedValuesOf('timeZone'), value)
  return (
    <Field label={m.preferences_time_zone()} hint={<TimeThere zone={value ?? browserTimeZone} />}>
      {(control) => (
        <select
          {...control}
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value || null)}
          className="field-input sm:max-w-96"
        >
          <option value="">{m.preferences_time_zone_browser({ zone: timeZoneName(browserTimeZone) })}</option>
          {groups.map(({ area, zones }) => (
            <optgroup key={area} label={area === '' ? m.preferences_time_zone_other() : area}>
              {zones.map(({ id, city }) => (
                <option key={id} value={id}>
                  {city}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  )
}

function TimeThere({ zone }: { zone: string }) {
  const now = useNow()
  return <>{m.preferences_time_there({ time: formatTime(now, 'time', zone), day: formatTime(now, 'weekday', zone) })}</>
}
