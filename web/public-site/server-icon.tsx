import type { PublicRow } from '#contract/public-site/public-site.ts'
import { initialsOf } from '#web/lib/initials.ts'
import { serverHue } from '#web/lib/server-hue.ts'
import { cx } from '#web/ui/class-names.ts'

/** The icon of a server, or the initials of its name in its own colour. */
export function ServerIcon({
  server: { publicId, name, iconUrl },
  isLarge = false,
}: {
  server: Pick<PublicRow, 'publicId' | 'name' | 'iconUrl'>
  isLarge?: boolean
}) {
  const className = cx('icon', isLarge && 'icon-large')
  const size = isLarge ? 64 : 40
  if (iconUrl !== null)
    return <img src={iconUrl} alt="" width={size} height={size} loading={isLarge ? 'eager' : 'lazy'} className={className} />
  return (
    <span aria-hidden="true" className={cx(className, `hue-${serverHue(publicId)}`)}>
      {initialsOf(name)}
    </span>
  )
}
