/** From when on the status page asks an operator to look, and to act. */
import { expect, test } from 'vitest'
import type { Certificate } from '#backend/platform/certificate.ts'
import type { RepeatedCheck } from '#backend/platform/concurrency/repeated-check.ts'
import { RELEASE } from '#backend/platform/version.ts'
import {
  findingOfBackup,
  findingOfCertificate,
  findingOfDatabase,
  findingOfNode,
  findingOfSignedList,
  findingOfStorage,
} from './findings.ts'
import type { NodeFigures } from './node-figures.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const MIB = 1024 ** 2
const NOW = Date.parse('2026-11-28T12:00:00Z')

const figures: NodeFigures = {
  name: 'one',
  runs_jobs: true,
  is_disconnected: false,
  clock_offset_ms: 0,
  servers_online: 0,
  list_age_ms: 250,
  disk: { free: 50_000 * MIB, size: 100_000 * MIB },
  images: 'folder',
  images_answer: true,
  backup: null,
  signed_list_published_at: null,
  jobs: [],
}

const node = (change: Partial<NodeFigures>, silentMs = 2000, release = RELEASE) =>
  findingOfNode({ release, silentMs, figures: { ...figures, ...change } }).state
const storage = (free: number, isGrowing = true) => findingOfStorage({ ...figures, disk: { free, size: free } }, isGrowing, true).state
const ended = <T>(value: T | undefined) => ({ value, hasEnded: true }) as unknown as RepeatedCheck<T>
const certificate = (leftMs: number, isTrusted = true) =>
  findingOfCertificate(ended({ issuer: 'CA', endsAt: NOW + leftMs, isTrusted }), NOW).state
const backup = (ageMs: number) => findingOfBackup(true, NOW - ageMs, NOW, DAY).state
const database = (latencyMs: number, isReadOnly = false, isLost = false) =>
  findingOfDatabase(ended({ version: '18', isReadOnly, latencyMs, bytes: 1 }), isLost).state
const published = (ageMs: number, hasEnded = false, endsSoon = false) =>
  findingOfSignedList({ end: { hasEnded, endsSoon }, publishes: true, publishedAt: NOW - ageMs }, NOW, DAY).state

test.each([
  ['a node that is well', node({}), 'fine'],
  ['a clock within two seconds', node({ clock_offset_ms: -2000 }), 'fine'],
  ['a clock that is three seconds off', node({ clock_offset_ms: -3000 }), 'watch'],
  ['a clock that is two minutes off', node({ clock_offset_ms: 2 * MINUTE }), 'act'],
  ['a list of a minute', node({ list_age_ms: MINUTE }), 'act'],
  ['a node cut off from the others', node({ is_disconnected: true }), 'act'],
  ['a node of another release', node({}, 0, '1.2.0'), 'watch'],
  ['a node without heartbeats for 11 seconds', node({}, 11_000), 'act'],
  ['3 GiB of free space', storage(3072 * MIB), 'fine'],
  ['1 GiB of free space', storage(1024 * MIB), 'watch'],
  ['1 GiB where nothing grows', storage(1024 * MIB, false), 'fine'],
  ['100 MiB of free space, wherever', storage(100 * MIB, false), 'act'],
  ['a disk that does not answer', findingOfStorage({ ...figures, disk: null }, true, true).state, 'act'],
  ['a disk that was not checked yet', findingOfStorage({ ...figures, disk: null }, true, false).state, 'fine'],
  ['images that do not answer', findingOfStorage({ ...figures, images_answer: false }, true, true).state, 'act'],
  ['a backup of 25 hours', backup(25 * HOUR), 'fine'],
  ['a backup of 27 hours', backup(27 * HOUR), 'watch'],
  ['a backup of three days', backup(3 * DAY), 'act'],
  ['no backup a minute after the start', findingOfBackup(true, undefined, NOW, MINUTE).state, 'watch'],
  ['no backup a day after the start', findingOfBackup(true, undefined, NOW, DAY).state, 'act'],
  ['a certificate of 30 days', certificate(30 * DAY), 'fine'],
  ['a certificate of five days', certificate(5 * DAY), 'watch'],
  ['a certificate of a day', certificate(DAY), 'act'],
  ['an expired certificate', certificate(-DAY), 'act'],
  ['a certificate that this node does not trust', certificate(30 * DAY, false), 'watch'],
  ['an address without a certificate', findingOfCertificate(ended<Certificate>(undefined), NOW).state, 'watch'],
  ['a fast database', database(3), 'fine'],
  ['a database that takes a second', database(1000), 'watch'],
  ['a read-only database', database(3, true), 'act'],
  ['a database that stopped answering', database(3, false, true), 'act'],
  ['a signed list published a minute ago', published(MINUTE), 'fine'],
  ['a signed list published an hour ago', published(HOUR), 'act'],
  ['an online key that ends soon', published(MINUTE, false, true), 'watch'],
  ['an online key that has ended', published(MINUTE, true, true), 'act'],
] as const)('%s: %s', (_, state, expected) => {
  expect(state).toBe(expected)
})
