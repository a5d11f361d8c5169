/** Bulk changes: what is sent for each server, and which servers they may change. */
import { expect, test } from 'vitest'
import type { ShownServer } from '#web/features/servers/access.ts'
import { type BulkChange, canChange, changesFor } from './bulk-changes.ts'

const server = (fields: Partial<ShownServer>) =>
  ({ user_id: 'me', tags: ['Drift'], visible: true, group_id: 'g1', ...fields }) as unknown as ShownServer

test.each<[BulkChange, ReturnType<typeof changesFor>]>([
  [{ kind: 'visible', visible: true }, undefined],
  [{ kind: 'visible', visible: false }, { visible: false }],
  [{ kind: 'add tags', tags: ['drift'] }, undefined],
  [{ kind: 'add tags', tags: ['drift', 'race'] }, { tags: ['Drift', 'race'] }],
  [{ kind: 'remove tags', tags: ['race'] }, undefined],
  [{ kind: 'remove tags', tags: ['DRIFT'] }, { tags: [] }],
  [{ kind: 'group', group_id: 'g1' }, undefined],
  [{ kind: 'group', group_id: null }, { group_id: null }],
])('%j sends %j', (change, sent) => {
  expect(changesFor(server({}), change)).toEqual(sent)
})

test('a managed server needs the permission for its fields, and a group belongs to one owner', () => {
  const managed = server({ user_id: 'them', permissions: ['EDIT_DETAILS'] })
  expect(canChange(managed, 'visible')).toBe(true)
  expect(canChange(managed, 'group', 'them')).toBe(false)
  expect(canChange(server({}), 'group', 'them')).toBe(false)
  expect(canChange(server({}), 'group', 'me')).toBe(true)
})
