/** Examples of bodies and replies in the OpenAPI document. A test compares each with its schema. */
import { LIST_FIELDS, serverField } from '#contract/servers/server-field-shapes.ts'

export const ANNOUNCE_EXAMPLE = {
  port: 7788,
  playersCount: 12,
  maxPlayersCount: 64,
  passworded: false,
  version: '1.0',
  branch: 'release',
  gameMode: 'Roleplay',
}

export const LISTED_EXAMPLE = {
  publicId: 'AbCd123',
  ...Object.fromEntries(LIST_FIELDS.map(({ field, name }) => [name, serverField(field).examples[0]])),
  promoted: false,
  visible: true,
  playersCount: 12,
  playersConfirmed: true,
  maxPlayersCount: 64,
  queueCount: 0,
  passworded: false,
  port: 7788,
  address: '203.0.113.7:7788',
  addresses: ['203.0.113.7:7788'],
  host: '',
  useEarlyAuth: false,
  earlyAuthUrl: '',
  useCdn: false,
  cdnUrl: '',
  useVoiceChat: false,
  version: '1.0',
  branch: 'release',
  available: true,
  banned: false,
  lastTimeUpdate: '2026-11-25T12:00:00.000Z',
  verified: false,
  hasCustomSkin: false,
  bannerUrl: '',
  masterlist_icon_url: null,
  masterlist_banner_url: null,
  joinBackgroundUrl: '',
  group: null,
}

export const DELTA_EXAMPLE = { version: 'k3f.42', changed: [{ publicId: 'AbCd123', playersCount: 13 }], removed: ['XyZ7890'] }

export const ANNOUNCE_REPLY_EXAMPLES = {
  Listed: { publicId: 'AbCd123', listed: true, nextAnnounceSeconds: 30, features: { cloudAuth: false }, notices: [] },
  'Hidden by its owner': {
    publicId: 'AbCd123',
    listed: false,
    nextAnnounceSeconds: 30,
    features: { cloudAuth: false },
    notices: [{ code: 'HIDDEN', message: 'The server is set to hidden, so players do not see it on the public list.' }],
  },
}

export const NEW_SERVER_BODIES = {
  'A name is enough': { name: 'My Town' },
  'With a listing': { name: 'My Town', language: 'en', region: 'eu-west', tags: ['friendly'] },
}
