import { Button } from 'antd'
import type { FC } from 'react'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import styles from './bulk.module.css'
import { MAX_SELECTED_ROWS, type Matching } from './use-matching.ts'

interface Props {
  matching: Pick<Matching<unknown>, 'rows' | 'fetched' | 'chooseAll' | 'stop'>
  /** Number of rows that match the filters. */
  total: number
}

/** Offers to select all rows that match the filters, not only the listed ones; shows the maximum. */
export const ChooseMatching: FC<Props> = ({ matching, total }) => {
  const t = useT()
  const { format } = new Intl.NumberFormat(useLanguage())
  const maxCount = format(MAX_SELECTED_ROWS)
  if (matching.rows)
    return total > MAX_SELECTED_ROWS ? (
      <div role="status" className={styles.matching}>
        {t('lists:matching.capped', { most: maxCount, total: format(total) })}
      </div>
    ) : null
  return (
    <div className={styles.matching}>
      {matching.fetched === undefined ? (
        <Button type="link" onClick={matching.chooseAll}>
          {total > MAX_SELECTED_ROWS
            ? t('lists:matching.first', { most: maxCount, total: format(total) })
            : t('lists:matching.all', { total: format(total) })}
        </Button>
      ) : (
        <>
          <span role="status">
            {t('lists:matching.fetching', {
              done: format(matching.fetched),
              total: format(Math.min(total, MAX_SELECTED_ROWS)),
            })}
          </span>
          <Button type="link" onClick={matching.stop}>
            {t('screens:cancel')}
          </Button>
        </>
      )}
    </div>
  )
}
