import { PrinterOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { FC } from 'react'
import { accessControl } from '../../../contract/procedures/access-control.ts'
import { formatPhone } from '../../../contract/rules/access-pass.ts'
import { callQuery } from '../../providers/api.ts'
import { useHomes } from '../../providers/homes.ts'
import { useT } from '../../providers/i18n.ts'
import { ListSkeleton, LoadFailed, Nothing } from '../../ui/crud/states.tsx'
import { useNow } from '../../ui/use-now.ts'
import styles from './access.module.css'
import { useFormatWhen } from './format-when.ts'

/** Everybody who is in now, to be printed and called out when the building is cleared. */
export const Muster: FC = () => {
  const t = useT()
  const { when } = useFormatWhen()
  const now = useNow()
  const homes = useHomes()
  const query = useQuery({ ...callQuery(accessControl.listInside, {}), refetchOnMount: 'always' })
  if (!query.data)
    return query.error ? (
      <LoadFailed error={query.error} retry={() => void query.refetch()} />
    ) : (
      <ListSkeleton />
    )
  if (query.data.length === 0) return <Nothing why={t('access:muster.empty')} />
  const place = (scanner: string | null, HomeID: string | null) =>
    [homes?.find((home) => home.HomeID === HomeID)?.HomeName, scanner ?? t('access:muster.desk')]
      .filter(Boolean)
      .join(' · ')
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h2>{t('access:muster.title')}</h2>
        <span className={styles.count}>{t('access:muster.count', { count: query.data.length })}</span>
        <div className={styles.tools}>
          <Button icon={<PrinterOutlined />} onClick={() => window.print()}>
            {t('access:print')}
          </Button>
        </div>
      </header>
      <div className={`${styles.muster} ${styles.print}`}>
        <p className={styles.printHead}>
          {t('access:muster.title')} · {when(now)} · {t('access:muster.count', { count: query.data.length })}
        </p>
        <ul className={styles.cards}>
          {query.data.map((person) => (
            <li key={`${person.PersonKind} ${person.PersonID}`}>
              <dl className={styles.facts}>
                <div>
                  <dt>{t(`access:kinds.${person.PersonKind}`)}</dt>
                  <dd>
                    <b>{person.PersonName ?? t('access:gone')}</b>
                  </dd>
                </div>
                <div>
                  <dt>
                    {t(
                      person.PersonKind === 'visitor'
                        ? 'access:fields.Company'
                        : 'access:fields.DepartmentID',
                    )}
                  </dt>
                  <dd>{person.Of || '–'}</dd>
                </div>
                <div>
                  <dt>{t('access:muster.since')}</dt>
                  <dd className={styles.numbers}>{when(person.Since)}</dd>
                </div>
                <div>
                  <dt>{t('access:muster.where')}</dt>
                  <dd>{place(person.ScannerName, person.HomeID)}</dd>
                </div>
                <div>
                  <dt>{t('access:fields.Phone')}</dt>
                  <dd className={styles.numbers}>{person.Phone ? formatPhone(person.Phone) : '–'}</dd>
                </div>
              </dl>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
