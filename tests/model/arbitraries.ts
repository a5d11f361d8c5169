/** Generators of the random sequences. */
import fc from 'fast-check'
import { PERMISSION_KEYS } from '#contract/permissions.ts'
import { PEOPLE } from './system-under-test.ts'
import type { Change } from './state.ts'
import * as steps from './steps.ts'

/** Steps per sequence. Steps without a target are skipped. */
export const MAX_STEPS = 40

const who = fc.nat({ max: PEOPLE - 1 })
const ref = fc.nat({ max: 59 })
/** Mostly the permitted user; otherwise sequences would rarely pass the access checks. */
const by = fc.oneof({ weight: 4, arbitrary: fc.constant('right' as const) }, { weight: 1, arbitrary: who })
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
const usually = (value: boolean) => fc.oneof({ weight: 2, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constant(!value) })
const end = fc.constantFrom('accept' as const, 'accept' as const, 'accept' as const, 'cancel' as const, 'decline' as const)

/** Creating steps are more frequent than ending steps, so that bans and deletions do not end sequences early. */
export const STEPS: fc.Arbitrary<steps.Step>[] = [
  ...repeat(
    4,
    fc.tuple(who, word).map((args) => steps.create(...args)),
  ),
  ...repeat(
    3,
    fc.tuple(by, ref, change).map((args) => steps.change(...args)),
  ),
  ...repeat(
    3,
    fc.tuple(who, to, permissions).map((args) => steps.grant(...args)),
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
    fc.tuple(end, by, ref).map((args) => steps.answer(...args)),
  ),
  fc.tuple(ref, fc.boolean()).map((args) => steps.lapse(...args)),
  fc.tuple(by, ref, who).map((args) => steps.revoke(...args)),
  fc.tuple(by, ref).map((args) => steps.resign(...args)),
  fc.tuple(by, ref).map((args) => steps.remove(...args)),
  fc.tuple(who, usually(false)).map((args) => steps.ban(...args)),
  ...repeat(
    2,
    fc.tuple(who, limitValue, limitValue).map((args) => steps.limit(...args)),
  ),
  fc.tuple(who, fc.constantFrom('BRONZE' as const, 'RUBY' as const, null)).map((args) => steps.force(...args)),
  who.map(steps.leave),
  fc.tuple(who, usually(false)).map(([person, isOver]) => (isOver ? steps.erased(person) : steps.stay(person))),
  who.map(steps.look),
]
