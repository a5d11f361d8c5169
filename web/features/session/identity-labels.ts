/** How an account without Discord is described. */
import { isDiscordId } from '#contract/users/users.ts'
import { m } from '#messages'

/** What `discord_id` is. */
export const accountIdLabel = (id: string): string => (isDiscordId(id) ? m.common_discord_id() : m.common_account_id())
