/** Whether undocumented parts of Node are used; `NODE_INTERNALS=off` costs more per announce and 304 (docs/decisions/0037). */
let isOn = true

export function setNodeInternals(next: boolean): void {
  isOn = next
}

export const usesNodeInternals = () => isOn
