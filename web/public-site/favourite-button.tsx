import { Star } from 'lucide-react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'

/** The script stores favourites in the browser (enhance/favourites.ts). */
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
