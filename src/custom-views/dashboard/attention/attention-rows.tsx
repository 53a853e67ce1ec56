import { Link, useSearchParams } from 'react-router'
import type { AttentionItem } from '../../../../contract/attention/attention.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import type { AttentionState } from '../common/attention.ts'
import { AttentionRow } from './attention-row.tsx'
import styles from './attention.module.css'

/** Number of rows shown at first. */
const SHOWN = 6

/** Items that need attention, the most urgent first: the first six, or all with `?all=1`. */
export function AttentionRows({
  attention,
  homes,
}: {
  attention: Pick<AttentionState, 'Items' | 'notes'>
  homes: readonly HomeWithRooms[]
}) {
  const t = useT()
  const [params] = useSearchParams()
  const showsAll = params.get('all') === '1'
  const { Items, notes } = attention
  if (Items.length === 0) return null
  const shown = showsAll ? Items : Items.slice(0, SHOWN)
  const other = new URLSearchParams(params)
  if (showsAll) other.delete('all')
  else other.set('all', '1')
  const homeOf = (item: AttentionItem) => homes.find(({ HomeID }) => HomeID === item.HomeID)
  return (
    <>
      <ol className={styles.rows} aria-label={t('dashboard:attention.title')}>
        {shown.map((item) => (
          <AttentionRow
            key={item.Key}
            item={item}
            home={homeOf(item)}
            namesHome={homes.length > 1}
            alarm={notes.alarms?.find(({ AlarmID }) => AlarmID === item.AlarmID)}
          />
        ))}
      </ol>
      {Items.length > SHOWN && (
        <Link className={styles.all} to={`?${other}`}>
          {showsAll
            ? t('dashboard:attention.first', { count: SHOWN })
            : t('dashboard:attention.all', { count: Items.length })}
        </Link>
      )}
    </>
  )
}
