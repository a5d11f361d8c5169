/** Whether to use undocumented parts of Node. `NODE_INTERNALS=off` makes announces and 304s more expensive (docs/decisions/0008). */
let isOn = true

export function setNodeInternals(value: boolean): void {
  isOn = value
}

export const usesNodeInternals = () => isOn
