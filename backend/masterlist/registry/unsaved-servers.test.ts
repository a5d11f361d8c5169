/** The queue of unsaved servers keeps every change until it is drained, and separates changes of counts. */
import { beforeEach, expect, test } from 'vitest'
import { ServerRecord } from './server-record.ts'
import { fieldsOf } from './test-registry.ts'
import { UnsavedServers } from './unsaved-servers.ts'

let unsaved: UnsavedServers
let server: ServerRecord
beforeEach(() => {
  unsaved = new UnsavedServers()
  server = new ServerRecord(fieldsOf('a'))
})

test('changes of counts alone stay separate from other changes, in any order', () => {
  const [before, after] = [new ServerRecord(fieldsOf('b')), new ServerRecord(fieldsOf('c'))]
  unsaved.add(server, 'players')
  unsaved.add(server, 'players')
  unsaved.add(before)
  unsaved.add(before, 'players')
  unsaved.add(after, 'players')
  unsaved.add(after)
  expect(unsaved.size).toBe(3)
  expect(unsaved.drain()).toEqual({ players: [server], whole: [before, after] })
  expect([unsaved.size, unsaved.drain()]).toEqual([0, { players: [], whole: [] }])
})

test('a change after a drain is queued again', () => {
  unsaved.add(server)
  unsaved.drain()
  unsaved.add(server, 'players')
  expect(unsaved.drain()).toEqual({ players: [server], whole: [] })
})

test('a deleted server is not drained, and a later change is drained once', () => {
  unsaved.add(server)
  unsaved.delete(server)
  unsaved.delete(server)
  expect(unsaved.size).toBe(0)
  unsaved.add(server, 'players')
  expect(unsaved.size).toBe(1)
  expect(unsaved.drain()).toEqual({ players: [server], whole: [] })
  unsaved.add(server)
  unsaved.delete(server)
  expect(unsaved.drain()).toEqual({ players: [], whole: [] })
})
