/**
 * Up to so many servers the list is prompt: at most a second behind, and while it is read its texts are kept, to copy the next ones from
 * (docs/decisions/0024). Far beyond, publishing takes about a hundredth of a core.
 */
export const PROMPT_SERVERS = 10_000

export const isPrompt = (servers: number): boolean => servers <= PROMPT_SERVERS
