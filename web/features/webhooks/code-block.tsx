import './webhooks.css'
import { CopyButton } from '#web/ui/copy-button.tsx'

/** @param copy the label of a button that copies the text */
export function CodeBlock({ label, text, copy }: { label: string; text: string; copy?: string }) {
  return (
    <div className="relative">
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-72 overflow-auto rounded-6 border border-line bg-surface-0 p-3 font-mono text-12 leading-5 code-block [overflow-wrap:anywhere]"
      >
        {text}
      </pre>
      {copy !== undefined && <CopyButton text={text} label={copy} className="code-copy absolute bg-surface-0" />}
    </div>
  )
}
