import { addFlows, cellOf, FLOW_CELLS, SOURCES, USES } from '../../../../contract/energy/balance.ts'
import { type MeterRole, type Term, TERMS } from '../../../../contract/devices/meter-roles.ts'
import { isTopMeter, meterPositions } from '../../../../contract/meters/meter-tree.ts'
import { type RoleAnswers, rolesIn, tryBalance } from '../../../../contract/energy/role-answers.ts'
import { BalanceTable } from '../../../domain/energy/balance-table.tsx'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import type { Yesterday } from './use-yesterday.ts'

interface Props {
  meters: readonly { MeterID: string; role: MeterRole; parent: string | null }[]
  answers: RoleAnswers
  yesterday: Yesterday | undefined
}

/** Yesterday's balance as it would be by the answers. */
export function RolePreview({ meters, answers, yesterday }: Props) {
  const t = useT()
  if (!yesterday) return <p className={page.hint}>{t('balance:wizard.previewNone')}</p>
  const { quarters, kwhOf } = yesterday
  const { terms, consumption, bought } = tryBalance(answers, quarters, kwhOf, loadsOf(meters, answers))
  const cells = new Float64Array(FLOW_CELLS)
  let unknown = 0
  for (let i = 0; i < quarters; i++) {
    const quarter = Object.fromEntries(
      TERMS.map((term) => [term, term === 'import' ? bought[i] : (terms[term]?.[i] ?? 0)]),
    ) as Record<Term, number>
    if (Number.isNaN(consumption[i]) || Object.values(quarter).some(Number.isNaN)) unknown += 1
    else addFlows(cells, quarter)
  }
  if (unknown === quarters) return <p className={page.hint}>{t('balance:wizard.previewNone')}</p>
  return (
    <section className={page.stack} aria-label={t('balance:wizard.preview')}>
      <h3>{t('balance:wizard.preview')}</h3>
      <BalanceTable
        flows={SOURCES.flatMap((From) =>
          USES.map((To) => ({ From, To, kWh: cells[cellOf(From, To)] as number })),
        )}
      />
      {unknown > 0 && <p className={page.hint}>{t('balance:wizard.unknown', { count: unknown })}</p>}
    </section>
  )
}

/** The loads at the top, which are no part of the answers. */
function loadsOf(meters: Props['meters'], answers: RoleAnswers): string[] {
  const named = new Set(rolesIn(answers).flatMap(([, ids]) => ids))
  const loads = meters.filter(({ MeterID, role }) => role === 'load' && !named.has(MeterID))
  const stands = meterPositions(
    loads.map(({ MeterID: PeripheralUID, parent: ParentMeter }) => ({ PeripheralUID, ParentMeter })),
  )
  return loads.filter(({ MeterID }) => isTopMeter(stands.get(MeterID))).map(({ MeterID }) => MeterID)
}
