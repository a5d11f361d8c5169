import { useQuery } from '@tanstack/react-query'
import type { Server } from '#contract/servers.ts'
import { FindingsNote } from './findings-note.tsx'
import { issuesOfUserOptions } from './protection.api.ts'

interface ServerFindingsProps {
  server: Pick<Server, 'user_id' | 'public_id'>
  /** What the page says elsewhere already. */
  except: readonly (string | undefined)[]
}

/** What was found about one server and is still open, for its owner. The route has read it: nothing is pushed down by it. */
export function ServerFindings({ server, except }: ServerFindingsProps) {
  const { data = [] } = useQuery(issuesOfUserOptions(server.user_id))
  return <FindingsNote issues={data} serverId={server.public_id} except={except} />
}
