import { TILE_TEXT_COLOUR, initialsOf, tileColour } from '#contract/text/tile.ts'
import { cx } from './class-names.ts'

interface InitialsTileProps {
  /** Chooses the colour. */
  id: string
  name: string
  /** One letter, for the smallest tiles. */
  isTiny?: boolean | undefined
  className?: string | undefined
}

/** An image, or initials in a colour of their own. */
export function ImageTile({ url, className, ...tile }: InitialsTileProps & { url: string | null }) {
  if (url === null) return <InitialsTile className={className} {...tile} />
  return <img src={url} alt="" loading="lazy" className={cx('tile', className)} />
}

/** Colours are attributes, because the public pages allow no inline styles. */
export function InitialsTile({ id, name, isTiny = false, className }: InitialsTileProps) {
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true" className={cx('tile', className)}>
      <rect width="40" height="40" fill={tileColour(id)} />
      <text x="20" y="20" dy=".36em" textAnchor="middle" fontSize={isTiny ? 22 : 16} fill={TILE_TEXT_COLOUR}>
        {initialsOf(name, isTiny ? 1 : 2)}
      </text>
    </svg>
  )
}

/** In place of a banner: a soft gradient in the colour of the tile. */
export function BannerGradient({ id, className }: Pick<InitialsTileProps, 'id' | 'className'>) {
  return <svg color={tileColour(id)} aria-hidden="true" className={cx('banner-gradient', className)} />
}
