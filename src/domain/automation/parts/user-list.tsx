import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { runs as calls, type runs } from '../../../../contract/automation/run-calls.ts'
import { callQuery } from '../../../data/api.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { pathTo } from '../../../navigation/paths.ts'

/** Each user once; a direct reference is preferred to one through a group or scene. */
export function distinctUsers(rows: readonly User[]): User[] {
  const usersById = new Map<string, User>()
  for (const row of rows) {
    const key = `${row.Kind} ${row.ID}`
    if (!row.Via || !usersById.has(key)) usersById.set(key, row)
  }
  return [...usersById.values()]
}

/** A user by kind and name, and the group or scene through which it uses the thing, if indirect. */
export function useUserWords(): (user: User) => string {
  const t = useT()
  return ({ Kind, Name, Via }) => {
    const user = t('automation:usedBy.one', { kind: t(`automation:usedBy.kinds.${Kind}`), name: Name })
    if (!Via) return user
    return Via.Name === null
      ? t(`automation:usedBy.viaHidden.${Via.Kind}`, { user })
      : t(`automation:usedBy.via.${Via.Kind}`, { user, name: Via.Name })
  }
}

/** Links to the groups, scenes and automations that use something; renders nothing if there are none. */
export function UserList(query: { HomeID: string; Subject: 'device' | 'room'; ID: string | number }) {
  const t = useT()
  const wordsOf = useUserWords()
  const { data } = useQuery(callQuery(calls.listUsedBy, query))
  if (!data || data.Rows.length + data.Hidden === 0) return null
  return (
    <section className={page.section} aria-label={t('automation:usedBy.title')}>
      <h2>{t('automation:usedBy.title')}</h2>
      <ul>
        {distinctUsers(data.Rows).map((row) => (
          <li key={`${row.Kind} ${row.ID}`}>
            <Link to={pathOfUser(row)}>{wordsOf(row)}</Link>
          </li>
        ))}
        {data.Hidden > 0 && <li>{t('automation:usedBy.hidden', { count: data.Hidden })}</li>}
      </ul>
    </section>
  )
}

/** A group, scene or automation that uses a device, group, scene or room. */
export type User = ResultsOf<typeof runs.listUsedBy>['Rows'][number]

/** Path of the page on which it is edited. */
export function pathOfUser({
  Kind,
  HomeID,
  ID,
  AutomationType,
}: Pick<User, 'Kind' | 'HomeID' | 'ID' | 'AutomationType'>): string {
  if (Kind === 'group') return pathTo('updateGroup', { HomeID, GroupID: ID })
  if (Kind === 'scene') return pathTo('updateScene', { HomeID, SceneID: ID })
  if (AutomationType === 4) return pathTo('updateAlarm', { HomeID, automationID: ID })
  const isSchedule = AutomationType === 1 || AutomationType === 2
  return pathTo(isSchedule ? 'updateSchedule' : 'updateSmartLink', { HomeID, automationID: ID })
}
