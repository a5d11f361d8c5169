import { cx } from './class-names.ts'
import { type CodeLanguage, highlight } from './highlight.ts'

/** Classes, because the content security policy allows no inline styles. Other tokens have the colour of the text. */
const COLOURS: Readonly<Record<string, string>> = {
  keyword: 'text-(--hue-violet)',
  string: 'text-(--hue-green)',
  class: 'text-(--hue-amber)',
  property: 'text-(--hue-blue)',
  entity: 'text-(--hue-blue)',
  comment: 'text-ink-3',
  sign: 'text-ink-2',
}

/** Longer code scrolls. */
const MAX_LINES = 28

export function CodeBlock({ label, text, language }: { label: string; text: string; language: CodeLanguage }) {
  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
      tabIndex={0}
      role="region"
      aria-label={label}
      className={cx(
        'min-w-0 flex-1 overflow-auto rounded-6 border border-line bg-surface-0 p-3 font-mono text-12 leading-5',
        text.split('\n').length > MAX_LINES && 'max-h-120',
      )}
    >
      {highlight(text, language).map((token, index) => (
        <span key={index} className={COLOURS[token.type]}>
          {token.text}
        </span>
      ))}
    </pre>
  )
}
