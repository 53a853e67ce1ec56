import { formatWhen } from '../../lib/format-when.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Skeleton } from 'antd'
import type { z } from 'zod'
import { session, type Session } from '../../../contract/people/session-calls.ts'
import { formatAge } from '../../lib/format-age.ts'
import { callQuery } from '../../data/api.ts'
import { describeFailure } from '../../data/failure.ts'
import { t as tNow, useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useAction } from '../../data/use-action.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import styles from './personal.module.css'
import { readUserAgent } from './user-agent.ts'

type SignedIn = z.infer<typeof Session>

/** Sessions of the user, this device first; all others can be signed out. */
export function Sessions() {
  const t = useT()
  const { data, error, refetch } = useQuery(callQuery(session.listSessions, {}))
  const sessions =
    data && [...data].sort((a, b) => Number(b.Current) - Number(a.Current) || b.LastUsedAt - a.LastUsedAt)
  return (
    <Card title={t('personal:sessions.title')} className={page.above16}>
      <p className={styles.note}>{t('personal:sessions.note')}</p>
      {!sessions && error && (
        <div role="alert">
          <p>{t('personal:sessions.failed')}</p>
          <p className={styles.note}>{describeFailure(error)}</p>
          <Button onClick={() => void refetch()}>{t('personal:sessions.retry')}</Button>
        </div>
      )}
      {!sessions && !error && <Skeleton active title={false} paragraph={{ rows: 3 }} />}
      {sessions && (
        <ul className={styles.list}>
          {sessions.map((one) => (
            <SessionLine key={one.SessionID} one={one} />
          ))}
        </ul>
      )}
      {sessions && sessions.length < 2 && <p className={styles.last}>{t('personal:sessions.onlyThis')}</p>}
    </Card>
  )
}

function SessionLine({ one }: { one: SignedIn }) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const revoke = useAction(session.revokeSession)
  const { browser, system } = readUserAgent(one.UserAgent)
  const name =
    browser && system
      ? t('personal:sessions.named', { browser, system })
      : (browser ?? system ?? t('personal:sessions.unknown'))

  return (
    <li>
      <div>
        <strong title={one.UserAgent}>{name}</strong>
        {one.Current && <StateTag tone="good">{t('personal:sessions.current')}</StateTag>}
        <div className={page.small}>
          {t('personal:sessions.lastUsed', { age: formatAge(one.LastUsedAt, now, language) })}
          {' · '}
          {t('personal:sessions.since', {
            date: formatWhen(one.CreatedAt, language, undefined),
          })}
        </div>
      </div>
      {!one.Current && (
        <Button
          loading={revoke.busy}
          aria-label={t('personal:sessions.revokeNamed', { name })}
          onClick={() =>
            void revoke.run({ SessionID: one.SessionID }, () => tNow('personal:sessions.revoked'))
          }
        >
          {t('personal:sessions.revoke')}
        </Button>
      )}
    </li>
  )
}
