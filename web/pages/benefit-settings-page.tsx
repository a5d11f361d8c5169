import { useParams } from '@tanstack/react-router'
import { BENEFITS } from '#contract/benefit-texts.ts'
import { type SettingsKey } from '#contract/benefits.ts'
import { m } from '#messages'
import type { OwnerId } from '#web/features/benefits/benefits.api.ts'
import { BenefitIcon } from '#web/features/benefits/benefit-icon.tsx'
import { BenefitSettings } from '#web/features/benefits/settings/benefit-settings.tsx'
import { type SettingsOwner, useSettingsOwner } from '#web/features/benefits/settings/settings-owner.ts'
import { settingsKeyNamed } from '#web/features/benefits/settings/settings-route.ts'
import { useTitle } from '#web/lib/use-title.ts'
import '#web/ui/mono.css'
import { BackLink } from '#web/ui/back-link.tsx'
import { WarnNote } from '#web/ui/note.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

export function BenefitSettingsPage() {
  const { benefit_key } = useParams({ from: '/member/benefits/$benefit_key' })
  return <SettingsOf benefit={settingsKeyNamed(benefit_key)} whose={undefined} />
}

export function AdminBenefitSettingsPage() {
  const { benefit_key, user_id } = useParams({ strict: false }) as { benefit_key: string; user_id: string }
  return <SettingsOf benefit={settingsKeyNamed(benefit_key)} whose={user_id} />
}

function SettingsOf({ benefit, whose }: { benefit: SettingsKey; whose: OwnerId }) {
  const holder = useSettingsOwner(whose)
  const { name, description } = BENEFITS[benefit]
  useTitle(holder.name === undefined ? name : m.benefit_page_title({ benefit: name, owner: holder.name }))
  return (
    <>
      <PageHeader
        above={<Back holder={holder} whose={whose} />}
        title={
          <span className="flex items-center gap-3">
            <BenefitIcon benefit={benefit} />
            <span className="min-w-0 break-words">
              {name} {holder.name !== undefined && <span className="text-ink-3">{m.benefit_page_of({ owner: holder.name })}</span>}
            </span>
          </span>
        }
        below={description}
      />
      {!holder.held.includes(benefit) && <WarnNote className="mb-5">{m.benefit_page_not_held()}</WarnNote>}
      <BenefitSettings benefit={benefit} holder={holder} />
    </>
  )
}

function Back({ holder, whose }: { holder: SettingsOwner; whose: OwnerId }) {
  const to = whose === undefined ? '/benefits' : `/admin/users/${whose}/benefits`
  return <BackLink to={to}>{holder.name === undefined ? m.nav_benefits() : m.benefit_page_back({ owner: holder.name })}</BackLink>
}
