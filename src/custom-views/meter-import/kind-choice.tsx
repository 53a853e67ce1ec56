import { Radio } from 'antd'
import { type FC, useEffect, useState } from 'react'
import { IMPORT_KINDS, type ImportKind } from '../../../contract/meters/meter-import.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './meter-import.module.css'
import type { BothKinds } from './reading/both-kinds.ts'
import type { KindGuess } from './reading/guess-kind.ts'
import type { Columns } from './reading/rows.ts'

interface Props extends KindGuess {
  columns: Columns
  sumBoth: (columns: Columns) => Promise<BothKinds>
  choose: (kind: ImportKind) => void
}

/** Selects whether the values are readings or consumption; shows the sum of each, because a wrong choice falsifies bills. */
export const KindChoice: FC<Props> = ({ columns, kind, likely, sumBoth, choose }) => {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage(), { maximumFractionDigits: 1 })
  const sums = useSums(columns, sumBoth)
  const sumOf = (importKind: ImportKind) => {
    if (!sums) return '…'
    const sum = sums[importKind]
    return sum === null ? t('meterImport:sumUnknown') : t('meterImport:sum', { kwh: number.format(sum) })
  }
  return (
    <fieldset className={styles.values}>
      <legend>{t('meterImport:kind')}</legend>
      {kind === null && <p className={page.note}>{t(`meterImport:kindUnsure.${likely}`)}</p>}
      <Radio.Group
        className={page.stack ?? ''}
        value={kind}
        onChange={(event) => choose(event.target.value)}
        options={IMPORT_KINDS.map((value) => ({
          value,
          label: (
            <>
              {t(`meterImport:kinds.${value}`)} <span className={page.note}>{sumOf(value)}</span>
            </>
          ),
        }))}
      />
    </fieldset>
  )
}

/** Sums of both kinds; null while they are computed, or if the file cannot be read this way. */
function useSums(columns: Columns, sumBoth: Props['sumBoth']): BothKinds | null {
  const [sums, setSums] = useState<BothKinds | null>(null)
  useEffect(() => {
    let isCurrent = true
    setSums(null)
    sumBoth(columns).then(
      (newSums) => isCurrent && setSums(newSums),
      // The check reports read errors with their lines.
      () => undefined,
    )
    return () => void (isCurrent = false)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the file stays the same while the form is open
  }, [columns])
  return sums
}
