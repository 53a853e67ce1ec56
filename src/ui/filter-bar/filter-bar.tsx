import CloseOutlined from '@ant-design/icons-svg/es/asn/CloseOutlined.js'
import FilterOutlined from '@ant-design/icons-svg/es/asn/FilterOutlined.js'
import { Fragment, useState, type FC, type ReactNode } from 'react'
import type { BarFilter } from './bar-filter.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { Icon } from '../plain/icon.tsx'
import { lazyPart } from '../page/lazy.tsx'
import page from '../page/page.module.css'
import { PlainButton } from '../plain/plain-button.tsx'
import { usePhone } from '../page/use-screen.ts'
import styles from './filter-bar.module.css'

const FilterSheet = lazyPart(() => import('./filter-sheet.tsx'), { isOverlay: true })

interface Props {
  /** Stays visible on phones too: a search box, or a period. */
  leading?: ReactNode
  filters: readonly BarFilter[]
  /** Number of listed rows; undefined if rows are not counted. */
  resultCount?: number | undefined
}

/**
 * Row of filters. The folded ones, on phones all, are one button with the number of filters in use, which opens a sheet, and next to it a
 * removable chip for each.
 */
export const FilterBar: FC<Props> = ({ leading, filters, resultCount }) => {
  const t = useT()
  const phone = usePhone()
  const [open, setOpen] = useState(false)
  const folded = phone ? filters : filters.filter(({ isFolded }) => isFolded)
  const usedFilters = folded.filter(({ chosenLabel }) => chosenLabel !== undefined)
  return (
    <div className={phone ? styles.bar : `${page.filters} ${styles.wide}`}>
      {leading}
      {!phone &&
        filters.map(({ key, input, isFolded }) => !isFolded && <Fragment key={key}>{input}</Fragment>)}
      {folded.length > 0 && (
        <div className={page.tightRow}>
          <PlainButton aria-haspopup="dialog" onClick={() => setOpen(true)}>
            <Icon of={FilterOutlined} />
            {usedFilters.length === 0
              ? t('screens:filters.open')
              : t('screens:filters.used', { count: usedFilters.length })}
          </PlainButton>
          {usedFilters.map(({ key, label, chosenLabel, clear }) => (
            <button
              key={key}
              type="button"
              className={`${page.touch} ${styles.chip}`}
              aria-label={t('screens:filters.undo', { filter: label })}
              onClick={clear}
            >
              {chosenLabel} <Icon of={CloseOutlined} />
            </button>
          ))}
        </div>
      )}
      {open && <FilterSheet filters={folded} resultCount={resultCount} close={() => setOpen(false)} />}
    </div>
  )
}
