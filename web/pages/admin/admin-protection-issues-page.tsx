import { useQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { issuesList, queueOptions } from '#web/features/protection/queue/queue.api.ts'
import { nameOf, QueueBulk } from '#web/features/protection/queue/queue-bulk.tsx'
import { QUEUE_COLUMNS, QUEUE_FILTERS } from '#web/features/protection/queue/queue-columns.tsx'
import { QueuePanel } from '#web/features/protection/queue/queue-panel.tsx'
import { ListPage } from '#web/ui/table/list-page.tsx'
import { useList } from '#web/ui/table/use-list.ts'

export function AdminProtectionIssuesPage() {
  const list = useList(issuesList)
  const query = useQuery(queueOptions(list.state))
  return (
    <ListPage
      title={m.nav_protection_issues()}
      label={m.nav_protection_issues()}
      list={list}
      query={query}
      columns={QUEUE_COLUMNS}
      idOf={({ id }) => id}
      nameOf={nameOf}
      countText={m.count_issues}
      searchLabel={m.protection_queue_search()}
      placeholder={m.protection_queue_search_placeholder()}
      filters={QUEUE_FILTERS}
      empty={{ title: m.issues_page_none(), hint: m.issues_page_none_hint() }}
      bulkActions={(selection) => <QueueBulk selection={selection} />}
      panel={(open) => <QueuePanel {...open} fetchedAt={query.dataUpdatedAt} />}
    />
  )
}
