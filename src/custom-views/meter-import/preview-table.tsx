import type { FC } from 'react'
import { columnName } from '../../lib/spreadsheet/column-name.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './meter-import.module.css'
import type { Preview } from './reading/messages.ts'
import type { Columns } from './reading/rows.ts'

/** The first lines of a file, with what its columns are taken for. */
export const PreviewTable: FC<{ preview: Preview; mapping: Columns }> = ({ preview, mapping }) => {
  const t = useT()
  const columns = Array.from({ length: preview.width }, (_, column) => column)
  const roleOf = (column: number) => {
    if (column === mapping.timeColumn || column === mapping.clockColumn) return t('meterImport:roles.time')
    if (column === mapping.meterColumn) return t('meterImport:roles.meter')
    return mapping.values.some((value) => value.column === column) ? t('meterImport:roles.value') : ''
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <div className={page.scroll} tabIndex={0} role="region" aria-label={t('meterImport:preview')}>
      <table className={styles.preview}>
        <thead>
          <tr>
            <th scope="col">{t('meterImport:line')}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {columnName(column)} <span className={page.accent}>{roleOf(column)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.lines.map((line, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines of a file never change places
            <tr key={index} className={index < mapping.headLines ? styles.head : undefined}>
              <th scope="row">{index + 1}</th>
              {columns.map((column) => (
                <td key={column}>{line[column] ?? ''}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
