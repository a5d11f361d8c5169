import { cx } from '#web/ui/class-names.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'

interface ServerTileProps {
  name: string
  iconUrl: string | null
  large?: boolean
  small?: boolean
}

export function ServerTile({ name, iconUrl, large = false, small = false }: ServerTileProps) {
  const size = large ? 'size-12 text-16' : small ? 'size-6 text-12' : 'size-9 text-13'
  return <ImageTile name={name} url={iconUrl} className={cx(size, 'bg-surface-2')} initialsClassName="border border-line text-ink-2" />
}
