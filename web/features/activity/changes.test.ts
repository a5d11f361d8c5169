import { expect, test } from 'vitest'
import { exactTime } from '#web/lib/time.ts'
import { changesOf } from './changes.ts'

test('fields and values are words', () => {
  expect(
    changesOf({
      server: null,
      before: { game_mode: '', visible: true, tags: ['a', 'b'], vanity_url: null, max_managers: null },
      after: { game_mode: 'Drift', visible: false, tags: [], vanity_url: 'city', max_managers: 7 },
    }),
  ).toEqual([
    { field: 'Game mode', before: 'none', after: 'Drift' },
    { field: 'Shown on the list', before: 'yes', after: 'no' },
    { field: 'Tags', before: 'a, b', after: 'none' },
    { field: 'Vanity id', before: 'none', after: 'city' },
    { field: 'Managers allowed', before: 'as the tier has it', after: '7' },
  ])
})

test('permissions and benefits have their names, ids of things are not shown', () => {
  const [permissions, benefit, icon] = changesOf({
    server: null,
    before: null,
    after: { permissions: ['EDIT_DETAILS', 'RESET_ADDRESS'], benefit: 'PROMOTED', icon_image_id: '0198-long' },
  })
  expect(permissions).toEqual({ field: 'Permissions', before: undefined, after: 'Edit details, Reset address' })
  expect(benefit?.after).toBe('Promotion')
  expect(icon?.after).toBe('set')
})

test('languages have the names of the form', () => {
  expect(changesOf({ server: null, before: { language: 'all' }, after: { language: 'de' } })).toEqual([
    { field: 'Language', before: 'Multilingual', after: 'German' },
  ])
  expect(changesOf({ server: null, before: { language: 'no such' }, after: null })[0]?.before).toBe('no such')
})

test.each([
  ['description', '2026-11-21T20:00 is our event'],
  ['description', '2026-11-21T20:00:00.000Z'],
  ['name', 'constructor'],
  ['name', '__proto__'],
  ['name', 'PROMOTED'],
  ['tags', 'EDIT_DETAILS'],
  ['permissions', 'constructor'],
])('what somebody wrote is shown as written: %s %s', (field, text) => {
  expect(changesOf({ server: null, before: null, after: { [field]: text } })[0]?.after).toBe(text)
})

test('a time is told by its field', () => {
  const [erased] = changesOf({ server: null, before: null, after: { delete_at: '2026-11-21T20:00:00.000Z' } })
  expect(erased).toEqual({ field: 'To be erased', before: undefined, after: exactTime('2026-11-21T20:00:00.000Z') })
})

test('nothing is nothing', () => {
  expect(changesOf({ server: null, before: null, after: null })).toEqual([])
})
