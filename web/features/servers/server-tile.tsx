import { cx } from '#web/ui/class-names.ts'

/** A server's picture, or its initials where it has none. */
export function ServerTile({ name, iconUrl, large = false }: { name: string; iconUrl: string | null; large?: boolean }) {
  const size = large ? 'size-12 text-16' : 'size-9 text-13'
  if (iconUrl !== null) return <img src={iconUrl} alt="" className={cx(size, 'shrink-0 rounded-6 bg-surface-2 object-cover')} />
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const initials = words
    .slice(0, 2)
    .map((word) => Array.from(word)[0]?.toUpperCase() ?? '')
    .join('')
  return (
    <span
      aria-hidden="true"
      className={cx(
        size,
        'inline-flex shrink-0 items-center justify-center rounded-6 border border-line bg-surface-2 font-semibold text-ink-2',
      )}
    >
      {initials || '#'}
    </span>
  )
}
