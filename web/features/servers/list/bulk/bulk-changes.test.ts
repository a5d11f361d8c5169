/** Bulk changes: what is sent for each server, and which servers they may change. */
import { expect, test } from 'vitest'
import type { ShownServer } from '#web/features/servers/access.ts'
import { addTags, type BulkChange, canChange, changesFor, removeTags } from './bulk-changes.ts'

const server = (fields: Partial<ShownServer>) =>
  ({ user_id: 'me', tags: ['Drift'], visible: true, group_id: 'g1', ...fields }) as unknown as ShownServer

const setVisible = (visible: boolean): BulkChange => ({ field: 'visible', next: () => visible })
const setGroup = (id: string | null): BulkChange => ({ field: 'group_id', next: () => id })

test.each<[BulkChange, ReturnType<typeof changesFor>]>([
  [setVisible(true), undefined],
  [setVisible(false), { visible: false }],
  [addTags(['drift']), undefined],
  [addTags(['drift', 'race']), { tags: ['Drift', 'race'] }],
  [removeTags(['race']), undefined],
  [removeTags(['DRIFT']), { tags: [] }],
  [setGroup('g1'), undefined],
  [setGroup(null), { group_id: null }],
])('a change of %j sends %j', (change, sent) => {
  expect(changesFor(server({}), change)).toEqual(sent)
})

test('a managed server needs the permission for its fields, and a group belongs to one owner', () => {
  const managed = server({ user_id: 'them', permissions: ['EDIT_DETAILS'] })
  expect(canChange(managed, 'visible')).toBe(true)
  expect(canChange(managed, 'group_id', 'them')).toBe(false)
  expect(canChange(server({}), 'group_id', 'them')).toBe(false)
  expect(canChange(server({}), 'group_id', 'me')).toBe(true)
})
