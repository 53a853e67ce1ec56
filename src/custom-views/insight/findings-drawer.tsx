import { energyText } from '../../../contract/kernel/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { findings, type Finding, type MeasuredSaving } from '../../../contract/findings/calls.ts'
import { NON_HEADLINE_KINDS } from '../../../contract/findings/finding-life.ts'
import { callQuery } from '../../data/api.ts'
import { callErrorIn } from '../../data/post.ts'
import { useMay } from '../../data/session.ts'
import { hasText, useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate, useFormatPeriod } from '../../ui/page/format-when.ts'
import { useEstimateWords } from '../../domain/energy/use-estimate-words.ts'
import { useFindingWords } from '../../domain/finding/use-finding-words.ts'
import { SavingAmount } from '../../domain/finding/saving-amount.tsx'
import page from '../../ui/page/page.module.css'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { FindingActions, FindingPeople } from './finding-actions.tsx'
import type { Evidence } from './findings-bills.tsx'
import { FindingEvidence } from './findings-evidence.tsx'
import { scheduleFor, type PlaceOfFinding } from './findings-schedule.ts'
import { FindingState } from './findings-state.tsx'
import { Drawer } from '../../ui/page/dialog.tsx'
import { type OpeningHours, placeFacts } from '../../../contract/homes/place-facts-calls.ts'
import { deviceOfMeter } from '../../../contract/devices/kinds/meter-id.ts'
import { useDevices } from '../../data/homes.ts'
import { pathTo } from '../../navigation/paths.ts'
import { prefilledRuleUrl, type Prefill } from '../../domain/automation/prefill.ts'
import { insightAddress } from './address.ts'

type LinkName = 'night' | 'schedule' | 'smartLink' | 'compare' | 'guard' | 'meters' | 'hours'

const NAMES: Readonly<Record<Finding['Kind'], readonly LinkName[]>> = {
  baseNight: ['night', 'schedule'],
  emptyRoom: ['smartLink', 'night'],
  baseWeekend: ['night', 'schedule'],
  leftOn: ['schedule', 'hours', 'night'],
  contract: ['compare'],
  plan: ['compare'],
  overContract: ['guard'],
  powerFactor: [],
  setPoint: ['schedule'],
  peakShift: ['schedule', 'night'],
  selfUse: ['schedule', 'night'],
  balanceFault: ['meters'],
  silent: ['meters'],
  measure: ['night'],
}

/**
 * Screens on which to act on a finding.
 *
 * schedule  initial values of a new schedule; undefined opens an empty one
 */
export const linksOf = (
  { HomeID, Kind, Place }: Finding,
  schedule?: Prefill,
): { name: LinkName; to: string }[] =>
  NAMES[Kind].map((name) => ({ name, to: addressOf(name, HomeID, Place.MeterID, schedule) }))

function addressOf(
  name: LinkName,
  HomeID: string,
  MeterID: string | null,
  schedule: Prefill | undefined,
): string {
  switch (name) {
    case 'night':
      return insightAddress(HomeID, { tab: 'profile', ...(MeterID !== null && { meters: MeterID }) })
    case 'schedule':
      return schedule ? prefilledRuleUrl(HomeID, schedule) : pathTo('updateSchedule', { HomeID })
    case 'smartLink':
      return pathTo('updateSmartLink', { HomeID })
    case 'compare':
      return `${pathTo('Tariff', { HomeID })}?tab=compare`
    case 'guard':
      return pathTo('updateAlarm', { HomeID })
    case 'meters':
      return pathTo('Meters', { HomeID })
    case 'hours':
      return `${pathTo('Meters', { HomeID })}?tab=places`
  }
}

interface Props {
  homeId: string
  zone: string
  id: string
  close: () => void
}

/** One finding in a drawer: cost, evidence, what to do, person in charge; actions are at the bottom. */
export default function FindingDrawer({ homeId, zone, id, close }: Props) {
  const t = useT()
  const mayUpdate = useMay('electricity', 'Update')
  const { titleOf, placeOf } = useFindingWords()
  const { data, error, refetch } = useQuery(
    callQuery(findings.getFindingEvidence, { HomeID: homeId, FindingID: id }),
  )
  const finding = data?.Finding
  const isMissing = ['NOT_FOUND', 'INVALID'].includes(callErrorIn(error)?.failure ?? '')
  return (
    <Drawer
      focusAtFirst="dialog"
      open
      onClose={close}
      title={finding ? `${titleOf(finding)} · ${placeOf(finding)}` : t('insight:findings.drawer.title')}
      footer={finding && mayUpdate ? <FindingActions key={id} finding={finding} zone={zone} /> : undefined}
    >
      {data ? (
        <Details evidence={data} zone={zone} mayUpdate={mayUpdate} />
      ) : isMissing ? (
        <EmptyState message={t('insight:findings.drawer.gone')} />
      ) : error ? (
        <LoadFailed error={error} retry={() => void refetch()} />
      ) : (
        <ListSkeleton rows={8} />
      )}
    </Drawer>
  )
}

interface DetailsProps {
  evidence: Evidence
  zone: string
  mayUpdate: boolean
}

