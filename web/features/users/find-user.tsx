import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import type { Me, PublicUser } from '#contract/users/users.ts'
import { m } from '#messages'
import { Avatar } from '#web/features/session/avatar.tsx'
import { accountIdLabel } from '#web/features/session/identity-labels.ts'
import { DISCORD, DISCORD_ONLY, providersOptions } from '#web/features/session/providers.api.ts'
import { Button, CopyButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { Form, useForm } from '#web/ui/form/form.tsx'
import { findUser, isValidUsername, normalizeUsername } from './users.api.ts'

interface FindUserProps {
  me: Me
  /** Shown if the user enters their own name. */
  selfMessage: string
  /** Returns an error message for a user that can't be selected. */
  reject?: (user: PublicUser) => string | undefined
  found: PublicUser | undefined
  onFound: (user: PublicUser | undefined) => void
}

/** Finds a user by their exact username. The text is kept. */
export function FindUser({ me, selfMessage, reject, found, onFound }: FindUserProps) {
  const { data: providers = DISCORD_ONLY } = useQuery(providersOptions)
  // Only names of Discord follow its rules.
  const isDiscordOnly = providers.every(({ id }) => id === DISCORD)
  const isSelf = (name: string) => name.toLowerCase() === me.discord.username.toLowerCase()
  const name = z
    .string()
    .transform(normalizeUsername)
    .refine((text) => text !== '', { error: () => (isDiscordOnly ? m.users_find_empty() : m.users_find_empty_any()), abort: true })
    .refine((text) => !isDiscordOnly || isValidUsername(text), { error: () => m.users_find_invalid(), abort: true })
    .refine((text) => !isSelf(text), { error: () => selfMessage })
  const form = useForm({
    schema: z.object({ name }),
    initial: { name: '' },
    submit: async (body) => {
      onFound(undefined)
      const user = await findUser(body.name)
      const problem = user === null ? m.users_find_none({ name: body.name }) : user.id === me.id ? selfMessage : reject?.(user)
      if (user === null || problem !== undefined) throw new Error(problem)
      onFound(user)
    },
  })
  return (
    <Form form={form} className="space-y-3">
      <span role="status" className="sr-only">
        {found && m.users_find_found_name({ name: found.discord.username })}
      </span>
      <TextField
        form={form}
        name="name"
        label={isDiscordOnly ? m.users_find_name() : m.users_find_name_any()}
        hint={m.users_find_hint()}
        error={form.problem}
        // The new text may belong to another user.
        onInput={() => onFound(undefined)}
        readOnly={form.isBusy}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={80}
        className="min-w-0 flex-[999_1_12rem]"
        after={
          <Button type="submit" busy={form.isBusy} className="grow" icon={<Search size={15} aria-hidden="true" />}>
            {m.users_find()}
          </Button>
        }
      />
      {found && <FoundUser user={found} />}
    </Form>
  )
}

/** The Discord ID distinguishes users with similar names. */
function FoundUser({ user }: { user: PublicUser }) {
  return (
    <section aria-label={m.users_find_found()} className="rounded-6 border border-line bg-surface-2 px-3 py-2.5">
      <UserSummary user={user}>
        <span className="flex items-center gap-0.5">
          <span>
            {accountIdLabel(user.discord.discord_id)} <span className="font-mono break-all text-ink-2">{user.discord.discord_id}</span>
          </span>
          <CopyButton text={user.discord.discord_id} label={m.ui_copy_what({ what: accountIdLabel(user.discord.discord_id) })} />
        </span>
      </UserSummary>
    </section>
  )
}

export function UserSummary({ user, children }: { user: PublicUser; children?: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar user={user.discord} />
      <div className="min-w-0">
        <div className="font-medium break-words">{user.discord.username}</div>
        {children !== undefined && <div className="text-12 text-ink-3">{children}</div>}
      </div>
    </div>
  )
}
