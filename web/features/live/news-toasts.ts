/** Says what others did. */
import { call } from '#web/lib/call.ts'
import { dismissToast, toastNews } from '#web/ui/toast.ts'
import type { Known } from './live-account.ts'
import { newsBetween } from './news.ts'
import { wordsOf } from './news-words.ts'

export async function tellNews(before: Known, after: Known): Promise<void> {
  const news = newsBetween(before, after)
  if (news.length === 0) return
  const asks = news.some(({ kind }) => kind !== 'offered' && kind !== 'management given')
  const happened = asks ? await call('GET /api/users/activity').catch(() => []) : []
  // Who looks at the list sees the offer itself.
  const isAtTheList = location.pathname === '/' || location.pathname === '/servers'
  for (const each of news) {
    // What was said of the offer is true no more, whoever ended it.
    if (each.kind === 'offer withdrawn') dismissToast(each.transfer.id)
    const words = wordsOf(each, happened)
    if (words) toastNews(words.title, each.kind === 'offered' && isAtTheList ? undefined : words.description, words.id)
  }
}
