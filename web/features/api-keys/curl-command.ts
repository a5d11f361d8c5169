/** The key comes from a variable, so that it stays out of the shell's history. */
export const curlCommand = (origin: string) =>
  ['curl -H "Authorization: Bearer $MUSTER_API_KEY"', `  ${origin}/api/users/tokens`].join(' \\\n')
