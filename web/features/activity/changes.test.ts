import { expect, test } from 'vitest'
import { exactTime } from '#web/lib/time.ts'
import { changesOf } from './changes.ts'

test('fields and values are readable', () => {
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
    { field: 'Vanity ID', before: 'none', after: 'city' },
    { field: 'Manager limit', before: 'tier default', after: '7' },
  ])
})

test('permissions and benefits have their names, and IDs are hidden', () => {
  const [permissions, benefit, icon] = changesOf({
    server: null,
    before: null,
    after: { permissions: ['EDIT_DETAILS', 'RESET_ADDRESS'], benefit: 'PROMOTED', icon_image_id: '0198-long' },
  })
  expect(permissions).toEqual({ field: 'Permissions', before: undefined, after: 'Edit details, Reset address' })
  expect(benefit?.after).toBe('Promotion')
  expect(icon?.after).toBe('set')
})

test('an address that moved has its family', () => {
  const after = { family: 'ipv6', bound_address: '2001:db8::7' }
  expect(changesOf({ server: null, before: { bound_address: '2001:db8::1' }, after })).toEqual([
    { field: 'Bound address', before: '2001:db8::1', after: '2001:db8::7' },
    { field: 'Address family', before: undefined, after: 'IPv6' },
  ])
})

test('tiers have their names', () => {
  expect(
    changesOf({
      server: null,
      before: { forced_tier: null, owned_tier: 'SILVER' },
      after: { forced_tier: 'DIAMOND_ALTRUIST', owned_tier: null },
    }),
  ).toEqual([
    { field: 'Tier override', before: 'none', after: 'Diamond Altruist' },
    { field: 'Own tier', before: 'Silver', after: 'none' },
  ])
})

test('settings name their benefit once and show no IDs of images or servers', () => {
  expect(
    changesOf({
      server: null,
      before: { benefit: 'CUSTOM_LAUNCHER', logo_image_id: '0198-a', ui_background_image_id: null, server_ids: [], all_servers: true },
      after: {
        benefit: 'CUSTOM_LAUNCHER',
        logo_image_id: '0198-b',
        ui_background_image_id: '0198-c',
        server_ids: ['aB3dE6g'],
        all_servers: false,
      },
    }),
  ).toEqual([
    { field: 'Benefit', before: undefined, after: 'Custom Launcher' },
    { field: 'Logo', before: 'set', after: 'replaced' },
    { field: 'UI background', before: 'none', after: 'set' },
    { field: 'Selected servers', before: 'none', after: '1 server' },
    { field: 'All servers', before: 'yes', after: 'no' },
  ])
  expect(changesOf({ server: null, before: { server_ids: ['a', 'b'] }, after: { server_ids: ['a', 'c'] } })).toEqual([
    { field: 'Selected servers', before: '2 servers', after: 'different servers' },
  ])
})

test('a group has its name while it exists', () => {
  const [joined, moved] = [
    { before: { group_id: null }, after: { group_id: '0198-a' } },
    { before: { group_id: '0198-gone' }, after: { group_id: '0198-a' } },
  ].map((entry) => changesOf({ server: null, group_names: { '0198-a': 'Harbour' }, ...entry }))
  expect(joined).toEqual([{ field: 'Group', before: 'none', after: 'Harbour' }])
  expect(moved).toEqual([{ field: 'Group', before: 'set', after: 'Harbour' }])
})

test('appearance changes show no IDs', () => {
  expect(
    changesOf({
      server: { public_id: 'aB3dE6g', name: 'Night City' },
      before: { group_id: '0198-a', icon_image_id: '0198-b', vanity_url: 'night', promoted: false },
      after: { group_id: '0198-c', icon_image_id: null, vanity_url: null, promoted: true },
    }),
  ).toEqual([
    { field: 'Group', before: 'set', after: 'replaced' },
    { field: 'Icon', before: 'set', after: 'none' },
    { field: 'Vanity ID', before: 'night', after: 'none' },
    { field: 'Promotion', before: 'no', after: 'yes' },
  ])
})

test('a created or deleted group shows its name, a renamed group both names', () => {
  expect(changesOf({ server: null, before: null, after: { name: 'Night' } })).toEqual([
    { field: 'Name', before: undefined, after: 'Night' },
  ])
  expect(changesOf({ server: null, before: { name: 'Night' }, after: { name: 'Day' } })).toEqual([
    { field: 'Name', before: 'Night', after: 'Day' },
  ])
})

test('languages and regions have the same names as in the form', () => {
  expect(changesOf({ server: null, before: { region: '' }, after: { region: 'eu-west' } })).toEqual([
    { field: 'Region', before: 'none', after: 'Europe (west)' },
  ])
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
])('text of users is shown as written: %s %s', (field, text) => {
  expect(changesOf({ server: null, before: null, after: { [field]: text } })[0]?.after).toBe(text)
})

test('a field decides whether its value is a time', () => {
  const [erased] = changesOf({ server: null, before: null, after: { delete_at: '2026-11-21T20:00:00.000Z' } })
  expect(erased).toEqual({ field: 'Erasure date', before: undefined, after: exactTime('2026-11-21T20:00:00.000Z') })
})

test('a ban shows its end, and the fields of an issue have their names', () => {
  const banned = { banned: true, ban_reason: 'Spam', banned_until: '2026-11-21T20:00:00.000Z' }
  expect(changesOf({ server: null, before: { banned: false, ban_reason: '', banned_until: null }, after: banned })).toEqual([
    { field: 'Banned', before: 'no', after: 'yes' },
    { field: 'Reason', before: 'none', after: 'Spam' },
    { field: 'Ban ends', before: 'none', after: exactTime('2026-11-21T20:00:00.000Z') },
  ])
  const opened = { issue_id: '0198-long', kind: 'IMPERSONATION', severity: 'HIGH', status: 'OPEN', consequence: 'UNRANKED' }
  expect(changesOf({ server: null, before: null, after: opened }).map(({ after }) => after)).toEqual([
    'Impersonation',
    'High',
    'Open',
    'Not ranked',
  ])
})

test('an entry without values has no changes', () => {
  expect(changesOf({ server: null, before: null, after: null })).toEqual([])
})
