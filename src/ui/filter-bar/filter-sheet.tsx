import { Button } from 'antd'
import type { FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../page/page.module.css'
import type { BarFilter } from './bar-filter.ts'
import styles from './filter-bar.module.css'
import { Drawer } from '../page/dialog.tsx'
import { usePhone } from '../page/use-screen.ts'

interface Props {
  filters: readonly BarFilter[]
  resultCount: number | undefined
  close: () => void
}

/** Sheet with the folded filters; the button that closes it shows the number of results. */
const FilterSheet: FC<Props> = ({ filters, resultCount, close }) => {
  const t = useT()
  const usedFilters = filters.filter(({ chosenLabel }) => chosenLabel !== undefined)
  return (
    <Drawer
      focusAtFirst="dialog"
      open
      onClose={close}
      isSheet={usePhone()}
      title={t('screens:filters.open')}
      classNames={{ body: styles.body ?? '' }}
      footer={
        <div className={styles.foot}>
          <Button
            disabled={usedFilters.length === 0}
            onClick={() => usedFilters.forEach(({ clear }) => clear())}
          >
            {t('screens:list.clearFilters')}
          </Button>
          <Button type="primary" onClick={close}>
            {resultCount === undefined
              ? t('screens:filters.done')
              : t('screens:filters.show', { count: resultCount })}
          </Button>
        </div>
      }
    >
      <div className={page.tightStack}>
        {filters.map(({ key, label, input }) => (
          <div key={key} className={styles.field}>
            {/* The input has its own accessible name. */}
            <span className={page.small} aria-hidden="true">
              {label}
            </span>
            {input}
          </div>
        ))}
      </div>
    </Drawer>
  )
}
export default FilterSheet
