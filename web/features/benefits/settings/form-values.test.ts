import { describe, expect, test } from 'vitest'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { type BannerView, type LauncherView, SETTINGS_BODIES } from '#contract/benefits/benefit-settings.ts'
import { PURPOSES } from '#contract/servers/images.ts'
import { mergedBody, fieldOfError, launcherValuesOf, imageValuesOf } from './form-values.ts'

const LAUNCHER: LauncherView = {
  key: 'CUSTOM_LAUNCHER',
  name: 'Harbour',
  primary_color: '#ffcc33',
  background_image_id: 'b',
  background_image_url: 'https://example.com/b.png',
  logo_image_id: null,
  logo_image_url: null,
  ui_background_image_id: null,
  ui_background_image_url: null,
  rss_url: null,
  ui_url: null,
  server_ids: ['aaaaaa'],
  all_servers: false,
  updated_at: null,
  version: 0,
}
const BANNER: BannerView = {
  key: 'CUSTOM_BANNER',
  image_id: null,
  image_url: null,
  server_ids: [],
  all_servers: true,
  updated_at: null,
  version: 0,
}
const launcher = launcherValuesOf(LAUNCHER)
const banner = imageValuesOf(BANNER)

describe('an error message appears at its field', () => {
  const invalid: readonly [field: string, ...values: unknown[]][] = [
    ['name', 7, 'x'.repeat(65), 'a\u202eb'],
    ['primary_color', 7, 'blue', '#12345'],
    ['background_image_id', 'no id'],
    ['logo_image_id', 'no id'],
    ['ui_background_image_id', 'no id'],
    ['rss_url', 7, 'no address', 'http://example.com', `https://example.com/${'x'.repeat(255)}`],
    ['ui_url', 7, 'no address', 'http://example.com', `https://example.com/${'x'.repeat(255)}`],
    ['server_ids', 7, [7], Array.from({ length: 1001 }, String)],
  ]
  const contractErrors = (
    [
      ['CUSTOM_LAUNCHER', launcher, invalid],
      ['CUSTOM_BANNER', banner, [['image_id', 7, 'no id'], ...invalid.filter(([field]) => field === 'server_ids')]],
    ] as const
  ).flatMap(([key, values, table]) =>
    table.flatMap(([field, ...many]) =>
      many.flatMap((value) => {
        const body = key === 'CUSTOM_BANNER' ? { image_id: null, [field]: value } : { [field]: value }
        const issues = SETTINGS_BODIES[key].safeParse(body).error?.issues ?? []
        return [...new Set(issues.map(({ message }) => message))].map((message) => [message, field, values] as const)
      }),
    ),
  )

  test('every field is covered', () => {
    expect(new Set(contractErrors.map(([, field]) => field))).toEqual(new Set([...invalid.map(([field]) => field), 'image_id']))
  })

  test.each(contractErrors)('the contract: %s -> %s', (message, field, values) => {
    expect(fieldOfError(message, values)).toBe(field)
  })

  // The messages of `takeImage` and `settings-changes.ts`.
  const imageErrors = (label: string) => [
    `${label}: there is no such uploaded image. Upload it again.`,
    `${label}: this image was uploaded as "${PURPOSES.BANNER.name()}". Upload it again as "${PURPOSES.LAUNCHER_LOGO.name()}".`,
  ]
  const backendErrors = [
    ...imageErrors('Image').map((message) => [message, 'image_id', banner] as const),
    ...imageErrors('Background').map((message) => [message, 'background_image_id', launcher] as const),
    ...imageErrors('Logo').map((message) => [message, 'logo_image_id', launcher] as const),
    ...imageErrors('UI background').map((message) => [message, 'ui_background_image_id', launcher] as const),
    [`This needs the benefit ${BENEFITS.CUSTOM_UI_URL.name()}, which you do not have.`, 'ui_url', launcher] as const,
    [`This needs the benefit ${BENEFITS.CUSTOM_UI_URL.name()}, which the user does not have.`, 'ui_url', launcher] as const,
    ...[banner, launcher].flatMap((values) =>
      [
        'Servers: you have no server abcdef.',
        'Servers: this user has no server abcdef.',
        'all_servers can be true only if server_ids is empty. Leave one of them out.',
      ].map((message) => [message, 'server_ids', values] as const),
    ),
    ['User does not have this benefit', 'root', launcher] as const,
    // This form has no such field.
    ['Logo: there is no such uploaded image. Upload it again.', 'root', banner] as const,
  ]

  test.each(backendErrors)('the backend: %s -> %s', (message, field, values) => {
    expect(fieldOfError(message, values)).toBe(field)
  })
})

describe('the request body', () => {
  test('has the saved values with the changes on top', () => {
    expect(mergedBody(LAUNCHER, { rss_url: 'https://example.com/feed' })).toEqual({
      name: 'Harbour',
      primary_color: '#ffcc33',
      background_image_id: 'b',
      logo_image_id: null,
      ui_background_image_id: null,
      rss_url: 'https://example.com/feed',
      ui_url: '',
      server_ids: ['aaaaaa'],
      all_servers: false,
    })
  })

  test('can clear fields, and lists no servers if it applies to all', () => {
    const body = mergedBody(LAUNCHER, { primary_color: '', background_image_id: null, all_servers: true, server_ids: ['aaaaaa'] })
    expect(body).toMatchObject({ primary_color: null, background_image_id: null, all_servers: true, server_ids: [] })
    expect(body).not.toHaveProperty('background_image_url')
  })

  test('of an image has only the image and the servers', () => {
    expect(mergedBody(BANNER, { image_id: 'i', image_url: 'https://example.com/i.png' })).toEqual({
      image_id: 'i',
      server_ids: [],
      all_servers: true,
    })
  })
})
