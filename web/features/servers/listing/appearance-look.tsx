import type { ReactNode } from 'react'
import type { BenefitField } from '#contract/benefits.ts'
import type { ShownServer } from '#web/features/servers/access.ts'
import { ServerTile } from '#web/features/servers/server-tile.tsx'
import { Shown, WhyOnlyLooking } from './shown.tsx'

/** How a server stands out on the list, for somebody who may look at it but not change it. */
export function AppearanceLook({ server }: { server: ShownServer }) {
  const { name, icon_url, group, vanity_url, promoted, dormant } = server
  const owner = server.owner?.discord.username ?? 'the owner'
  const shown = (field: BenefitField, what: ReactNode) => (
    <>
      {what}
      {dormant.includes(field) && <span className="block text-13 text-ink-3">Players don’t see it now: {owner} lacks the benefit.</span>}
    </>
  )
  return (
    <section aria-labelledby="appearance" className="card p-5">
      <h2 id="appearance" className="mb-3 font-medium">
        Appearance
      </h2>
      <WhyOnlyLooking>
        You can look at the appearance but not change it. That takes “Edit appearance”, which {owner} can give you.
      </WhyOnlyLooking>
      <dl className="mt-3">
        <Shown label="Icon">{icon_url === null ? '' : shown('icon_image_id', <ServerTile name={name} iconUrl={icon_url} large />)}</Shown>
        <Shown label="Group">{group === null ? '' : shown('group_id', group.name)}</Shown>
        <Shown label="Vanity id">{vanity_url === null ? '' : shown('vanity_url', <span className="font-mono">@{vanity_url}</span>)}</Shown>
        <Shown label="Promotion">{shown('promoted', promoted ? 'Promoted' : 'Not promoted')}</Shown>
      </dl>
    </section>
  )
}
