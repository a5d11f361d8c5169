import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'

interface UsedByProps {
  servers: readonly { public_id: string; name: string }[]
  /** Stands before the names, such as "Used by". */
  lead: string
  /** How many servers one has: where all of many use it they are not counted out. */
  owned?: number
}

/** More names than this say less than their number. */
const NAMED = 2

/** Which servers use a benefit, each a step away. */
export function UsedBy({ servers, lead, owned }: UsedByProps) {
  const shown = servers.length > NAMED && servers.length === owned ? [] : servers.slice(0, servers.length === NAMED + 1 ? NAMED + 1 : NAMED)
  const more = servers.length - shown.length
  return (
    <p className="min-w-0 flex-1 basis-44 text-13 text-pretty text-ink-2">
      {lead}{' '}
      {shown.map(({ public_id, name }, index) => (
        <Fragment key={public_id}>
          {index > 0 && (index === servers.length - 1 ? ' and ' : ', ')}
          <Link
            to="/servers/$server_id"
            params={{ server_id: public_id }}
            className="rounded-6 font-medium [overflow-wrap:anywhere] text-ink-1 underline decoration-line-strong underline-offset-2 hover:decoration-current"
          >
            {name}
          </Link>
        </Fragment>
      ))}
      {more > 0 && (
        <>
          {shown.length > 0 ? ' and ' : 'all '}
          <Link
            to="/servers"
            className="rounded-6 font-medium text-ink-1 underline decoration-line-strong underline-offset-2 hover:decoration-current"
          >
            {shown.length > 0 ? `${more} more servers` : `${more} servers`}
          </Link>
        </>
      )}
    </p>
  )
}
