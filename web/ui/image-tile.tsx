import { initialsOf } from '#web/lib/initials.ts'
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
  return (
    <span
      aria-hidden="true"
      className={cx('inline-flex shrink-0 items-center justify-center rounded-6 font-semibold', className, initialsClassName)}
    >
      {initialsOf(name)}
    </span>
  )
}
