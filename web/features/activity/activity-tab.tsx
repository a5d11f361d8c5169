import { serverActivityOptions } from './activity.api.ts'
import { ActivityList } from './activity-list.tsx'

/** What happened to one server since it is its owner's. */
export function ActivityTab({ id }: { id: string }) {
  return <ActivityList key={id} options={serverActivityOptions(id)} onServer />
}
