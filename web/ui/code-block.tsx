import { Suspense } from 'react'
import { cx } from './class-names.ts'
import type { CodeProps } from './highlighted-code.tsx'
import { lazyComponent } from './lazy-component.tsx'

/** Code without colours: while they load, and if they can't be loaded. */
const PlainCode = ({ props: { text } }: { props: CodeProps }) => text

const HighlightedCode = lazyComponent(() => import('./highlighted-code.tsx').then((module) => module.HighlightedCode), PlainCode)

/** Longer code scrolls. */
const MAX_LINES = 28

/** A block of code. Without a language it has one colour. */
export function CodeBlock({ label, text, language }: { label: string; text: string; language: CodeProps['language'] }) {
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
      <Suspense fallback={text}>
        <HighlightedCode text={text} language={language} />
      </Suspense>
    </pre>
  )
}
