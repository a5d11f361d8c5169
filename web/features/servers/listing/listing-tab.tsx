import { useSuspenseQuery } from '@tanstack/react-query'
import { may, type ShownServer } from '#web/features/servers/access.ts'
import { ListingForm } from './listing-form.tsx'
import { ListingLook } from './listing-look.tsx'
import { languagesOptions } from '#web/features/servers/servers.api.ts'

interface ListingTabProps {
  server: ShownServer
  /** The address of the list, where vanity ids resolve. */
  masterlist: string
}

/** The listing and its form, with what the form needs. */
export function ListingTab({ server, masterlist }: ListingTabProps) {
  const { data: languages } = useSuspenseQuery(languagesOptions)
  if (!may(server, 'EDIT_DETAILS') && !may(server, 'EDIT_APPEARANCE')) return <ListingLook server={server} languages={languages} />
  return <ListingForm server={server} languages={languages} masterlist={masterlist} />
}
