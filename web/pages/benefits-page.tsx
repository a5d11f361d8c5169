import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { UserSearch } from 'lucide-react'
import { useState } from 'react'
import type { Me, PublicUser } from '#contract/users/users.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { BenefitGrid } from '#web/features/benefits/benefit-grid.tsx'
import { TierTable, YourTier } from '#web/features/benefits/tier-cards.tsx'
import { GroupsPanel } from '#web/features/groups/groups-panel.tsx'
import { groupsOptions } from '#web/features/groups/groups.api.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { isAdmin, meOptions } from '#web/features/session/session.api.ts'
import { FindUser } from '#web/features/users/find-user.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog/dialog.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

export function BenefitsPage() {
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: list } = useQuery(serverListOptions)
  const { data: groups } = useQuery(groupsOptions)
  const { data: about } = useQuery(aboutOptions)
  useTitle(m.nav_benefits())
  return (
    <>
      <PageHeader title={m.nav_benefits()} action={isAdmin(me) && <FindUserButton />} />
      <div className="space-y-8">
        <YourTier me={me} supportUrl={about?.support_url ?? undefined} servers={list?.owned.length} groups={groups?.length} />
        <section aria-labelledby="all-benefits">
          <h2 id="all-benefits" className="sr-only">
            {m.benefits_page_all()}
          </h2>
          <BenefitGrid me={me} />
        </section>
        <GroupsPanel />
        <TierTable me={me} />
      </div>
    </>
  )
}

/** For administrators. */
function FindUserButton() {
  const { data: me } = useSuspenseQuery(meOptions)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" icon={<UserSearch size={16} aria-hidden="true" />} onClick={() => setOpen(true)}>
        {m.common_find_user_benefits()}
      </Button>
      {isOpen && <FindUserDialog me={me} onClose={() => setOpen(false)} />}
    </>
  )
}

function FindUserDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const [user, setUser] = useState<PublicUser>()
  const navigate = useNavigate()
  const open = (id: string) => void navigate({ to: '/admin/users/$user_id/benefits', params: { user_id: id } })
  return (
    <Dialog title={m.common_find_user_benefits()} onDismiss={onClose}>
      <p className="mt-2 mb-4 text-13 text-pretty text-ink-2">{m.benefits_find_hint()}</p>
      <FindUser me={me} selfMessage={m.benefits_find_self()} found={user} onFound={setUser} />
      <DialogActions>
        <Button onClick={onClose}>{m.common_cancel()}</Button>
        {user ? (
          <Button variant="primary" onClick={() => open(user.id)}>
            {m.benefits_find_open()}
          </Button>
        ) : (
          <Button onClick={() => open(me.id)}>{m.benefits_find_own()}</Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
