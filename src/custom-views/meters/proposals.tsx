import { Alert, Button } from 'antd'
import { meterCorrections, type MeterProposal } from '../../../contract/meters/correction-calls.ts'
import { useAction } from '../../data/use-action.ts'
import { energyText, formatLimitKw, formatPower } from '../../../contract/kernel/numbers.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { t as tNow, useLanguage, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import type { Place } from './common/place.ts'

/** Proposed explanations of lasting jumps, one per meter; accepting one accepts all readings quarantined since. */
export function Proposals({
  place,
  proposals,
  nameOf,
  mayDecide,
}: {
  place: Place
  proposals: readonly MeterProposal[]
  nameOf: (proposal: MeterProposal) => string
  mayDecide: boolean
}) {
  const t = useT()
  const language = useLanguage()
  const { busy, run } = useAction(async (proposal: MeterProposal, send) => {
    const { PeripheralUID, First } = proposal
    const key = { HomeID: place.homeId, PeripheralUID }
    if (proposal.LimitKw !== null)
      await send(meterCorrections.decideQuarantinedReading, {
        HomeID: place.homeId,
        Decision: 'accepted',
        LimitKw: proposal.LimitKw,
        Readings: [{ PeripheralUID, ...First }],
      })
    for (const { At, OldKwh, NewKwh } of proposal.Replacements)
      await send(meterCorrections.createMeterCorrection, {
        ...key,
        Kind: 'replacement',
        From: At,
        OldKwh,
        NewKwh,
      })
  })
  if (proposals.length === 0) return null
  const formatTime = (at: number) => formatWhen(at, language, place.zone)
  return (
    <ul className={page.rows} aria-label={t('meters:proposals.title')}>
      {proposals.map((proposal) => {
        const name = nameOf(proposal)
        const textValues = { name, since: formatTime(proposal.Since), energy: energyText(proposal.kWh) }
        const text =
          proposal.LimitKw === null
            ? t('meters:proposals.replacements', textValues)
            : t('meters:proposals.limit', { ...textValues, kw: formatPower(proposal.Kw ?? 0) })
        const accept =
          proposal.LimitKw === null
            ? t('meters:proposals.enter')
            : t('meters:proposals.raise', { kw: formatLimitKw(proposal.LimitKw) })
        return (
          <li key={proposal.PeripheralUID}>
            <Alert
              type="warning"
              showIcon
              message={text}
              description={
                mayDecide && (
                  <Button
                    type="primary"
                    loading={busy}
                    aria-label={t('meters:quarantined.doWith', { what: accept, name })}
                    onClick={() => void run(proposal, () => tNow('meters:proposals.done'))}
                  >
                    {accept}
                  </Button>
                )
              }
            />
          </li>
        )
      })}
    </ul>
  )
}
