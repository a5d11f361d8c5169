import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Webhook, WEBHOOK_LIMITS } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { DeliveryLog } from '#web/features/webhooks/deliveries/delivery-log.tsx'
import { EditWebhook, NewWebhook } from '#web/features/webhooks/form/webhook-editors.tsx'
import { SecretCard } from '#web/features/webhooks/secret.tsx'
import { WebhookHeader } from '#web/features/webhooks/webhook-header.tsx'
import { useDeleteWebhook, webhooksOptions } from '#web/features/webhooks/webhooks.api.ts'
import { ConfirmButton } from '#web/ui/dialog/confirm-dialog.tsx'
import '#web/ui/mono.css'
import { useTitle } from '#web/lib/use-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { BackLink } from '#web/ui/page-header.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { toastSuccess } from '#web/ui/toast.ts'

const ROUTE = '/member/settings/webhooks/$webhook_id'
const TABS = [
  { key: 'settings', label: m.nav_settings() },
  { key: 'deliveries', label: m.webhooks_tab_deliveries() },
] as const

export function SettingsNewWebhookPage() {
  const { server: serverId } = useSearch({ from: '/member/settings/webhooks/new' })
  const { data: webhooks } = useSuspenseQuery(webhooksOptions)
  const { data: list } = useSuspenseQuery(serverListOptions)
  const { data: about } = useSuspenseQuery(aboutOptions)
  useTitle(m.webhooks_new())
  // Decided once, because the webhook that this page creates must not end it.
  const [isFull] = useState(webhooks.length >= WEBHOOK_LIMITS.perAccount)
  return (
    <>
      <Back />
      <h2 className="mb-4 text-16 font-semibold">{m.webhooks_new()}</h2>
      {isFull ? (
        <EmptyState title={m.webhooks_full_title()}>{m.webhooks_list_full()}</EmptyState>
      ) : (
        <NewWebhook
          servers={list.owned}
          server={list.owned.find(({ public_id }) => public_id === serverId)}
          minSilence={about.announce_ttl_seconds}
        />
      )}
    </>
  )
}

export function SettingsWebhookPage() {
  const { webhook_id: id } = useParams({ from: ROUTE })
  const { data: webhooks } = useSuspenseQuery(webhooksOptions)
  const webhook = webhooks.find((each) => each.id === id)
  useTitle(webhook?.name ?? m.nav_webhooks())
  if (webhook === undefined) return <MissingWebhook />
  return (
    <>
      <Back />
      <WebhookTabs key={id} webhook={webhook} />
    </>
  )
}

function Back() {
  return (
    <div className="mb-2 text-13 text-ink-3">
      <BackLink to="/settings/webhooks">{m.nav_webhooks()}</BackLink>
    </div>
  )
}

function MissingWebhook() {
  return (
    <EmptyState
      title={m.webhooks_missing()}
      action={
        <Link to="/settings/webhooks" className={buttonClass()}>
          {m.webhooks_missing_back()}
        </Link>
      }
    >
      {m.webhooks_missing_hint()}
    </EmptyState>
  )
}

function WebhookTabs({ webhook }: { webhook: Webhook }) {
  const { tab = 'settings', status, delivery } = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: '/settings/webhooks/$webhook_id' })
  return (
    <>
      <WebhookHeader webhook={webhook} />
      <Tabs
        label={m.webhooks_tabs()}
        tabs={TABS}
        current={tab}
        onSelect={(key) => void navigate({ search: key === 'settings' ? {} : { tab: key }, resetScroll: false })}
      >
        {tab === 'settings' ? (
          <WebhookSettings webhook={webhook} />
        ) : (
          <DeliveryLog
            webhook={webhook}
            onlyFailed={status === 'failed'}
            openId={delivery}
            onOpen={(id) => void navigate({ search: { tab, status, delivery: id }, resetScroll: false })}
          />
        )}
      </Tabs>
    </>
  )
}

function WebhookSettings({ webhook }: { webhook: Webhook }) {
  const { data: list } = useSuspenseQuery(serverListOptions)
  const { data: about } = useSuspenseQuery(aboutOptions)
  const navigate = useNavigate()
  const remove = useDeleteWebhook(webhook.id, () => navigate({ to: '/settings/webhooks', ignoreBlocker: true }))
  return (
    <div className="space-y-5">
      <EditWebhook webhook={webhook} servers={list.owned} minSilence={about.announce_ttl_seconds} />
      {webhook.kind === 'standard' && <SecretCard webhook={webhook} />}
      <Card
        title={m.webhooks_delete()}
        description={m.webhooks_delete_hint()}
        aside={
          <ConfirmButton
            trigger={<Button variant="danger">{m.webhooks_delete_ask()}</Button>}
            title={m.webhooks_delete_title({ webhook: webhook.name })}
            confirm={m.webhooks_delete()}
            danger
            mutation={remove}
            onConfirm={async () => {
              await remove.mutateAsync()
              toastSuccess(m.webhooks_deleted(), webhook.name)
            }}
          >
            <p>{m.webhooks_delete_confirm()}</p>
          </ConfirmButton>
        }
      />
    </div>
  )
}
