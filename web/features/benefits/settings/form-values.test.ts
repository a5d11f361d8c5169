import { describe, expect, test } from 'vitest'
import { BENEFITS } from '#contract/benefit-texts.ts'
import { type BannerView, type LauncherView, SETTINGS_BODIES } from '#contract/benefit-settings.ts'
import { PURPOSES } from '#contract/images.ts'
import { mergedBody, fieldOf, launcherValuesOf, imageValuesOf } from './form-values.ts'

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
}
const PICTURE: BannerView = { key: 'CUSTOM_BANNER', image_id: null, image_url: null, server_ids: [], all_servers: true, updated_at: null }
const launcher = launcherValuesOf(LAUNCHER)
const banner = imageValuesOf(PICTURE)

describe('a refusal stands at the field that it is about', () => {
  const wrong: readonly [field: string, ...values: unknown[]][] = [
    ['name', 7, 'x'.repeat(65), 'a\u202eb'],
    ['primary_color', 7, 'blue', '#12345'],
    ['background_image_id', 'no id'],
    ['logo_image_id', 'no id'],
    ['ui_background_image_id', 'no id'],
    ['rss_url', 7, 'no address', 'http://example.com', `https://example.com/${'x'.repeat(255)}`],
    ['ui_url', 7, 'no address', 'http://example.com', `https://example.com/${'x'.repeat(255)}`],
    ['server_ids', 7, [7], Array.from({ length: 1001 }, String)],
  ]
  const ofContract = (
    [
      ['CUSTOM_LAUNCHER', launcher, wrong],
      ['CUSTOM_BANNER', banner, [['image_id', 7, 'no id'], ...wrong.filter(([field]) => field === 'server_ids')]],
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

  test('there is one for every field', () => {
    expect(new Set(ofContract.map(([, field]) => field))).toEqual(new Set([...wrong.map(([field]) => field), 'image_id']))
  })

  test.each(ofContract)('the contract: %s -> %s', (sentence, field, values) => {
    expect(fieldOf(sentence, values)).toBe(field)
  })

  // As `takeImage` and `settings-changes.ts` word them.
  const images = (label: string) => [
    `${label}: there is no such uploaded image. Upload it again.`,
    `${label}: this image was uploaded as "${PURPOSES.BANNER.name}". Upload it again as "${PURPOSES.LAUNCHER_LOGO.name}".`,
  ]
  const ofBackend = [
    ...images('Image').map((sentence) => [sentence, 'image_id', banner] as const),
    ...images('Background').map((sentence) => [sentence, 'background_image_id', launcher] as const),
    ...images('Logo').map((sentence) => [sentence, 'logo_image_id', launcher] as const),
    ...images('UI background').map((sentence) => [sentence, 'ui_background_image_id', launcher] as const),
    [`This needs the benefit ${BENEFITS.CUSTOM_UI_URL.name}, which you do not have.`, 'ui_url', launcher] as const,
    [`This needs the benefit ${BENEFITS.CUSTOM_UI_URL.name}, which the user does not have.`, 'ui_url', launcher] as const,
    ...[banner, launcher].flatMap((values) =>
      [
        'Servers: you have no server abcdef.',
        'Servers: this user has no server abcdef.',
        'all_servers can be true only if server_ids is empty. Leave one of them out.',
      ].map((sentence) => [sentence, 'server_ids', values] as const),
    ),
    ['User does not have this benefit', 'root', launcher] as const,
    // A form without the field says it as a whole.
    ['Logo: there is no such uploaded image. Upload it again.', 'root', banner] as const,
  ]

  test.each(ofBackend)('the backend: %s -> %s', (sentence, field, values) => {
    expect(fieldOf(sentence, values)).toBe(field)
  })
})

describe('the body of a change', () => {
  test('has what is saved, with what was changed over it', () => {
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

  test('can take away, and names no server where it is for all', () => {
    const body = mergedBody(LAUNCHER, { primary_color: '', background_image_id: null, all_servers: true, server_ids: ['aaaaaa'] })
    expect(body).toMatchObject({ primary_color: null, background_image_id: null, all_servers: true, server_ids: [] })
    expect(body).not.toHaveProperty('background_image_url')
  })

  test('of a picture has the picture and the servers alone', () => {
    expect(mergedBody(PICTURE, { image_id: 'i', image_url: 'https://example.com/i.png' })).toEqual({
      image_id: 'i',
      server_ids: [],
      all_servers: true,
    })
  })
})
