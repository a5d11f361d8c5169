/** Nothing that changed is forgotten until it was taken to be saved, and all of it is saved where more than players changed. */
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

test('a change of players alone is told from others, in whichever order they come', () => {
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

test('what changes after it was taken is there again', () => {
  unsaved.add(server)
  unsaved.drain()
  unsaved.add(server, 'players')
  expect(unsaved.drain()).toEqual({ players: [server], whole: [] })
})

test('what need not be saved any more is not taken, and what changed since then once', () => {
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
