import { useQuery } from '@tanstack/react-query'
import { Share2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import type { ShownServer } from '#web/features/servers/access.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogFallback, lazyComponent } from '#web/ui/lazy-component.tsx'

const ShareDialog = lazyComponent(() => import('./share-dialog.tsx').then((module) => module.ShareDialog), DialogFallback)

/** Opens the codes that show the server on other sites. Missing without the public site. */
export function ShareButton({ server }: { server: ShownServer }) {
  const hasPublicSite = useHasPublicSite()
  const [isOpen, setIsOpen] = useState(false)
  if (!hasPublicSite) return null
  return (
    <>
      <Button icon={<Share2 size={15} aria-hidden="true" />} onClick={() => setIsOpen(true)}>
        {m.public_share()}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ShareDialog server={server} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** True until the panel knows, so that a page that has one does not shift. */
export function useHasPublicSite(): boolean {
  const { data: about } = useQuery(aboutOptions)
  return about?.public_site !== false
}
