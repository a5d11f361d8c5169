import { cx } from '#web/ui/class-names.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'

export function ServerTile({ name, iconUrl, large = false }: { name: string; iconUrl: string | null; large?: boolean }) {
  const size = large ? 'size-12 text-16' : 'size-9 text-13'
  return <ImageTile name={name} url={iconUrl} className={cx(size, 'bg-surface-2')} initialsClassName="border border-line text-ink-2" />
}
