/** Generators of the random sequences. */
import fc from 'fast-check'
import { PERMISSION_KEYS } from '#contract/servers/permissions.ts'
import { USER_COUNT } from './system-under-test.ts'
import type { Change } from './state.ts'
import * as steps from './steps.ts'

/** Steps per sequence. Steps without a target are skipped. */
export const MAX_STEPS = 40

const user = fc.nat({ max: USER_COUNT - 1 })
const ref = fc.nat({ max: 59 })
/** Mostly the permitted user; otherwise sequences would rarely pass the access checks. */
const by = fc.oneof({ weight: 4, arbitrary: fc.constant('right' as const) }, { weight: 1, arbitrary: user })
// The first three look alike.
const word = fc.constantFrom('North', 'NORTH', 'Nоrth', 'South', 'East', 'West', 'Up', 'Down')
const permissions = fc.subarray([...PERMISSION_KEYS], { minLength: 1 })
const limitValue = fc.constantFrom(null, 0, 1, 2, 3)

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ field: fc.constant('name' as const), value: word }),
  fc.record({ field: fc.constant('description' as const), value: fc.constantFrom('', 'One', 'Two') }),
  fc.record({ field: fc.constant('promoted' as const), value: fc.boolean() }),
  fc.record({ field: fc.constant('vanity' as const), value: fc.constantFrom(null, 'left', 'right') }),
)

const renewal = fc.tuple(
  fc.constantFrom('reissue' as const, 'resetAddress' as const),
  fc.constantFrom('owner' as const, 'manager' as const),
  by,
  ref,
)

/** The target user, relative to the actor. */
const to = fc.nat({ max: 7 })
const repeat = <T>(times: number, arbitrary: fc.Arbitrary<T>) => Array.from({ length: times }, () => arbitrary)
const mostly = (value: boolean) => fc.oneof({ weight: 2, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constant(!value) })
const offerEnd = fc.constantFrom('accept' as const, 'accept' as const, 'accept' as const, 'cancel' as const, 'decline' as const)

/** Creating steps are the most frequent, so that bans and deletions do not end sequences early. */
export const STEPS: fc.Arbitrary<steps.Step>[] = [
  ...repeat(
    4,
    fc.tuple(user, word).map((args) => steps.create(...args)),
  ),
  ...repeat(
    3,
    fc.tuple(by, ref, change).map((args) => steps.change(...args)),
  ),
  ...repeat(
    3,
    fc.tuple(user, to, permissions).map((args) => steps.grant(...args)),
  ),
  ...repeat(
    4,
    fc.tuple(by, ref, change).map((args) => steps.changeManaged(...args)),
  ),
  ...repeat(
    2,
    renewal.map((args) => steps.renew(...args)),
  ),
  ...repeat(
    5,
    fc.tuple(by, ref, to).map((args) => steps.offer(...args)),
  ),
  ...repeat(
    5,
    fc.tuple(offerEnd, by, ref).map((args) => steps.answer(...args)),
  ),
  fc.tuple(ref, fc.boolean()).map((args) => steps.expire(...args)),
  fc.tuple(by, ref, user).map((args) => steps.revoke(...args)),
  fc.tuple(by, ref).map((args) => steps.resign(...args)),
  fc.tuple(by, ref).map((args) => steps.remove(...args)),
  fc.tuple(by, ref).map((args) => steps.restore(...args)),
  fc.tuple(user, mostly(false)).map((args) => steps.ban(...args)),
  ...repeat(
    2,
    fc.tuple(user, limitValue, limitValue).map((args) => steps.limit(...args)),
  ),
  fc.tuple(user, fc.constantFrom('BRONZE' as const, 'RUBY' as const, null)).map((args) => steps.force(...args)),
  user.map(steps.requestDeletion),
  fc.tuple(user, mostly(false)).map(([target, isDue]) => (isDue ? steps.erase(target) : steps.cancelDeletion(target))),
  user.map(steps.compare),
]
