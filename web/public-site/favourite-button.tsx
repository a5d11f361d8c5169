import { Star } from 'lucide-react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'

/** The script stores favourites in the browser (enhance/favourites.ts). @param isSingle with its own border */
export function FavouriteButton({ publicId, name, isSingle = false }: { publicId: string; name: string; isSingle?: boolean }) {
  return (
    <button
      type="button"
      data-favourite={publicId}
      aria-pressed="false"
      aria-label={m.public_favourite({ name })}
      className={cx('star needs-script', isSingle && 'size-11! border border-line')}
    >
      <Star size={16} fill="inherit" aria-hidden="true" />
    </button>
  )
}
