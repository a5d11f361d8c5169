import { useId } from 'react'
import type { Theme } from '#contract/preferences.ts'
import { m } from '#messages'

const THEMES = [
  { theme: 'system', label: m.preferences_theme_system(), previews: ['dark', 'light'] },
  { theme: 'dark', label: m.preferences_theme_dark(), previews: ['dark'] },
  { theme: 'light', label: m.preferences_theme_light(), previews: ['light'] },
] as const

/** Radio buttons with a small picture of each theme. */
export function ThemeChoice({ value, onChange }: { value: Theme; onChange: (theme: Theme) => void }) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{m.preferences_theme()}</legend>
      <div className="grid grid-cols-1 gap-3 min-[360px]:grid-cols-3">
        {THEMES.map(({ theme, label, previews }) => (
          <label
            key={theme}
            className="group flex cursor-pointer flex-col gap-2.5 rounded-10 border border-line p-2.5 hover:border-line-strong has-checked:border-accent has-checked:bg-surface-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <span aria-hidden="true" className="flex h-16 overflow-hidden rounded-6 border border-line sm:h-20">
              {previews.map((preview) => (
                <ThemePreview key={preview} theme={preview} />
              ))}
            </span>
            <span className="flex min-h-6 items-center gap-2 text-13 font-medium">
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

/** A page in this theme, in miniature. */
function ThemePreview({ theme }: { theme: 'dark' | 'light' }) {
  return (
    <span data-theme={theme} className="flex min-w-0 flex-1 bg-surface-0">
      <span className="w-1/4 border-r border-line bg-surface-1" />
      <span className="flex min-w-0 flex-1 flex-col gap-1.5 p-2">
        <span className="h-1.5 w-3/5 rounded-full bg-ink-1" />
        <span className="flex min-h-0 flex-1 flex-col justify-center gap-1.5 rounded-6 border border-line bg-surface-1 px-2">
          <span className="h-1 w-4/5 rounded-full bg-ink-3" />
          <span className="h-1 w-2/5 rounded-full bg-accent" />
        </span>
      </span>
    </span>
  )
}