function Details({ evidence, zone, mayUpdate }: DetailsProps) {
  const t = useT()
  const date = useFormatDate()
  const { sentenceOf, amountOf } = useFindingWords()
  const { Finding: finding } = evidence
  const { Kind, kWh, FirstSeen, LastSeen, Confidence } = finding
  return (
    <div className={page.stack}>
      <p>{sentenceOf(finding)}</p>
      {Kind === 'measure' ? null : Kind === 'silent' || finding.Amount === null ? (
        <p className={page.note}>{amountOf(finding)}</p>
      ) : (
        <section aria-label={t('insight:findings.drawer.saves')}>
          <p className={page.hint}>{t('insight:findings.drawer.saves')}</p>
          <SavingAmount saving={finding} />
        </section>
      )}
      {kWh !== null && Kind !== 'silent' && (
        <p className={page.note}>{t('insight:findings.drawer.energy', { energy: energyText(kWh) })}</p>
      )}
      <div className={page.row}>
        <FindingState finding={finding} isBrief />
        {Kind !== 'measure' && (
          <span className={page.note}>
            {t(`insight:findings.confidences.${Confidence}`)}
            {Confidence !== 'low' && NON_HEADLINE_KINDS.has(Kind) && ` · ${t('insight:findings.apart')}`}
          </span>
        )}
      </div>
      <Became finding={finding} />
      <FindingEvidence evidence={evidence} zone={zone} />
      <Assumed kind={Kind} />
      <ToDo finding={finding} />
      <FindingPeople finding={finding} mayUpdate={mayUpdate} />
      {Kind !== 'measure' && (
        <p className={page.hint}>
          {t('insight:findings.drawer.seen', { first: date(FirstSeen), last: date(LastSeen) })}
        </p>
      )}
    </div>
  )
}

/** Assumptions for values that are not configured. */
function Assumed({ kind }: { kind: Finding['Kind'] }) {
  const t = useT()
  const key = `insight:findings.assumes.${kind}`
  return hasText(key) ? <p className={page.note}>{t(key)}</p> : null
}

/** Action taken on the finding, and the saving measured since. */
function Became({ finding }: { finding: Finding }) {
  const t = useT()
  const date = useFormatDate()
  const daysText = useFormatPeriod()
  const estimateText = useEstimateWords()
  const measured = ({ From, Through, Amount, ...saved }: MeasuredSaving) =>
    t('insight:findings.drawer.verified', {
      days: daysText(From, Through),
      saving:
        Amount === null
          ? estimateText({ mid: saved.kWh, low: saved.LowKwh, high: saved.HighKwh }, 'energy')
          : estimateText({ mid: Amount, low: saved.Low, high: saved.High }, 'money'),
    })
  const { DoneOn, Reason, Until, Verified } = finding
  const details = [
    ...(DoneOn === null ? [] : [t('insight:findings.drawer.doneOn', { day: date(DoneOn) })]),
    ...(Reason === null ? [] : [t(`insight:findings.said.${Reason}`)]),
    ...(Until === null ? [] : [t('insight:findings.drawer.until', { day: date(Until) })]),
    ...(Verified ? [measured(Verified)] : []),
  ]
  return details.length > 0 ? <p className={page.note}>{details.join(' ')}</p> : null
}

function ToDo({ finding }: { finding: Finding }) {
  const t = useT()
  const { titleOf, placeOf } = useFindingWords()
  const place = usePlaceOfFinding(finding)
  const schedule = scheduleFor(finding, `${titleOf(finding)} · ${placeOf(finding)}`, place)
  return (
    <section aria-label={t('insight:findings.drawer.toDo')}>
      {finding.ToDo.length > 0 && (
        <>
          <h3>{t('insight:findings.drawer.toDo')}</h3>
          <ul>
            {finding.ToDo.map((key) => (
              <li key={key}>{t(`insight:findings.toDo.${key}`)}</li>
            ))}
          </ul>
        </>
      )}
      <p className={page.wideRow}>
        {linksOf(finding, schedule).map(({ name, to }) => (
          <Link key={name} to={to}>
            {t(`insight:findings.links.${name}`)}
          </Link>
        ))}
      </p>
    </section>
  )
}

/** Device of a finding's meter and the hours of its room, as far as the user has the rights. */
function usePlaceOfFinding({ HomeID, Place }: Finding): PlaceOfFinding {
  const devices = useDevices(HomeID).data?.Peripherals
  const facts = useQuery(callQuery(placeFacts.listPlaceFact, { HomeID })).data
  const uid = Place.MeterID === null ? undefined : deviceOfMeter(Place.MeterID).PeripheralUID
  const device = devices?.find(({ PeripheralUID }) => PeripheralUID === uid)
  // Sorted by first day: the last one is valid now.
  const hoursOf = (RoomID: number | null) =>
    facts?.findLast((fact) => fact.Fact === 'hours' && fact.RoomID === RoomID)?.Value as
      OpeningHours | null | undefined
  const hours = hoursOf(Place.RoomID ?? device?.RoomID ?? null) ?? hoursOf(null)
  return { device, hours: hours ?? undefined }
}
