import { useId } from 'react'
import type { Consequence } from '#contract/protection.ts'
import { CONSEQUENCE } from './words.ts'

const IN_ORDER: readonly Consequence[] = ['NOTICE', 'UNRANKED', 'UNLISTED']

/** One of the consequences, each with what it means. */
export function ConsequenceField({ value, onChange }: { value: Consequence; onChange: (consequence: Consequence) => void }) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-13 font-medium">From now on</legend>
      <div className="space-y-2">
        {IN_ORDER.map((each) => {
          const { name: called, means, icon: Icon } = CONSEQUENCE[each]
          return (
            <label
              key={each}
              className="grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] gap-x-3 rounded-6 border border-line px-3 py-2.5 hover:border-line-strong has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name={name}
                value={each}
                checked={each === value}
                onChange={() => onChange(each)}
                className="mt-1 size-4 shrink-0 accent-accent"
              />
              <span className="flex items-center gap-1.5 font-medium">
                <Icon size={14} className="text-ink-3" aria-hidden="true" />
                {called}
              </span>
              <span className="col-start-2 text-13 text-pretty text-ink-2">{means}</span>
            </label>
          )
        })}
      </div>
      <p className="mt-2 text-13 text-ink-3">A ban is made on the page of the server or of the user.</p>
    </fieldset>
  )
}
