import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { m } from '#messages'
import { buttonClass, type ButtonVariant } from './button.tsx'
import { cx } from './class-names.ts'
import { copyText } from './copy-text.ts'

interface CopyButtonProps {
  text: string
  label: string
  /** Text beside the icon; it is then the button's accessible name. */
  caption?: string
  variant?: ButtonVariant
  className?: string
}

export function CopyButton({ text, label, caption, variant = 'secondary', className }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  const status = state === 'done' ? m.common_copied() : state === 'failed' ? m.ui_copy_manually() : label
  return (
    <button
      type="button"
      aria-label={caption === undefined ? status : undefined}
      data-tip={caption === undefined || state === 'failed' ? status : undefined}
      onClick={() => void copyText(text).then((done) => setState(done ? 'done' : 'failed'))}
      className={
        caption === undefined
          ? cx(
              'inline-flex size-7 shrink-0 items-center justify-center rounded-6 text-ink-3 hover:bg-surface-2 hover:text-ink-1 pointer-coarse:size-11',
              className,
            )
          : buttonClass(variant, className)
      }
    >
      {state === 'done' ? <Check size={15} className="text-ok" aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
      {caption !== undefined && <span className="min-w-[5.5em] text-left">{state === 'done' ? m.common_copied() : caption}</span>}
      <span role="status" className="sr-only">
        {state === 'idle' ? '' : status}
      </span>
    </button>
  )
}
