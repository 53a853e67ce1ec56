import { PrinterOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { memo, useMemo, type FC, type ReactNode, startTransition, useEffect, useState } from 'react'
import { accessControl, type Inside } from '../../../contract/access-control/calls.ts'
import { formatPhone } from '../../../contract/access-control/access-pass.ts'
import { isolated } from '../../../contract/kernel/text.ts'
import { callQuery } from '../../data/api.ts'
import { useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { PhoneRows } from '../../record-kit/list/phone-rows.tsx'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { usePhone } from '../../ui/page/use-screen.ts'
import page from '../../ui/page/page.module.css'

/** Minimum height above a list, and minimum height of a row, in px. */
const MIN_HEIGHT_ABOVE_PX = 210
const ROW = 39
/** Number of rows that fit in the window. */
const firstRows = (): number => Math.ceil((innerHeight - MIN_HEIGHT_ABOVE_PX) / ROW)

/**
 * Rows to render: those in the window first, the rest after they are painted.
 *
 * key  identifies the list and its filters; undefined while rows of the previous filters are shown
 */
function useFirstRows<Row>(
  rows: readonly Row[] | undefined,
  key: string | undefined,
): readonly Row[] | undefined {
  const [completeKey, setCompleteKey] = useState<string>()
  const isWhole = key === undefined || completeKey === key
  const isWaiting = rows !== undefined && !isWhole
  useEffect(() => {
    if (!isWaiting) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setCompleteKey(key)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [isWaiting, key])
  return isWhole ? rows : rows?.slice(0, firstRows())
}

const keyOf = (person: Inside) => `${person.PersonKind} ${person.PersonID}`

/** Everyone who is on site now, to print and call out in an evacuation. */
export const Muster: FC = () => {
  const t = useT()
  const query = useQuery(callQuery(accessControl.listInside, {}))
  const people = useFirstRows(query.data, 'inside')
  if (!query.data || !people)
    return query.error ? (
      <LoadFailed error={query.error} retry={() => void query.refetch()} />
    ) : (
      <ListSkeleton />
    )
  if (query.data.length === 0) return <EmptyState drawing="visitor" message={t('access:muster.empty')} />
  const count = t('access:muster.count', { count: query.data.length })
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h2>{t('access:muster.title')}</h2>
        <span className={page.count}>{count}</span>
        <div className={page.tools}>
          <Button icon={<PrinterOutlined />} onClick={() => window.print()}>
            {t('access:print')}
          </Button>
        </div>
      </header>
      <div className="print-alone print-black">
        <PrintHead count={count} />
        <People people={people} />
      </div>
    </div>
  )
}

/** Header in print; it shows the present time without rendering the list again. */
const PrintHead: FC<{ count: string }> = ({ count }) => {
  const t = useT()
  const { fullWhen } = useFormatWhen()
  return (
    <p className={page.onPaper}>
      {t('access:muster.title')} · {fullWhen(useNow())} · {count}
    </p>
  )
}

/** A plain table, or lines on phones: rendered completely, because it is printed; fast enough for ten thousand rows. */
const People = memo<{ people: readonly Inside[] }>(({ people }) => {
  const t = useT()
  const columns = useColumns()
  const phone = usePhone()
  if (phone)
    return (
      <PhoneRows
        rows={people}
        keyOf={keyOf}
        label={t('access:muster.title')}
        render={(person) => {
          const [name, kind, ...rest] = columns.map((column) => column.render(person))
          return {
            name,
            aside: <span>{kind}</span>,
            facts: rest.map((each, at) => <bdi key={columns[at + 2]?.key}>{each}</bdi>),
          }
        }}
      />
    )
  return (
    <table className={`${page.card} ${page.table} ${page.words}`} aria-label={t('access:muster.title')}>
      <thead>
        <tr>
          {columns.map(({ key, title }) => (
            <th key={key} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <PersonRow key={keyOf(person)} person={person} columns={columns} />
        ))}
      </tbody>
    </table>
  )
})

interface Column {
  key: string
  title: string
  render: (person: Inside) => ReactNode
}

const PersonRow = memo<{ person: Inside; columns: readonly Column[] }>(({ person, columns }) => (
  <tr>
    {columns.map(({ key, render }) => (
      <td key={key}>{render(person)}</td>
    ))}
  </tr>
))

function useColumns(): readonly Column[] {
  const t = useT()
  const { when } = useFormatWhen()
  const homes = useHomes()
  return useMemo(() => {
    const placeOf = ({ ScannerName, HomeID }: Inside) =>
      [homes?.find((home) => home.HomeID === HomeID)?.HomeName, ScannerName ?? t('access:muster.desk')]
        .flatMap((name) => (name ? [isolated(name)] : []))
        .join(' · ')
    return [
      {
        key: 'name',
        title: t('access:log.person'),
        render: (person) => <b>{person.PersonName ?? t('access:gone')}</b>,
      },
      {
        key: 'kind',
        title: t('access:log.kind'),
        render: (person) => t(`access:kinds.${person.PersonKind}`),
      },
      { key: 'of', title: t('access:muster.of'), render: (person) => person.Of || '–' },
      {
        key: 'since',
        title: t('access:muster.since'),
        render: (person) => <span className={page.numbers}>{when(person.Since)}</span>,
      },
      { key: 'where', title: t('access:muster.where'), render: placeOf },
      {
        key: 'phone',
        title: t('access:fields.Phone'),
        render: (person) => (
          <span className={page.numbers}>{person.Phone ? formatPhone(person.Phone) : '–'}</span>
        ),
      },
    ]
  }, [t, when, homes])
}
