import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import type { ShownServer } from '#web/features/servers/access.ts'
import { Button } from '#web/ui/button.tsx'
import { ShareDialog } from './share-dialog.tsx'

const ID = 'share'

/** Opens the codes that show the server on other sites. Missing without the public site. */
export function ShareButton({ server }: { server: ShownServer }) {
  const hasPublicSite = useHasPublicSite()
  const [isOpen, setIsOpen] = useState(false)
  // The command palette links to it.
  const isLinked = useRouterState({ select: ({ location }) => location.hash === ID })
  const navigate = useNavigate()
  if (!hasPublicSite) return null
  const close = () => {
    setIsOpen(false)
    if (isLinked) void navigate({ to: '.', search: true, hash: '', replace: true, resetScroll: false })
  }
  return (
    <>
      <Button id={ID} icon={<Share2 size={15} aria-hidden="true" />} onClick={() => setIsOpen(true)}>
        {m.public_share()}
      </Button>
      {(isOpen || isLinked) && <ShareDialog server={server} onClose={close} />}
    </>
  )
}

/** True until the panel knows, so that a page that has one does not shift. */
export function useHasPublicSite(): boolean {
  const { data: about } = useQuery(aboutOptions)
  return about?.public_site !== false
}
