import { useReadingFormat } from '../../../domain/energy/use-figures.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { LoadFailed } from '../../../ui/page/states.tsx'
import { Figure } from '../../../ui/tags/power-value.tsx'
import page from '../../../ui/page/page.module.css'

/** Energy before and after a change, in kWh; null if unknown. */
export interface EnergyChange {
  label: string
  before: number | null
  after: number | null
}

/** Preview of the energy that a correction changes; `lines` is undefined while it is computed. */
export function ChangePreview(props: {
  lines: readonly EnergyChange[] | undefined
  error: unknown
  retry: () => void
}) {
  const { lines, error, retry } = props
  const t = useT()
  const figures = useReadingFormat()
  if (error) return <LoadFailed error={error} retry={retry} />
  return (
    <section
      className={`${page.box} ${page.padded}`}
      aria-label={t('meters:preview.title')}
      aria-busy={!lines}
    >
      <h3>{t('meters:preview.title')}</h3>
      {lines ? (
        <table className={`${page.table} ${page.amounts}`}>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{t('meters:preview.of')}</span>
              </th>
              <th scope="col">{t('meters:preview.before')}</th>
              <th scope="col">{t('meters:preview.after')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ label, before, after }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>
                  <Figure value={figures(before)} unit="kWh" />
                </td>
                <td>
                  <Figure value={figures(after)} unit="kWh" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p className={page.hint}>{t('shell:loading')}</p>
      )}
    </section>
  )
}
