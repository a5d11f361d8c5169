import { cx } from './class-names.ts'

interface PictureTileProps {
  name: string
  /** Null is none. */
  url: string | null
  /** The size of both, and of the letters. */
  className: string
  /** How the square under the letters looks. */
  blank: string
}

/** A small square with the picture of what is named beside it, or with its initials. */
export function PictureTile({ name, url, className, blank }: PictureTileProps) {
  if (url !== null) return <img src={url} alt="" className={cx('shrink-0 rounded-6 object-cover', className)} />
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const initials = words
    .slice(0, 2)
    .map((word) => Array.from(word)[0]?.toUpperCase() ?? '')
    .join('')
  return (
    <span aria-hidden="true" className={cx('inline-flex shrink-0 items-center justify-center rounded-6 font-semibold', className, blank)}>
      {initials || '#'}
    </span>
  )
}
