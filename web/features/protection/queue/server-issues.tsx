import { queryOptions, useQuery } from '@tanstack/react-query'
import { ISSUE_STATUSES, type IssueStatus, OPEN_STATUSES, type ProtectionIssue } from '#contract/protection.ts'
import { Issues } from '#web/features/protection/issue-list.tsx'
import { POLLED } from '#web/features/protection/issue-polling.tsx'
import { PROTECTION } from '#web/features/protection/protection.api.ts'
import { call } from '#web/lib/call.ts'

const OVER = ISSUE_STATUSES.filter((status) => !(OPEN_STATUSES as readonly string[]).includes(status))
const MAX = '100'

const issuesOfServerOptions = (serverId: string) =>
  queryOptions({
    queryKey: [PROTECTION, 'server', serverId],
    queryFn: async ({ signal }): Promise<ProtectionIssue[]> => {
      const read = (status: readonly IssueStatus[]) => {
        const query = { server_id: serverId, status: [...status], per_page: MAX }
        return call('GET /api/admin/protection-issues', { query, signal, whole: true })
      }
      const [open, over] = await Promise.all([read(OPEN_STATUSES), read(OVER)])
      return [...open.data, ...over.data]
    },
  })

/** The issues of one server as administrators see them, also those of an owner whom it no longer belongs to. */
export function ServerIssues({ serverId }: { serverId: string }) {
  const list = useQuery({ ...issuesOfServerOptions(serverId), ...POLLED })
  return <Issues list={list} viewer="administrator" ofServer />
}
