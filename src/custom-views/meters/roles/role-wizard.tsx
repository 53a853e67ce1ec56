import { Radio, Select } from 'antd'
import { useState, useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { dayOf, formatDay, startOfDay } from '../../../../contract/time/periods.ts'
import type { Selling } from '../../../../contract/energy/role-answers.ts'
import {
  namedTwice,
  proposeAnswers,
  type RoleAnswers,
  roleChanges,
  rolesIn,
  tryBalance,
} from '../../../../contract/energy/role-answers.ts'
import { describeFields } from '../../../data/failure.ts'
import type { Roles } from '../../../domain/energy/use-roles.ts'
import { t as tNow, useT } from '../../../lib/i18n/i18n.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import page from '../../../ui/page/page.module.css'
import type { Place } from '../common/place.ts'
import { firstDay, Since, type SinceChoice } from '../common/fields.tsx'
import { useSaveRoles } from './role-dialog.tsx'
import { Modal } from '../../../ui/page/dialog.tsx'
import { holdsLabel } from '../../../lib/match-words.ts'
import { addFlows, cellOf, FLOW_CELLS, SOURCES, USES } from '../../../../contract/energy/balance.ts'
import { type MeterRole, type Term, TERMS } from '../../../../contract/devices/meter-roles.ts'
import { isTopMeter, meterPositions } from '../../../../contract/meters/meter-tree.ts'
import { BalanceTable } from '../../../domain/energy/balance-table.tsx'
import { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import { callQuery } from '../../../data/api.ts'

const SELLINGS: readonly Selling[] = ['ownUse', 'surplus', 'all']

interface Props {
  place: Place
  roles: Roles
  close: () => void
}

/** Four questions about a site with solar or a battery; previews yesterday's balance before saving. */
export function RoleWizard({ place, roles, close }: Props) {
  const t = useT()
  const now = useNow()
  const today = formatDay(dayOf(now, place.zone))
  const yesterday = useYesterday(place, dayOf(now, place.zone))
  const [submittedAnswers, setSubmittedAnswers] = useState<RoleAnswers>()
  const [since, setSince] = useState<SinceChoice>({ way: 'always', date: today })
  const { busy, refused, run } = useSaveRoles(place.homeId)
  const meters = [...place.meters.values()].map(({ PeripheralUID: MeterID, name, ParentMeter: parent }) => {
    const hours = yesterday?.hoursOf(MeterID)
    return { MeterID, Name: name, role: roles.roleOf(MeterID), parent, ...(hours && { hours }) }
  })
  const soldAsWhole = meters.some(({ role }) => role === 'soldGeneration')
  const proposed = proposeAnswers(meters, soldAsWhole ? 'all' : 'surplus')
  const answers = submittedAnswers ?? proposed
  const changes = roleChanges(meters, answers)
  const duplicates = namedTwice(answers)
  const From = firstDay(since, today)
  const save = async () => {
    if (From !== undefined && (await run({ changes, From }, () => tNow('balance:wizard.done')))) close()
  }
  return (
    <Modal
      open
      width={720}
      title={t('balance:wizard.title')}
      okText={t('screens:save')}
      cancelText={t('screens:cancel')}
      confirmLoading={busy}
      okButtonProps={{ disabled: From === undefined || duplicates.length > 0 || changes.length === 0 }}
      onOk={() => void save()}
      onCancel={close}
    >
      <div className={page.stack}>
        <p className={page.hint}>{t('balance:wizard.proposed')}</p>
        <Questions
          place={place}
          answers={answers}
          change={(next) => setSubmittedAnswers({ ...answers, ...next })}
          sell={(selling) =>
            setSubmittedAnswers(
              submittedAnswers ? { ...submittedAnswers, selling } : proposeAnswers(meters, selling),
            )
          }
        />
        <Since value={since} today={today} zone={place.zone} change={setSince} />
        {duplicates.length > 0 && (
          <p className={page.fault} role="alert">
            {t('balance:wizard.twice', { names: duplicates.map(place.nameOf).join(', ') })}
          </p>
        )}
        {answers.import.length === 0 && <p className={page.warning}>{t('balance:wizard.noImport')}</p>}
        <RolePreview meters={meters} answers={answers} yesterday={yesterday} />
        {Object.values(describeFields(refused)).map((text) => (
          <p key={text} className={page.fault} role="alert">
            {text}
          </p>
        ))}
      </div>
    </Modal>
  )
}

/** Fields of the questions, one per question; the battery's question has two. */
const FIELDS = ['import', 'generation', 'export', 'discharge', 'charge'] as const

function Questions(props: {
  place: Place
  answers: RoleAnswers
  change: (answers: Partial<RoleAnswers>) => void
  sell: (selling: Selling) => void
}) {
  const { place, answers, change, sell } = props
  const t = useT()
  const options = [...place.meters.values()].map((meter) => ({
    value: meter.PeripheralUID,
    label: meter.name,
  }))
  const shownFields = FIELDS.filter((field) => field !== 'export' || answers.selling === 'surplus')
  return (
    <>
      <p>{t('balance:wizard.selling')}</p>
      <Radio.Group
        aria-label={t('balance:wizard.selling')}
        value={answers.selling}
        onChange={({ target }) => sell(target.value as Selling)}
        options={SELLINGS.map((value) => ({ value, label: t(`balance:wizard.sellings.${value}`) }))}
      />
      {shownFields.map((field) => (
        <div key={field} className={page.stack}>
          {field === 'discharge' && <p>{t('balance:wizard.storage')}</p>}
          <label>
            {t(`balance:wizard.${field}`)}
            <Select
              mode="multiple"
              filterOption={holdsLabel}
              style={{ width: '100%' }}
              value={[...answers[field]]}
              onChange={(ids: string[]) => change({ [field]: ids })}
              options={options}
            />
          </label>
        </div>
      ))}
    </>
  )
}

interface RolePreviewProps {
  meters: readonly { MeterID: string; role: MeterRole; parent: string | null }[]
  answers: RoleAnswers
  yesterday: Yesterday | undefined
}

function RolePreview({ meters, answers, yesterday }: RolePreviewProps) {
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

/** Top-level loads, which the answers do not cover. */
function loadsOf(meters: RolePreviewProps['meters'], answers: RoleAnswers): string[] {
  const assignedIds = new Set(rolesIn(answers).flatMap(([, ids]) => ids))
  const loads = meters.filter(({ MeterID, role }) => role === 'load' && !assignedIds.has(MeterID))
  const positions = meterPositions(
    loads.map(({ MeterID: PeripheralUID, parent: ParentMeter }) => ({ PeripheralUID, ParentMeter })),
  )
  return loads.filter(({ MeterID }) => isTopMeter(positions.get(MeterID))).map(({ MeterID }) => MeterID)
}

interface Yesterday {
  quarters: number
  /** kWh of a meter in a quarter hour; undefined if unknown. */
  kwhOf: (MeterID: string, quarter: number) => number | undefined
  /** kWh of a meter per hour; undefined if any hour is unknown. */
  hoursOf: (MeterID: string) => number[] | undefined
}

/** The day before `today` in quarter hours, per meter; undefined while it loads. */
function useYesterday(place: Place, today: number): Yesterday | undefined {
  const ids = [...place.meters.keys()].toSorted()
  const query = useQuery({
    ...callQuery(meterData.getEnergySeries, {
      HomeID: place.homeId,
      From: startOfDay(today - 1, place.zone),
      To: startOfDay(today, place.zone),
      Resolution: 'quarter',
      By: 'meter',
      PeripheralUIDs: ids,
    }),
    enabled: ids.length > 0,
  })
  const series = query.data?.Series
  return useMemo(() => {
    if (!series) return undefined
    const points = new Map(series.map(({ Key, Points }) => [Key, Points.map(({ kWh }) => kWh ?? undefined)]))
    return {
      quarters: series[0]?.Points.length ?? 0,
      kwhOf: (id: string, quarter: number) => points.get(id)?.[quarter],
      hoursOf: (id: string) => {
        const of = points.get(id)
        if (!of || of.includes(undefined)) return undefined
        return Array.from({ length: Math.floor(of.length / 4) }, (_, hour) =>
          of.slice(hour * 4, hour * 4 + 4).reduce<number>((sum, kWh) => sum + (kWh ?? 0), 0),
        )
      },
    }
  }, [series])
}
