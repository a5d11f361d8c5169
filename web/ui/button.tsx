import { Check, Copy } from 'lucide-react'
import { type ButtonHTMLAttributes, type ReactNode, useEffect, useState } from 'react'
import { m } from '#messages'
import { cx } from './class-names.ts'
import { copyText } from './copy-text.ts'

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border border-line bg-surface-2 text-ink-1 hover:border-line-strong',
  quiet: 'text-ink-2 hover:bg-surface-2 hover:text-ink-1',
  danger: 'bg-danger-fill text-on-danger hover:bg-danger-fill-hover',
}

export function buttonClass(variant: ButtonVariant = 'secondary', className?: string): string {
  return cx(
    'inline-flex min-h-9 max-w-full items-center justify-center gap-2 rounded-6 px-3.5 py-1.5 text-14 font-medium select-none',
    // On the narrowest phones, some languages need two lines.
    'max-[359px]:text-center min-[360px]:whitespace-nowrap',
    'transition-colors duration-100 pointer-coarse:min-h-11 disabled:opacity-60',
    VARIANTS[variant],
    className,
  )
}

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  variant?: ButtonVariant
  icon?: ReactNode
  /** Shows a spinner and ignores clicks. Does not stop a form from submitting again: use `useSingleFlight`. */
  busy?: boolean
  children: ReactNode
}

export function Button({ variant, icon, busy = false, className, children, type = 'button', onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onClick}
      className={buttonClass(variant, className)}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon}
      {children}
    </button>
  )
}

/** @param label the accessible name and the tooltip */
export function IconButton({ label, className, children, ...rest }: ButtonHTMLAttributes<HTMLButtonElement> & { label: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      data-tip={label}
      className={cx(
        'inline-flex size-9 shrink-0 items-center justify-center rounded-6 text-ink-2 transition-colors duration-100',
        'hover:bg-surface-2 hover:text-ink-1 pointer-coarse:size-11',
        className,
      )}
    >
      {children}
    </button>
  )
}

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
