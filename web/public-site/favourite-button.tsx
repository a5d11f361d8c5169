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
      className={cx('star needs-script', isSingle && 'star-single')}
    >
      <svg aria-hidden="true">
        <use href="#star" />
      </svg>
    </button>
  )
}

/** The icon of all stars on the page. */
export function StarIcon() {
  return (
    <svg className="hidden" aria-hidden="true">
      <symbol id="star" viewBox="0 0 24 24">
        <Star fill="inherit" />
      </symbol>
    </svg>
  )
}
