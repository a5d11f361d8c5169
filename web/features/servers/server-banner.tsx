import type { ReactNode } from 'react'
import { cx } from '#web/ui/class-names.ts'
import { BannerGradient } from '#web/ui/image-tile.tsx'
import type { ShownServer } from './access.ts'
import { ServerIcon } from './server-icon.tsx'

interface ServerBannerProps {
  server: ShownServer
  /** On a phone, only the icon and the title, in one row. */
  isBar: boolean
  /** Right of the icon, below the banner. */
  title: ReactNode
  /** Right of the title; on narrow screens below it. */
  actions: ReactNode
  children: ReactNode
}

/** The banner, or a gradient without one, with the icon over its lower edge. Its height never depends on the image. */
export function ServerBanner({ server, isBar, title, actions, children }: ServerBannerProps) {
  const { public_id, banner_url } = server
  return (
    <div className="min-w-0 flex-1">
      <div
        data-banner
        className={cx('h-20 overflow-hidden rounded-10 border border-line not-has-[img]:print:hidden sm:h-40', isBar && 'max-sm:hidden')}
      >
        {banner_url === null ? (
          <BannerGradient id={public_id} className="size-full" />
        ) : (
          <img src={banner_url} alt="" className="size-full object-cover" />
        )}
      </div>
      <div
        className={cx(
          'grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-2 sm:gap-x-4 sm:gap-y-1 sm:px-5 lg:grid-cols-[auto_minmax(0,1fr)_auto]',
          isBar ? 'max-sm:items-center max-sm:[&>*:nth-child(n+3)]:hidden' : 'max-sm:px-3',
        )}
      >
        <ServerIcon
          server={server}
          className={cx(
            'relative ring-surface-0 sm:row-span-3 sm:-mt-8 sm:size-16 print:mt-0! sm:rounded-10 sm:ring-4 lg:row-span-2',
            isBar ? 'max-sm:size-9' : 'max-sm:-mt-5 max-sm:size-14 max-sm:rounded-10 max-sm:ring-4',
          )}
        />
        <div className="min-w-0 sm:col-start-2 sm:pt-3">{title}</div>
        <div className="flex min-w-0 flex-wrap items-center gap-2 max-sm:col-span-2 sm:col-start-2 lg:col-start-3 lg:row-start-1 lg:justify-end lg:pt-3">
          {actions}
        </div>
        <div className="min-w-0 max-sm:col-span-2 sm:col-start-2 lg:col-span-2">{children}</div>
      </div>
    </div>
  )
}
