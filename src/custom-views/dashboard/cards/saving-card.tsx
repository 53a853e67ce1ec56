import { formatEnergy, moneyText, roundEstimate } from '../../../../contract/kernel/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { findings, type Finding, type SavingHeadline } from '../../../../contract/findings/calls.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { NON_HEADLINE_KINDS } from '../../../../contract/findings/finding-life.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { callQuery } from '../../../data/api.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { SavingAmount } from '../../../domain/finding/saving-amount.tsx'
import {
  describeNone,
  formatSaving,
  overlappingPart,
  useFindingWords,
} from '../../../domain/finding/use-finding-words.ts'
import page from '../../../ui/page/page.module.css'
import { QueryCard, CardFrame } from './card-frame.tsx'
import styles from './cards.module.css'
import { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import { completeShare } from '../../../../contract/energy/coverage.ts'
import { BeingComputed } from '../../../domain/energy/being-computed.tsx'
import { Change } from '../../../domain/energy/change.tsx'
import type { Difference } from '../../../domain/energy/totals.ts'
import { AmountValue } from '../../../ui/tags/power-value.tsx'

/** Minimum known share of both periods for comparing their costs. */
const MIN_KNOWN_SHARE = 0.95

/** Energy of the finished days of this month in all homes against the same days last year; nothing on the first day of a month. */
function MonthBesideYear() {
  const t = useT()
  const { data } = useQuery(callQuery(meterData.getMonthBesideYear, {}))
  if (!data?.Now || !data.Before) return null
  const { Now, Before, Homes, Partly, ComputedPercent } = data
  const isComputed = ComputedPercent === undefined
  const complete = [completeShare(Now.Coverage), completeShare(Before.Coverage)] as const
  const differenceOf = (is: number, previous: number): Difference => ({
    ...{ before: previous, by: is - previous, share: previous === 0 ? null : (is - previous) / previous },
    ...{ soFar: false, partly: Partly, complete },
  })
  const isPriced =
    isComputed && Now.Cost !== null && Before.Cost !== null && Math.min(...complete) >= MIN_KNOWN_SHARE
  return (
    <div>
      <h3>{t('cards:besideYear')}</h3>
      <p className={page.lead}>
        <AmountValue amount={formatEnergy(Now.kWh)} large />
      </p>
      <BeingComputed percent={ComputedPercent} />
      {isComputed && (
        <p>
          <Change difference={differenceOf(Now.kWh, Before.kWh)} measure="kwh" />
        </p>
      )}
      {isPriced && (
        <p className={page.small}>
          <Change difference={differenceOf(Now.Cost ?? 0, Before.Cost ?? 0)} measure="cost" />
        </p>
      )}
      {Homes.Compared < Homes.Total && (
        <p className={`${page.small} ${page.warning}`}>
          {t('cards:besideYearOf', { count: Homes.Compared, total: Homes.Total })}
        </p>
      )}
    </div>
  )
}

const MAX_SHOWN = 3

/** Possible saving per month in all homes, with the largest findings; or what is missing to compute it. */
export default function SavingCard({ homes }: { homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const query = useQuery({ ...callQuery(findings.getSaving, {}) })
  const [singleHome] = homes
  const to = homes.length === 1 && singleHome ? pathTo('Insight', { HomeID: singleHome.HomeID }) : undefined
  return (
    <CardFrame title={t('dashboard:cards.saving')} to={to} busy={query.isPending}>
      <QueryCard query={{ ...query, isPlaceholderData: false }}>
        {query.data && <SavingDetails saving={query.data} homes={homes} />}
      </QueryCard>
    </CardFrame>
  )
}

function SavingDetails({ saving, homes }: { saving: SavingHeadline; homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const { State, Top, Verified, Partly } = saving
  const shownFindings = Top.slice(0, MAX_SHOWN)
  const shownIds = new Set(shownFindings.map(({ FindingID }) => FindingID))
  const otherParts = (saving.Parts ?? []).filter(({ FindingID }) => !shownIds.has(FindingID))
  return (
    <>
      <SavingAmount saving={saving} />
      {State === 'none' && <p>{describeNone(t, saving)}</p>}
      {Top.length > 0 && (
        <ul className={`${page.links} ${page.rows} ${styles.savings}`}>
          {shownFindings.map((finding) => (
            <Row key={finding.FindingID} finding={finding} homes={homes} />
          ))}
          {otherParts.length > 0 && (
            <li>
              <span>{t('insight:findings.others', { count: otherParts.length })}</span>
              <span className={page.figures}>
                {moneyText(roundEstimate(otherParts.reduce((sum, { Amount }) => sum + Amount, 0)))}
              </span>
            </li>
          )}
        </ul>
      )}
      {saving.Amount === null && <MonthBesideYear />}
      <Lacks saving={saving} homes={homes} />
      {Partly && <p className={`${page.small} ${page.warning}`}>{t('insight:findings.partly')}</p>}
      {Verified.Count > 0 && (
        <p className={page.small}>
          {t('insight:findings.verified', { amount: formatSaving(Verified.Amount), count: Verified.Count })}
        </p>
      )}
    </>
  )
}

interface RowProps {
  finding: Finding
  homes: readonly HomeWithRooms[]
}

function Row({ finding, homes }: RowProps) {
  const t = useT()
  const { titleOf, placeOf, amountOf } = useFindingWords()
  const home = homes.find(({ HomeID }) => HomeID === finding.HomeID)
  const part = overlappingPart(finding)
  return (
    <li>
      <Link to={finding.Evidence} className={page.touch}>
        {titleOf(finding)}
      </Link>
      <span className={page.figures}>{amountOf(finding)}</span>
      <span className={page.small}>
        {homes.length > 1 && home ? `${home.HomeName} · ` : ''}
        {placeOf(finding)}
      </span>
      {part !== undefined && (
        <span className={page.small}>{t('insight:findings.counted', { amount: formatSaving(part) })}</span>
      )}
      {NON_HEADLINE_KINDS.has(finding.Kind) && (
        <span className={page.small}>{t('insight:findings.apart')}</span>
      )}
    </li>
  )
}

/** Data missing for the headline, per home; one sentence if it is the same everywhere. */
function Lacks({ saving, homes }: { saving: SavingHeadline; homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const { gapText: lackOf } = useFindingWords()
  const nameOf = (id: string) => homes.find(({ HomeID }) => HomeID === id)?.HomeName ?? ''
  const lackTexts = saving.Lacks.map((lack) => ({ lack, text: lackOf(lack) }))
  const isSame = lackTexts.every(({ text }) => text === lackTexts[0]?.text)
  const shownTexts = isSame && saving.State === 'tooLittle' ? lackTexts.slice(0, 1) : lackTexts
  return shownTexts.slice(0, MAX_SHOWN).map(({ lack, text }) => (
    <p key={`${lack.HomeID} ${lack.Reason}`} className={page.small}>
      {shownTexts.length > 1 || (homes.length > 1 && !isSame) || saving.State !== 'tooLittle'
        ? `${nameOf(lack.HomeID)}: `
        : ''}
      {text}{' '}
      {lack.Reason === 'tariff' && (
        <Link to={pathTo('Tariff', { HomeID: lack.HomeID })}>{t('insight:findings.toTariff')}</Link>
      )}
    </p>
  ))
}
