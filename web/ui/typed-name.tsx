import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { cx } from './class-names.ts'

interface TypedNameProps {
  label: ReactNode
  value: string
  onChange: (text: string) => void
  /** Whether it is what has to be typed. */
  isRight: boolean
  /** Said to whoever presses Enter before it is. */
  wrong: string
  className?: string
}

/** A name that has to be typed before something that can’t be undone. */
export function TypedName({ label, value, onChange, isRight, wrong, className }: TypedNameProps) {
  const id = useId()
  const [tried, setTried] = useState(false)
  const isWrong = tried && !isRight
  return (
    <div className="relative">
      <label htmlFor={id} className="block text-13 text-ink-2">
        {label}
      </label>
      <input
        id={id}
        value={value}
        onChange={(event) => {
          setTried(false)
          onChange(event.target.value)
        }}
        // The button is not there to be pressed yet, so the form would not answer.
        onKeyDown={(event) => {
          if (event.key === 'Enter' && value.trim() !== '') setTried(true)
        }}
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-note`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className={cx('field-input mt-1.5', className)}
      />
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={isWrong ? 'mt-1.5 flex gap-1.5 text-13 [overflow-wrap:anywhere] text-danger' : 'sr-only'}
      >
        {isWrong && (
          <>
            <CircleAlert size={14} className="mt-[3px] shrink-0" aria-hidden="true" />
            {wrong}
          </>
        )}
      </p>
    </div>
  )
}
