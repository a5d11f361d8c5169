import { useParams } from '@tanstack/react-router'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { type SettingsKey } from '#contract/benefits/benefits.ts'
import { m } from '#messages'
import type { OwnerId } from '#web/features/benefits/benefits.api.ts'
import { BenefitIcon } from '#web/features/benefits/benefit-icon.tsx'
import { BenefitSettings } from '#web/features/benefits/settings/benefit-settings.tsx'
import { type SettingsOwner, useSettingsOwner } from '#web/features/benefits/settings/settings-owner.ts'
import { parseBenefitSettingsKey } from '#web/features/benefits/settings/settings-route.ts'
import { useTitle } from '#web/lib/use-title.ts'
import '#web/ui/mono.css'
import { WarnNote } from '#web/ui/states.tsx'
import { BackLink, PageHeader } from '#web/ui/page-header.tsx'
import { RichText } from '#web/ui/rich-text.tsx'

export function BenefitSettingsPage() {
  const { benefit_key } = useParams({ from: '/member/benefits/$benefit_key' })
  return <SettingsView benefit={parseBenefitSettingsKey(benefit_key)} ownerId={undefined} />
}

export function AdminBenefitSettingsPage() {
  const { benefit_key, user_id } = useParams({ strict: false }) as { benefit_key: string; user_id: string }
  return <SettingsView benefit={parseBenefitSettingsKey(benefit_key)} ownerId={user_id} />
}

function SettingsView({ benefit, ownerId }: { benefit: SettingsKey; ownerId: OwnerId }) {
  const owner = useSettingsOwner(ownerId)
  const name = BENEFITS[benefit].name()
  useTitle(owner.name === undefined ? name : m.benefit_page_title({ benefit: name, owner: owner.name }))
  return (
    <>
      <PageHeader
        above={<Back owner={owner} ownerId={ownerId} />}
        title={
          <span className="flex items-center gap-3">
            <BenefitIcon benefit={benefit} />
            <span className="min-w-0 break-words">
              {owner.name === undefined ? (
                name
              ) : (
                <RichText
                  message={m.benefit_page_title}
                  inputs={{ benefit: name, owner: owner.name }}
                  tags={{ owner: (text) => <span className="text-ink-3">{text}</span> }}
                />
              )}
            </span>
          </span>
        }
        below={BENEFITS[benefit].description()}
      />
      {!owner.benefits.includes(benefit) && <WarnNote className="mb-5">{m.benefit_page_not_held()}</WarnNote>}
      <BenefitSettings benefit={benefit} owner={owner} />
    </>
  )
}

function Back({ owner, ownerId }: { owner: SettingsOwner; ownerId: OwnerId }) {
  const to = ownerId === undefined ? '/benefits' : `/admin/users/${ownerId}/benefits`
  return <BackLink to={to}>{owner.name === undefined ? m.nav_benefits() : m.benefit_page_back({ owner: owner.name })}</BackLink>
}
