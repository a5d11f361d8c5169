import { cx } from './class-names.ts'

interface ImageTileProps {
  name: string
  url: string | null
  className: string
  /** Classes of the square behind the initials. */
  initialsClassName: string
}

/** An image, or the initials of the name. */
export function ImageTile({ name, url, className, initialsClassName }: ImageTileProps) {
  if (url !== null) return <img src={url} alt="" className={cx('shrink-0 rounded-6 object-cover', className)} />
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const initials = words
    .slice(0, 2)
    .map((word) => Array.from(word)[0]?.toUpperCase() ?? '')
    .join('')
  return (
    <span
      aria-hidden="true"
      className={cx('inline-flex shrink-0 items-center justify-center rounded-6 font-semibold', className, initialsClassName)}
    >
      {initials || '#'}
    </span>
  )
}
