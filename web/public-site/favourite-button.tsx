import { Star } from 'lucide-react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'

/** The script stores favourites in the browser (favourites.ts). */
export function FavouriteButton({ publicId, name, className }: { publicId: string; name: string; className?: string }) {
  return (
    <button
      type="button"
      data-favourite={publicId}
      aria-pressed="false"
      aria-label={m.public_favourite({ name })}
      className={cx(
        'needs-script inline-flex size-9 shrink-0 items-center justify-center rounded-6 text-ink-3 hover:bg-surface-2 hover:text-ink-1',
        'pointer-coarse:size-11',
        className,
      )}
    >
      <Star size={16} aria-hidden="true" />
    </button>
  )
}
