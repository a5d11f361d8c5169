import type { PublicRow } from '#contract/public-site.ts'
import { initialsOf } from '#web/lib/initials.ts'
import { cx } from '#web/ui/class-names.ts'

/** The icon of a server, or the initials of its name. */
export function ServerIcon({
  server: { name, iconUrl },
  isLarge = false,
}: {
  server: Pick<PublicRow, 'name' | 'iconUrl'>
  isLarge?: boolean
}) {
  const className = cx('icon', isLarge && 'icon-large')
  const size = isLarge ? 64 : 40
  if (iconUrl !== null)
    return <img src={iconUrl} alt="" width={size} height={size} loading={isLarge ? 'eager' : 'lazy'} className={className} />
  return (
    <span aria-hidden="true" className={className}>
      {initialsOf(name)}
    </span>
  )
}
