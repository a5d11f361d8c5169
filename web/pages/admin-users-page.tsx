import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { BENEFIT_KEYS, BENEFITS, TIER_IDS, TIERS } from '#contract/benefits.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { BulkBan } from '#web/features/users/admin/bulk-ban.tsx'
import { UserPanel } from '#web/features/users/admin/user-panel.tsx'
import { adminUsersOptions, usersList } from '#web/features/users/admin/users-list.ts'
import { UsersTable } from '#web/features/users/admin/users-table.tsx'
import { messageOf } from '#web/lib/http-error.ts'
import { useTitle } from '#web/lib/use-title.ts'
import '#web/ui/mono.css'
import { RetryNote } from '#web/ui/note.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { FilterBar, FilterMenu } from '#web/ui/table/filter-bar.tsx'
import { Pager } from '#web/ui/table/pager.tsx'
import { useLastPage, useList } from '#web/ui/table/use-list.ts'
import { useSelection } from '#web/ui/table/use-selection.ts'

const TIER_OPTIONS = TIER_IDS.map((value) => ({ value, label: TIERS[value].name }))
const BENEFIT_OPTIONS = BENEFIT_KEYS.map((value) => ({ value, label: BENEFITS[value].name }))
const yesNo = (yes: string, no: string) => [{ value: 'true', label: yes } as const, { value: 'false', label: no } as const]
const BAN_OPTIONS = yesNo('Banned', 'Not banned')
const LEAVING_OPTIONS = yesNo('Leaving', 'Staying')

/** All people, to be searched, narrowed and looked after. */
export function AdminUsersPage() {
  useTitle('Users')
  const list = useList(usersList)
  const { search, tiers, benefits, banned, pending_deletion: leaving, open } = list.state
  const { data: me } = useSuspenseQuery(meOptions)
  const { data, error, isPlaceholderData, refetch } = useQuery(adminUsersOptions(list.state))
  const rows = data?.data
  useLastPage(data?.meta, rows?.length ?? 0, list)
  const selection = useSelection(rows ?? [], (user) => user.id, JSON.stringify([search, tiers, benefits, banned, leaving]))
  const narrowed = search !== '' || tiers.length + benefits.length > 0 || banned !== undefined || leaving !== undefined
  return (
    <>
      <PageHeader title="Users" />
      <FilterBar
        label="Search users"
        placeholder="Discord name or id"
        search={search}
        onSearch={(text) => list.change({ search: text }, true)}
        narrowed={narrowed}
        onClear={() => list.change({ search: '', tiers: [], benefits: [], banned: undefined, pending_deletion: undefined })}
      >
        <FilterMenu label="Tier" many options={TIER_OPTIONS} chosen={tiers} onChange={(chosen) => list.change({ tiers: chosen })} />
        <FilterMenu
          label="Holds"
          many
          options={BENEFIT_OPTIONS}
          chosen={benefits}
          onChange={(chosen) => list.change({ benefits: chosen })}
        />
        <FilterMenu
          label="Ban"
          options={BAN_OPTIONS}
          chosen={banned === undefined ? [] : [banned]}
          onChange={([chosen]) => list.change({ banned: chosen })}
        />
        <FilterMenu
          label="Deletion"
          options={LEAVING_OPTIONS}
          chosen={leaving === undefined ? [] : [leaving]}
          onChange={([chosen]) => list.change({ pending_deletion: chosen })}
        />
      </FilterBar>
      {error && (
        <div className="mb-3">
          <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote>
        </div>
      )}
      {(data !== undefined || !error) && (
        <UsersTable rows={rows} list={list} selection={selection} waiting={isPlaceholderData} narrowed={narrowed} />
      )}
      {data && (
        <Pager
          meta={data.meta}
          first={data.data[0]?.id}
          last={data.data.at(-1)?.id}
          count={data.data.length}
          noun="users"
          onTurn={list.turn}
          onSize={(size) => list.change({ per_page: size })}
        />
      )}
      <BulkBan selection={selection} />
      {open !== undefined && <UserPanel key={open} id={open} row={rows?.find(({ id }) => id === open)} myId={me.id} onClose={list.close} />}
    </>
  )
}
