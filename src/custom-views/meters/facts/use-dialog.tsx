import { Radio } from 'antd'
import { useState } from 'react'
import { meterFacts } from '../../../../contract/meters/fact-calls.ts'
import { METER_USES, type MeterUse } from '../../../../contract/meters/meter-facts.ts'
import { useAction } from '../../../data/use-action.ts'
import { t as tNow, useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { FactDialog } from './fact-dialog.tsx'
import type { Place } from '../place.ts'

interface Props {
  place: Place
  id: string
  /** As somebody said; undefined where nobody did, and its name tells. */
  use: MeterUse | undefined
  close: () => void
}

/** What a meter's energy is used for. Findings look at it as it is today, so it has no first day. */
export function UseDialog({ place, id, use, close }: Props) {
  const t = useT()
  const [value, choose] = useState(use)
  const { busy, refused, run } = useAction(meterFacts.setMeterFact, { shows: 'fields' })
  const name = place.nameOf(id)
  const save = async () => {
    if (value === undefined) return
    const said = { HomeID: place.homeId, MeterID: id, Fact: 'use' as const, Value: value, From: null }
    if (await run(said, () => tNow('meters:facts.useDone', { name }))) close()
  }
  return (
    <FactDialog
      title={t('meters:facts.useTitle', { name })}
      why={t('meters:facts.useWhy')}
      isWhole={value !== undefined}
      {...{ busy, refused, save, close }}
    >
      <Radio.Group
        aria-label={t('meters:facts.names.use')}
        className={page.tightStack ?? ''}
        value={value}
        onChange={({ target }) => choose(target.value as MeterUse)}
        options={METER_USES.map((one) => ({ value: one, label: t(`meters:uses.${one}`) }))}
      />
    </FactDialog>
  )
}
