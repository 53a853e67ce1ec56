import { PrinterOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Table } from 'antd'
import type { FC } from 'react'
import { accessControl, type Inside } from '../../../contract/procedures/access-control.ts'
import { formatPhone } from '../../../contract/rules/access-pass.ts'
import { callQuery } from '../../providers/api.ts'
import { useHomes } from '../../providers/homes.ts'
import { useT } from '../../providers/i18n.ts'
import { ListSkeleton, LoadFailed, Nothing } from '../../ui/crud/states.tsx'
import { useNow } from '../../ui/use-now.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './access.module.css'
import { useFormatWhen } from '../../ui/paged-list/format-when.ts'

const keyOf = (person: Inside) => `${person.PersonKind} ${person.PersonID}`

/** Everybody who is in now, to be printed and called out when the building is cleared. */
export const Muster: FC = () => {
  const t = useT()
  const { when } = useFormatWhen()
  const now = useNow()
  const phone = usePhone()
  const columns = useColumns()
  const query = useQuery({ ...callQuery(accessControl.listInside, {}), refetchOnMount: 'always' })
  if (!query.data)
    return query.error ? (
      <LoadFailed error={query.error} retry={() => void query.refetch()} />
    ) : (
      <ListSkeleton />
    )
  if (query.data.length === 0) return <Nothing why={t('access:muster.empty')} />
  const count = t('access:muster.count', { count: query.data.length })
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h2>{t('access:muster.title')}</h2>
        <span className={styles.count}>{count}</span>
        <div className={styles.tools}>
          <Button icon={<PrinterOutlined />} onClick={() => window.print()}>
            {t('access:print')}
          </Button>
        </div>
      </header>
      <div className={styles.print}>
        <p className={styles.printHead}>
          {t('access:muster.title')} · {when(now)} · {count}
        </p>
        {phone ? (
          <ul className={styles.cards}>
            {query.data.map((person) => (
              <li key={keyOf(person)}>
                <Card size="small" title={columns[0]?.render(person)}>
                  <dl>
                    {columns.slice(1).map((column) => (
                      <div key={column.key}>
                        <dt>{column.title}</dt>
                        <dd>{column.render(person)}</dd>
                      </div>
                    ))}
                  </dl>
                </Card>
              </li>
            ))}
          </ul>
        ) : (
          <Table<Inside>
            dataSource={query.data}
            rowKey={keyOf}
            size="small"
            pagination={false}
            columns={columns.map(({ render, ...column }) => ({
              ...column,
              render: (_: unknown, person: Inside) => render(person),
            }))}
          />
        )}
      </div>
    </div>
  )
}

function useColumns() {
  const t = useT()
  const { when } = useFormatWhen()
  const homes = useHomes()
  const placeOf = ({ ScannerName, HomeID }: Inside) =>
    [homes?.find((home) => home.HomeID === HomeID)?.HomeName, ScannerName ?? t('access:muster.desk')]
      .filter(Boolean)
      .join(' · ')
  return [
    {
      key: 'name',
      title: t('access:log.person'),
      render: (person: Inside) => <b>{person.PersonName ?? t('access:gone')}</b>,
    },
    {
      key: 'kind',
      title: t('access:log.kind'),
      render: (person: Inside) => t(`access:kinds.${person.PersonKind}`),
    },
    { key: 'of', title: t('access:muster.of'), render: (person: Inside) => person.Of || '–' },
    {
      key: 'since',
      title: t('access:muster.since'),
      render: (person: Inside) => <span className={styles.numbers}>{when(person.Since)}</span>,
    },
    { key: 'where', title: t('access:muster.where'), render: placeOf },
    {
      key: 'phone',
      title: t('access:fields.Phone'),
      render: (person: Inside) => (
        <span className={styles.numbers}>{person.Phone ? formatPhone(person.Phone) : '–'}</span>
      ),
    },
  ]
}
