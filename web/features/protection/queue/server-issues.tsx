import { useQuery } from '@tanstack/react-query'
import { Issues } from '#web/features/protection/issue-list.tsx'
import { WATCHED } from '#web/features/protection/watched.ts'
import { issuesOfServerOptions } from './queue.api.ts'

/** The issues of one server as administrators see them, also those of an owner whom it no longer belongs to. */
export function ServerIssues({ serverId }: { serverId: string }) {
  const list = useQuery({ ...issuesOfServerOptions(serverId), ...WATCHED })
  return <Issues list={list} viewer="administrator" ofServer />
}
