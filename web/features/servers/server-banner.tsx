import type { ReactNode } from 'react'
import { ImageTile } from '#web/ui/image-tile.tsx'
import type { ShownServer } from './access.ts'
import { visibleAppearance } from './listing/visible-appearance.ts'

const HUES = ['blue', 'violet', 'teal', 'indigo', 'green', 'pink'] as const

/** Always the same hue for the same server. */
function hueOf(publicId: string): string {
  let sum = 0
  for (const letter of publicId) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997
  return `var(--hue-${HUES[sum % HUES.length] ?? 'blue'})`
}

interface ServerBannerProps {
  server: ShownServer
  /** Right of the icon, below the banner. */
  children: ReactNode
}

/** The banner, or a gradient without one, with the icon over its lower edge. Its height never depends on the image. */
export function ServerBanner({ server, children }: ServerBannerProps) {
  const { public_id, name, banner_url } = server
  return (
    <div>
      <div
        data-banner
        className="server-banner h-24 overflow-hidden rounded-10 border border-line sm:h-40"
        style={{ '--banner-hue': hueOf(public_id) } as React.CSSProperties}
      >
        {banner_url !== null && <img src={banner_url} alt="" className="size-full object-cover" />}
      </div>
      <div className="flex flex-col gap-x-4 px-3 sm:flex-row sm:px-5">
        <ImageTile
          name={name}
          url={visibleAppearance(server).iconUrl}
          className="relative -mt-8 size-16 rounded-10 bg-surface-2 text-20 ring-4 ring-surface-0"
          initialsClassName="text-ink-2"
        />
        <div className="min-w-0 flex-1 pt-3">{children}</div>
      </div>
    </div>
  )
}
