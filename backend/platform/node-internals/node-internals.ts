/**
 * The switch for all code that relies on undocumented parts of Node (docs/decisions/0037): `NODE_INTERNALS=off` uses documented ones only, at
 * a higher cost per announce and per 304.
 */
let isOn = true

/** Set once at the start, from the environment. */
export function switchNodeInternals(next: boolean): void {
  isOn = next
}

export const usesNodeInternals = () => isOn
