import { Check, Copy, Star } from 'lucide-react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'

/** The script shows the tick (enhance.ts). */
export function CopyIcon({ size = 14 }: { size?: number }) {
  return (
    <>
      <Copy size={size} aria-hidden="true" className="in-[.copied]:hidden" />
      <Check size={size} aria-hidden="true" className="hidden in-[.copied]:block" />
    </>
  )
}

interface CopyButtonProps {
  text: string
  label: string
  /** The message afterwards. */
  copied?: string
  className: string
}

export function CopyButton({ text, label, copied = m.public_copied(), className }: CopyButtonProps) {
  return (
    <button
      type="button"
      data-copy={text}
      data-copied={copied}
      aria-label={label}
      className={cx('needs-script inline-flex size-9 shrink-0 items-center justify-center rounded-6 pointer-coarse:size-11', className)}
    >
      <CopyIcon />
    </button>
  )
}

/** The script stores favourites in the browser (enhance.ts). */
export function FavouriteButton({ publicId, name, className }: { publicId: string; name: string; className: string }) {
  return (
    <button
      type="button"
      data-favourite={publicId}
      aria-pressed="false"
      aria-label={m.public_favourite({ name })}
      className={cx(
        'needs-script z-1 inline-flex size-9 items-center justify-center rounded-6 fill-none text-ink-3 hover:bg-surface-2 hover:text-ink-1 pointer-coarse:size-11',
        'aria-pressed:fill-current aria-pressed:text-warn',
        className,
      )}
    >
      <Star size={16} fill="inherit" aria-hidden="true" />
    </button>
  )
}
