import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { UserSearch } from 'lucide-react'
import { useState } from 'react'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { BenefitGrid } from '#web/features/benefits/benefit-grid.tsx'
import { FindUserDialog } from '#web/features/benefits/find-user-dialog.tsx'
import { TierTable } from '#web/features/benefits/tier-table.tsx'
import { YourTier } from '#web/features/benefits/your-tier.tsx'
import { groupsOptions } from '#web/features/groups/groups.api.ts'
import { GroupsPanel } from '#web/features/groups/groups-panel.tsx'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
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
