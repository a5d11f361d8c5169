/** Names a session within the program, in rate limits and streams: the hash of the secret, as text. */
export const sessionKeyOf = (idHash: Buffer): string => idHash.toString('base64')
