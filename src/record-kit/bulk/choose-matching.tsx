import { Button } from 'antd'
import type { FC } from 'react'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import styles from './bulk.module.css'
import { MOST_CHOSEN, type Matching } from './use-matching.ts'

interface Props {
  matching: Pick<Matching<unknown>, 'rows' | 'fetched' | 'choose' | 'stop'>
  /** Number of rows that match the filters. */
  total: number
}

/** Offers to select all rows that match the filters, not only the listed ones; shows the maximum. */
export const ChooseMatching: FC<Props> = ({ matching, total }) => {
  const t = useT()
  const { format } = new Intl.NumberFormat(useLanguage())
  const most = format(MOST_CHOSEN)
  if (matching.rows)
    return total > MOST_CHOSEN ? (
      <div role="status" className={styles.matching}>
        {t('lists:matching.capped', { most, total: format(total) })}
      </div>
    ) : null
  return (
    <div className={styles.matching}>
      {matching.fetched === undefined ? (
        <Button type="link" onClick={matching.choose}>
          {total > MOST_CHOSEN
            ? t('lists:matching.first', { most, total: format(total) })
            : t('lists:matching.all', { total: format(total) })}
        </Button>
      ) : (
        <>
          <span role="status">
            {t('lists:matching.fetching', {
              done: format(matching.fetched),
              total: format(Math.min(total, MOST_CHOSEN)),
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
