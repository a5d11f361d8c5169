import { useMutation } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import type { Me, PublicUser } from '#contract/users/users.ts'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { UserSummary } from './user-summary.tsx'
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

/** The text is kept after an error. */
function useSearch({ me, selfMessage, reject, onFound }: FindUserProps) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const find = useMutation({ mutationFn: findUser })
  const userOrError = async (): Promise<PublicUser | string> => {
    const name = normalizeUsername(text)
    if (name === '') return m.users_find_empty()
    if (!isValidUsername(name)) return m.users_find_invalid()
    if (name.toLowerCase() === me.discord.username.toLowerCase()) return selfMessage
    try {
      const user = await find.mutateAsync(name)
      if (user === null) return m.users_find_none({ name })
      return user.id === me.id ? selfMessage : (reject?.(user) ?? user)
    } catch (failure) {
      return messageOf(failure)
    }
  }
  const search = useSingleFlight(async () => {
    onFound(undefined)
    setError(undefined)
    const result = await userOrError()
    if (typeof result === 'string') setError(result)
    else onFound(result)
  })
  const changeText = (next: string) => {
    setText(next)
    setError(undefined)
    // The new text may belong to another user.
    onFound(undefined)
  }
  return { text, changeText, error, search, busy: find.isPending }
}

/** Finds a user by their exact Discord username. */
export function FindUser(props: FindUserProps) {
  const { text, changeText, error, search, busy } = useSearch(props)
  const { found } = props
  return (
    <Form onSubmit={search} className="space-y-3">
      <span role="status" className="sr-only">
        {found && m.users_find_found_name({ name: found.discord.username })}
      </span>
      <Field label={m.users_find_name()} hint={m.users_find_hint()} error={error}>
        {(control) => (
          <div className="flex flex-wrap gap-2">
            <input
              {...control}
              value={text}
              onChange={(event) => changeText(event.target.value)}
              readOnly={busy}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={80}
              className="field-input min-w-0 flex-[999_1_12rem]"
            />
            <Button type="submit" busy={busy} className="grow" icon={<Search size={15} aria-hidden="true" />}>
              {m.users_find()}
            </Button>
          </div>
        )}
      </Field>
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
            {m.common_discord_id()} <span className="font-mono break-all text-ink-2">{user.discord.discord_id}</span>
          </span>
          <CopyButton text={user.discord.discord_id} label={m.ui_copy_what({ what: m.common_discord_id() })} />
        </span>
      </UserSummary>
    </section>
  )
}
